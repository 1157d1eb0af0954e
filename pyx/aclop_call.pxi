cdef class Call:
    """The arguments of one call as the core takes them; memory is held until release()."""

    cdef OpCall core
    cdef string op_type
    cdef string path
    cdef shared_ptr[OpAttrs] attrs
    cdef vector[OpTensorDesc] descs  # copies of those of the caller, inputs first
    cdef vector[OpTensorDesc*] desc_refs
    cdef Buffers memory
    cdef BufferRefs memory_refs
    cdef Views views
    cdef list output_descs  # of the caller, None where there is none
    cdef list results
    cdef bint with_memory

    cdef describe(self, op_type, inputs, outputs, attrs, bint with_memory):
        """Take over the arguments that all calls have."""
        cdef list rows = list_of(inputs, "inputs")
        cdef list output_rows = list_of(outputs, "outputs")
        cdef Py_ssize_t count = len(rows)
        self.with_memory = with_memory
        if op_type is not NULL_POINTER:
            self.op_type = text_of_any(op_type, "the type of an operator")
            self.core.op_type = self.op_type.c_str()
        self.core.num_inputs = <int>count
        self.core.num_outputs = <int>len(output_rows)
        rows += output_rows
        self.descs.reserve(len(rows))
        self.output_descs = []
        self.results = []
        for i in range(len(rows)):
            self.add(rows[i], i >= count, <int>(i if i < count else i - count))
        if attrs is not None and attrs is not NULL_POINTER:
            self.attrs = attrs_of(attrs).core
            self.core.attrs = self.attrs.get()
        self.link(count)

    cdef int add(self, row, bint is_output, int index) except -1:
        """Append one tensor: a description, an array, or both."""
        cdef OpTensorDesc desc
        if type(row) is tuple and len(<tuple>row) == 2:
            described, data = <tuple>row
        elif row is None or row is NULL_POINTER or isinstance(row, TensorDesc):
            described, data = row, NOT_GIVEN
        else:
            described, data = NOT_GIVEN, row
        if described is NULL_POINTER:
            self.desc_refs.push_back(NULL)
        else:
            if isinstance(described, TensorDesc):
                desc = (<TensorDesc>described).core
            elif described is NOT_GIVEN:
                describe(desc, data)
                desc.format = ND
            elif described is not None:
                raise TypeError(f"{type(described).__name__} is no TensorDesc")
            self.descs.push_back(desc)
            self.desc_refs.push_back(&self.descs.back())
        if is_output:
            self.output_descs.append(described if isinstance(described, TensorDesc) else None)
        if not self.with_memory:
            return 0
        if data is NOT_GIVEN:
            data = self.missing(desc, index, is_output)
        if is_output:
            self.results.append(data)
        return self.add_data(data, desc, is_output, index)

    cdef missing(self, const OpTensorDesc& desc, int index, bint is_output):
        """Return the memory for a description that came without."""
        if desc.is_absent() or not is_output and desc.is_const():
            return None
        if is_output:
            return new_array(desc, index)
        fail(INVALID_PARAM, f"input {index} has a description, but no buffer: pass (desc, buffer).")

    cdef int add_data(self, data, const OpTensorDesc& desc, bint is_output, int index) except -1:
        if data is NULL_POINTER:
            self.memory.push_back(NO_MEMORY)
            self.memory_refs.push_back(NULL)
            return 0
        if data is None:
            self.memory.push_back(NO_MEMORY)
        elif isinstance(data, DataBuffer):
            self.memory.push_back((<DataBuffer>data).core)
        else:
            add_memory(self.views, self.memory, data, desc, is_output, index)
        self.memory_refs.push_back(&NO_MEMORY)
        return 0

    cdef link(self, Py_ssize_t inputs):
        """Point the call to what has been collected; nothing moves from now on."""
        cdef size_t i
        self.core.input_descs = <const OpTensorDesc**>self.desc_refs.data()
        self.core.output_descs = self.desc_refs.data() + inputs
        if not self.with_memory:
            return
        for i in range(self.memory.size()):
            if self.memory_refs.data()[i] != NULL:
                self.memory_refs.data()[i] = &self.memory[i]
        self.core.inputs = self.memory_refs.data()
        self.core.outputs = self.memory_refs.data() + inputs

    cdef set_target(self, engine, flag, path):
        self.core.engine_type = int32_of(engine)
        self.core.compile_flag = int32_of(flag)
        if path is not None:
            self.path = path_of(path)
            self.core.op_path = self.path.c_str()

    cdef refresh(self):
        """Give the caller's descriptions of outputs what the call has written."""
        cdef size_t i
        cdef const OpTensorDesc* made
        for i in range(<size_t>len(self.output_descs)):
            desc = self.output_descs[i]
            if desc is None:
                continue
            made = self.core.output_descs[i]
            (<TensorDesc>desc).core = deref(made)

    cdef release(self):
        release(self.views)

    def __dealloc__(self):
        release(self.views)


# Where there is no description or no data; None is an absent tensor, and a buffer of no bytes.
cdef object NOT_GIVEN = object()
cdef OpBuffer NO_MEMORY  # data NULL and no bytes; its address stands for a buffer yet to be linked
cdef int32_t ND = 2
# An input of which only the description is known.
cdef DataBuffer NO_VALUE = DataBuffer(0, 1)


cdef list list_of(rows, str what):
    if isinstance(rows, (list, tuple)):
        return list(rows)
    if isinstance(rows, (str, bytes, dict, TensorDesc)) or not hasattr(rows, "__iter__"):
        raise TypeError(f"{what} is {type(rows).__name__}, not a sequence")
    return list(rows)


cdef Attrs attrs_of(values):
    """Return attributes as they are, or those of a mapping."""
    cdef Attrs made
    if isinstance(values, Attrs):
        return values
    if not hasattr(values, "keys"):
        raise TypeError(f"attrs is {type(values).__name__}, not a mapping")
    made = Attrs.__new__(Attrs)
    for name, value in dict(values).items():
        made.set(name, value)
    return made


cdef string path_of(path) except *:
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("the path has a NUL character")
    return encoded


cdef new_array(const OpTensorDesc& core, int index):
    """Return memory for an output."""
    cdef tuple dims = dims_of(MemoryDims(core))
    from ge.aclop import _arrays  # NumPy is only looked for when an array is asked for

    if not has_whole_bytes(core.dtype) or min(dims, default=0) < 0:
        fail(INVALID_PARAM, f"output {index} has no size of its own: pass (desc, buffer).")
    return _arrays.empty(name_of(core.dtype), dims, MemoryBytes(core))


cdef results_of(list results):
    """Return one result as it is, several as a tuple."""
    return results[0] if len(results) == 1 else tuple(results)
