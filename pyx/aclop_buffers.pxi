# Memory of the caller, held for the length of a call.

cdef extern from "base/small_vector.h" namespace "ge" nogil:
    cdef cppclass Views "ge::SmallVector<Py_buffer, 8>":
        size_t size()
        Py_buffer& operator[](size_t index)
        void push_back(const Py_buffer& view) except +
        void clear()

    cdef cppclass Buffers "ge::SmallVector<ge::OpBuffer, 8>":
        size_t size()
        OpBuffer& operator[](size_t index)
        void push_back(const OpBuffer& buffer) except +

    cdef cppclass BufferRefs "ge::SmallVector<const ge::OpBuffer*, 8>":
        const OpBuffer** data()
        void push_back(const OpBuffer* buffer) except +

# Stands for a NULL of the C API, which no argument of Python is.
NULL_POINTER = object()


cdef class DataBuffer:
    """An address and a size in bytes; whoever makes one answers for the memory."""

    cdef OpBuffer core

    def __init__(self, address, nbytes):
        self.update(address, nbytes)

    def update(self, address, nbytes):
        """Set both."""
        cdef uint64_t where = uint64_of(address)
        self.core.bytes = uint64_of(nbytes)
        self.core.data = <void*>where

    @property
    def address(self):
        """Of the first byte; 0: none."""
        return <uint64_t>self.core.data

    @property
    def nbytes(self):
        """How many."""
        return self.core.bytes


cdef bint has_foreign_dtype(array) except -1:
    """Return whether an array has a dtype that is not NumPy's own; most export no buffer."""
    return getattr(getattr(array, "dtype", None), "isbuiltin", 1) == 2


cdef int hold(Views& views, array, int flags) except -1:
    """Append a view of the memory of an array; it has to be released."""
    cdef Py_buffer view
    if not PyObject_CheckBuffer(array):
        raise TypeError(f"{type(array).__name__} is no array: it has no buffer")
    try:
        PyObject_GetBuffer(array, &view, flags)
    except (BufferError, ValueError) as error:
        if not has_foreign_dtype(array):
            raise ValueError(f"{type(array).__name__}: {error}") from None
        PyObject_GetBuffer(array.view(f"uint{8 * array.dtype.itemsize}"), &view, flags)
    try:
        views.push_back(view)
    except MemoryError:
        PyBuffer_Release(&view)
        raise
    return 0


cdef release(Views& views):
    cdef size_t i
    for i in range(views.size()):
        PyBuffer_Release(&views[i])
    views.clear()


cdef bint has_whole_bytes(int32_t dtype) noexcept:
    """Return whether elements of a type take AclDtypeSize bytes in memory."""
    return 0 <= dtype < DTYPE_COUNT and (
        RowOfDataType(<DataType>dtype).bits == 8 * <int>AclDtypeSize(dtype) > 0
    )


cdef int add_memory(
    Views& views, Buffers& memory, array, const OpTensorDesc& desc, bint is_output, int index
) except -1:
    """Hold the memory of a tensor; fail unless it has its size and its type, or is of bytes."""
    cdef OpBuffer buffer
    cdef const Py_buffer* view
    hold(views, array, PyBUF_FORMAT | PyBUF_ND | (PyBUF_WRITABLE if is_output else 0))
    view = &views[views.size() - 1]
    buffer.data = view.buf
    buffer.bytes = view.len
    memory.push_back(buffer)
    if not has_whole_bytes(desc.dtype):
        return 0  # packed, or of any length: the core looks at it
    cdef DataType given = dtype_of_format(view.format, view.itemsize)
    if buffer.bytes == MemoryBytes(desc) and (
        view.itemsize == 1 or <int32_t>given == desc.dtype or are_its_bits(given, desc.dtype)
    ):
        return 0
    fail(GE_PARAM_INVALID,
         f"{'output' if is_output else 'input'} {index} takes {MemoryBytes(desc)} bytes of"
         f" {name_of(desc.dtype)}, but the buffer has {buffer.bytes} of"
         f" {name_of(<int32_t>given)}.")


cdef str name_of(int32_t dtype):
    return RowOfDataType(<DataType>dtype).user_name.data().decode()


cdef bint are_its_bits(DataType given, int32_t dtype) except -1:
    """Return whether elements are the bits of a type that no format of buffers stands for."""
    return given == DataType.kUint16 and name_of(dtype) == "bfloat16"


cdef class Memory:
    """Memory of an object at an address that does not change while this lives."""

    cdef Py_buffer view
    cdef readonly object owner

    def __cinit__(self, owner):
        if not PyObject_CheckBuffer(owner):
            raise TypeError(f"{type(owner).__name__} has no buffer")
        try:
            PyObject_GetBuffer(owner, &self.view, PyBUF_SIMPLE)
        except BufferError as error:
            raise ValueError(str(error)) from None
        self.owner = owner

    def __dealloc__(self):
        if self.owner is not None:
            PyBuffer_Release(&self.view)

    @property
    def address(self):
        """Of the first byte."""
        return <uint64_t>self.view.buf

    @property
    def nbytes(self):
        """How many."""
        return self.view.len

    @property
    def is_used_elsewhere(self):
        """Whether anybody else has the owner."""
        return Py_REFCNT(<PyObject*>self.owner) > 2  # this object and its view

    def copy_from(self, uint64_t at, Memory source not None, uint64_t source_at, uint64_t nbytes):
        """Copy bytes here, even into an object that Python code cannot write to."""
        self.check_range(at, nbytes)
        source.check_range(source_at, nbytes)
        memmove(<char*>self.view.buf + at, <char*>source.view.buf + source_at, nbytes)

    def fill(self, uint64_t at, int value, uint64_t nbytes):
        """Set bytes to the lowest eight bits of a value."""
        self.check_range(at, nbytes)
        memset(<char*>self.view.buf + at, value, nbytes)

    cdef int check_range(self, uint64_t at, uint64_t nbytes) except -1:
        cdef uint64_t size = self.view.len
        if at > size or nbytes > size - at:
            raise ValueError("beyond the memory")
        return 0
