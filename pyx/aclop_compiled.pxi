cdef class Handle:
    """A compiled operator with copies of the descriptions it was looked up by."""

    cdef OpHandle* core
    cdef int running
    cdef bint closed

    def __cinit__(self, Call call not None):
        cdef AclStatus status
        with nogil:
            status = CreateOpHandle(ProcessOpRuntime(), call.core, &self.core)
        check_call(status, call.core)

    def close(self):
        """Let go of the operator; a run that is under way ends first.

        Raises:
            InvalidParamError: It was closed before (100000).
        """
        self.check_open()
        self.closed = True
        self.free()

    cdef int check_open(self) except -1:
        if self.closed:
            fail(INVALID_PARAM, "The operator was closed.")
        return 0

    cdef free(self):
        if self.closed and self.running == 0 and self.core != NULL:
            DestroyOpHandle(self.core)
            self.core = NULL

    cdef int run(self, BufferRefs& refs, int inputs, int outputs) except -1:
        """Run once; `refs` has the inputs, then the outputs."""
        cdef AclStatus status
        self.check_open()
        self.running += 1  # under the GIL, as all changes of it
        try:
            with nogil:
                status = ExecuteOpHandle(
                    self.core, inputs, refs.data(), outputs, refs.data() + inputs, NULL
                )
        finally:
            self.running -= 1
            self.free()
        return check(status)

    def execute(self, inputs, outputs):
        """Run once on DataBuffers; ``NULL_POINTER`` stands for a buffer that is NULL."""
        cdef BufferRefs refs
        for buffer in [*inputs, *outputs]:
            if buffer is NULL_POINTER:
                refs.push_back(NULL)
            else:
                refs.push_back(&(<DataBuffer?>buffer).core)
        self.run(refs, <int>len(inputs), <int>len(outputs))

    def __dealloc__(self):
        DestroyOpHandle(self.core)


def create_handle(op_type, inputs, outputs, attrs=None):
    """Return a handle for an operator that was compiled or loaded."""
    cdef Call call = Call.__new__(Call)
    call.describe(op_type, inputs, outputs, attrs, False)
    return Handle.__new__(Handle, call)


cdef class CompiledOp:
    """A compiled operator: call it on arrays, as often as you like, from any thread.

    :func:`ge.aclop.compile` makes these. It is called with one array per input that is neither
    constant nor left out, in order. Arrays are C-contiguous, are read in place, and have the type
    and the bytes that the description says (any one-byte elements count as bytes).

    ``out=`` is an array, or a sequence of one per output, that results are written to; by default
    new ones are made. The result is what ``out`` is or would be.

    An operator with dims of -1 takes the shapes that the arrays have; ``out`` is needed then.

    Raises:
        TypeError: The number of arrays is not that of the inputs or outputs, or one is no array.
        ExecuteParamError: An array has another type or size (145000).
        InvalidParamError: The operator was closed (100000).
        OpNotFoundError: It has dims of -1 that do not stand for these shapes (100024).
    """

    cdef Call call
    cdef Handle handle
    cdef bint closed

    def __cinit__(self, Call call not None):
        self.call = call
        if not self.is_dynamic:
            self.handle = Handle.__new__(Handle, call)

    @property
    def op_type(self):
        """The type of the operator."""
        return self.call.op_type.decode()

    @property
    def inputs(self):
        """A copy of each :class:`TensorDesc`."""
        return self.descs(0, self.call.core.num_inputs)

    @property
    def outputs(self):
        """A copy of each :class:`TensorDesc`."""
        return self.descs(self.call.core.num_inputs, self.call.descs.size())

    @property
    def is_dynamic(self):
        """Whether an input or output has dims that are not known."""
        cdef size_t i, axis
        for i in range(self.call.descs.size()):
            for axis in range(self.call.descs[i].dims.size()):
                if self.call.descs[i].dims[axis] < 0:
                    return True
        return False

    def close(self):
        """Let go of the operator; a run that is under way ends first."""
        if self.closed:
            fail(INVALID_PARAM, "The operator was closed.")
        self.closed = True
        if self.handle is not None:
            self.handle.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if not self.closed:
            self.close()

    def __call__(self, *arrays, out=None):
        cdef Views views
        if self.closed:
            fail(INVALID_PARAM, "The operator was closed.")
        if self.handle is None:
            return self.call_dynamic(arrays, out)
        try:
            return self.call_static(views, arrays, out)
        finally:
            release(views)

    cdef call_static(self, Views& views, tuple arrays, out):
        cdef int count = self.call.core.num_inputs
        cdef int outputs = self.call.core.num_outputs
        cdef Buffers memory
        cdef BufferRefs refs
        cdef const OpTensorDesc* desc
        cdef Py_ssize_t given = 0
        cdef int i
        for i in range(count):
            desc = &self.call.descs[i]
            if desc.is_const() or desc.is_absent():
                memory.push_back(NO_MEMORY)
                continue
            if given == len(arrays):
                self.wrong_count(arrays)
            add_memory(views, memory, arrays[given], deref(desc), False, i)
            given += 1
        if given != len(arrays):
            self.wrong_count(arrays)
        results = out_list(out, outputs)
        for i in range(outputs):
            desc = &self.call.descs[count + i]
            if results[i] is None:
                results[i] = new_array(deref(desc), i)
            add_memory(views, memory, results[i], deref(desc), True, i)
        for i in range(count + outputs):
            refs.push_back(&memory[i])
        self.handle.run(refs, count, outputs)
        return results_of(results) if out is None else out

    cdef call_dynamic(self, tuple arrays, out):
        """Run the operator with the shapes of the arrays."""
        cdef TensorDesc desc
        rest = list(arrays)
        rows = []
        for kept in self.inputs:
            desc = kept
            if desc.core.is_const() or desc.core.is_absent():
                rows.append((desc, None))
                continue
            if not rest:
                self.wrong_count(arrays)
            rows.append((with_shape(desc, rest[0]), rest.pop(0)))
        if rest:
            self.wrong_count(arrays)
        results = out_list(out, self.call.core.num_outputs)
        if out is None:
            raise TypeError("an operator with unknown dims needs out=")
        outputs = [(with_shape(kept, array), array) for kept, array in zip(self.outputs, results)]
        execute(self.op_type, rows, outputs, self.attrs)
        return out

    @property
    def attrs(self):
        """A copy of the attributes."""
        cdef Attrs made = Attrs.__new__(Attrs)
        if self.call.attrs:
            made.core = self.call.attrs  # a change of either makes a copy
        return made

    cdef wrong_count(self, arrays):
        cdef int wanted = 0
        cdef int i
        for i in range(self.call.core.num_inputs):
            wanted += not (self.call.descs[i].is_const() or self.call.descs[i].is_absent())
        raise TypeError(f"{self.op_type} takes {wanted} arrays, {len(arrays)} are given")

    cdef tuple descs(self, size_t first, size_t end):
        cdef TensorDesc made
        cdef list copies = []
        cdef size_t i
        for i in range(first, end):
            made = TensorDesc.__new__(TensorDesc)
            made.core = self.call.descs[i]
            copies.append(made)
        return tuple(copies)

    def __repr__(self):
        return f"<CompiledOp {self.op_type}>"


cdef list out_list(out, int count):
    """Return one array, or None, per output."""
    if out is None:
        return [None] * count
    results = list(out) if isinstance(out, (list, tuple)) else [out]
    if len(results) != count:
        raise TypeError(f"out has {len(results)} arrays, the operator has {count} outputs")
    return results


cdef TensorDesc with_shape(TensorDesc desc, array):
    """Return a description with the shape of an array and without ranges."""
    cdef TensorDesc made = desc.copy()
    made.core.dims = (<TensorDesc>TensorDesc.of(array)).core.dims
    made.core.shape_range.clear()
    made.core.value_range.clear()
    return made
