cdef extern from *:
    """
    static inline std::shared_ptr<const std::vector<uint8_t>> ge_copy_bytes(const void* data,
                                                                            size_t size) {
      const auto* bytes = static_cast<const uint8_t*>(data);
      return std::make_shared<const std::vector<uint8_t>>(bytes, bytes + size);
    }
    """
    shared_ptr[const vector[uint8_t]] copy_bytes "ge_copy_bytes"(
        const void* data, size_t size
    ) except + nogil


cdef class TensorDesc:
    """What one input or output of an operator is.

    Args:
        dtype: A :class:`DataType`, its number, a name such as ``"float16"``, or a NumPy dtype.
        dims: The shape; ``()`` is a scalar. -1: a dim that is not known; first dim -2: the rank
            is not known.
        format: A :class:`Format` or its number.
        name: For messages, and for inputs of variable length in ``infer_shape``.
        storage_format, storage_dims: How the tensor lies in memory, where that is another way.
        shape_range: ``(least, greatest)`` of each dim; ``None`` as the greatest: no limit.
        value_range: The same of each element.
        constant: A buffer whose bytes are copied: the input is a constant with this value.
        placement: A :class:`MemType`.
        dynamic_input: Neighbouring inputs of one such name are one input of variable length.

    Numbers of data types and formats are kept as they are; which of them make sense is found out
    when an operator is compiled. Calls copy descriptions, so changes never reach a running one.

    Source: AscendCL ``aclCreateTensorDesc`` and its setters.
    """

    cdef OpTensorDesc core

    def __init__(self, dtype, dims=(), format=2, *, name=None, storage_format=None,
                 storage_dims=None, shape_range=None, value_range=None, constant=None,
                 placement=None, dynamic_input=None):
        self.core.dtype = dtype_of(dtype)
        read_dims(self.core.dims, dims)
        self.core.format = int32_of(format)
        if name is not None:
            self.name = name
        if storage_format is not None:
            self.storage_format = storage_format
        if storage_dims is not None:
            self.storage_dims = storage_dims
        if shape_range is not None:
            self.shape_range = shape_range
        if value_range is not None:
            self.value_range = value_range
        if constant is not None:
            self.constant = constant
        if placement is not None:
            self.placement = placement
        if dynamic_input is not None:
            self.dynamic_input = dynamic_input

    @staticmethod
    def of(array, format=2):
        """Return the description of an array: its elements and its shape.

        Args:
            array: An object with a buffer, or with the attributes ``dtype`` and ``shape``.
            format: What the dims are.

        Raises:
            TypeError: It is no such object, or no data type has such elements.
        """
        cdef TensorDesc made = TensorDesc.__new__(TensorDesc)
        made.core.format = int32_of(format)
        describe(made.core, array)
        return made

    @staticmethod
    def absent():
        """Return what stands for an optional input that is left out."""
        return TensorDesc.__new__(TensorDesc)

    @property
    def dtype(self):
        """The :class:`DataType`, or the bare number when there is no such type."""
        return enum_or_int("DataType", self.core.dtype)

    @dtype.setter
    def dtype(self, value):
        self.core.dtype = dtype_of(value)

    @property
    def format(self):
        """The :class:`Format`, or the bare number when there is no such format."""
        return enum_or_int("Format", self.core.format)

    @format.setter
    def format(self, value):
        self.core.format = int32_of(value)

    @property
    def dims(self):
        """The shape, a tuple."""
        return dims_of(self.core.dims)

    @dims.setter
    def dims(self, values):
        read_dims(self.core.dims, values)

    @property
    def rank(self):
        """How many dims; ``None`` when that is not known (first dim -2)."""
        if self.core.dims.size() > 0 and self.core.dims[0] == -2:
            return None
        return self.core.dims.size()

    @property
    def elements(self):
        """Product of the dims; 0 when one is not known or the product does not fit 64 bits."""
        return AclElements(self.core)

    @property
    def nbytes(self):
        """``elements`` times the bytes of an element, at least one byte each; 0 as above."""
        return AclBytes(self.core)

    @property
    def storage_format(self):
        """The :class:`Format` in memory; ``Format.UNDEFINED``: the same as ``format``."""
        return enum_or_int("Format", self.core.storage_format)

    @storage_format.setter
    def storage_format(self, value):
        self.core.storage_format = int32_of(value)

    @property
    def storage_dims(self):
        """The shape in memory; ``()``: not set."""
        return dims_of(self.core.storage_dims)

    @storage_dims.setter
    def storage_dims(self, values):
        read_dims(self.core.storage_dims, values)

    @property
    def shape_range(self):
        """``(least, greatest)`` of each dim; ``None`` as the greatest: no limit."""
        return ranges_of(self.core.shape_range)

    @shape_range.setter
    def shape_range(self, values):
        read_ranges(self.core.shape_range, values)

    @property
    def value_range(self):
        """``(least, greatest)`` of each element."""
        return ranges_of(self.core.value_range)

    @value_range.setter
    def value_range(self, values):
        read_ranges(self.core.value_range, values)

    @property
    def name(self):
        """The name of the tensor."""
        return self.core.name.decode()

    @name.setter
    def name(self, value):
        self.core.name = text_of_any(value, "the name of a tensor")

    @property
    def dynamic_input(self):
        """The input of variable length that this is one of; ``""``: none."""
        return self.core.dynamic_input.decode()

    @dynamic_input.setter
    def dynamic_input(self, value):
        self.core.dynamic_input = text_of_any(value, "the name of a dynamic input")

    @property
    def placement(self):
        """The :class:`MemType`: where the data is when the operator runs."""
        return enum_or_int("MemType", self.core.placement)

    @placement.setter
    def placement(self, value):
        self.core.placement = int32_of(value)

    @property
    def constant(self):
        """The bytes of a constant; ``None``: the input is no constant."""
        if not self.core.is_const():
            return None
        return bytes_of(deref(self.core.constant))

    @constant.setter
    def constant(self, value):
        cdef Py_buffer view
        if value is None:
            self.core.constant.reset()
            return
        PyObject_GetBuffer(value, &view, PyBUF_SIMPLE)
        try:
            if view.len == 0:
                fail(INVALID_PARAM, "A constant must have at least one byte.")
            self.core.constant = copy_bytes(view.buf, view.len)
        finally:
            PyBuffer_Release(&view)

    def copy(self):
        """Return a description of its own with the same fields."""
        cdef TensorDesc made = TensorDesc.__new__(TensorDesc)
        made.core = self.core
        return made

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __eq__(self, other):
        cdef const OpTensorDesc* a = &self.core
        cdef const OpTensorDesc* b
        if not isinstance(other, TensorDesc):
            return NotImplemented
        b = &(<TensorDesc>other).core
        return (
            a.dtype == b.dtype and a.format == b.format and a.placement == b.placement
            and a.storage_format == b.storage_format and a.dims == b.dims
            and a.storage_dims == b.storage_dims and self.shape_range == other.shape_range
            and self.value_range == other.value_range and a.name == b.name
            and a.dynamic_input == b.dynamic_input and self.constant == other.constant
        )

    def __repr__(self):
        if self.core.is_absent():
            return "TensorDesc.absent()"
        fields = [repr_of(self.dtype), repr(self.dims), repr_of(self.format)]
        for name, unset in FIELDS_AND_UNSET:
            value = getattr(self, name)
            if value != unset:
                fields.append(f"{name}={repr_of(value)}")
        return f"TensorDesc({', '.join(fields)})"


# What repr() leaves out.
cdef tuple FIELDS_AND_UNSET = (
    ("name", ""), ("storage_format", -1), ("storage_dims", ()), ("shape_range", ()),
    ("value_range", ()), ("constant", None), ("placement", 0), ("dynamic_input", ""),
)


cdef str repr_of(value):
    """Return the repr that Python code would have; of an enum: its name."""
    return f"{type(value).__name__}.{value.name}" if hasattr(value, "name") else repr(value)


cdef bytes bytes_of(const vector[uint8_t]& bytes):
    return (<const char*>bytes.data())[:bytes.size()]


cdef int describe(OpTensorDesc& core, array) except -1:
    """Set data type and dims to those of an array."""
    cdef Py_buffer view
    cdef Dims dims
    cdef DataType dtype
    cdef int axis
    if not PyObject_CheckBuffer(array) or has_foreign_dtype(array):
        if not hasattr(array, "dtype") or not hasattr(array, "shape"):
            raise TypeError(f"{type(array).__name__} is no array: it has no buffer")
        (&core).dtype = dtype_of(array.dtype)
        return read_dims((&core).dims, array.shape)
    PyObject_GetBuffer(array, &view, PyBUF_FORMAT | PyBUF_STRIDES)
    try:
        dtype = dtype_of_format(view.format, view.itemsize)
        if dtype == DataType.kUndefined:
            raise TypeError(f"elements of the format {view.format.decode()!r} have no data type")
        (&core).dtype = <int32_t>dtype
        for axis in range(view.ndim):
            dims.push_back(view.shape[axis])
        (&core).dims = move(dims)
    finally:
        PyBuffer_Release(&view)
    return 0
