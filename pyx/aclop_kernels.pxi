# Kernels of the caller. They can be registered and chosen; running one takes an NPU.

# What chooses kernels, by type; the core calls select() for each.
cdef dict SELECTORS = {}
# What select() raised, by the address of its call.
cdef dict FAILURES = {}


cdef class KernelChoice:
    """What a selector chooses; of use only while it runs."""

    cdef OpKernelChoice* core

    cdef int check_running(self) except -1:
        if self.core == NULL:
            raise ValueError("a kernel is chosen only while the selector runs")
        return 0

    def set_args(self, kernel_id, block_dim, args):
        """Choose a kernel with its arguments, a buffer."""
        cdef string name = text_of_any(kernel_id, "the id of a kernel")
        cdef uint64_t blocks = uint64_of(block_dim)
        cdef bytes copy = bytes(args)
        cdef const uint8_t* first = <const uint8_t*><const char*>copy
        self.check_running()
        self.core.kernel_id = name
        self.core.block_dim = <uint32_t>blocks
        self.core.args.assign(first, first + len(copy))

    def add_workspaces(self, sizes):
        """Append sizes in bytes."""
        cdef vector[size_t] more
        for size in sizes:
            more.push_back(uint64_of(size))
        self.check_running()
        self.core.workspaces.insert(self.core.workspaces.end(), more.begin(), more.end())


cdef int32_t select(const OpCall& call, OpKernelChoice& choice) noexcept with gil:
    cdef KernelChoice chosen = KernelChoice.__new__(KernelChoice)
    chosen.core = &choice
    try:
        selector = SELECTORS[(<bytes>call.op_type).decode()]
        selector(copies(<const OpTensorDesc**>call.input_descs, call.num_inputs),
                 copies(<const OpTensorDesc**>call.output_descs, call.num_outputs),
                 attrs_copy(call.attrs), chosen)
        return 0
    except BaseException as error:
        FAILURES[<uint64_t>&call] = error
        return INVALID_PARAM
    finally:
        chosen.core = NULL


cdef list copies(const OpTensorDesc** descs, int count):
    cdef TensorDesc made
    cdef const OpTensorDesc* desc
    cdef list result = []
    cdef int i
    for i in range(count):
        made = TensorDesc.__new__(TensorDesc)
        desc = descs[i]
        made.core = deref(desc)
        result.append(made)
    return result


cdef Attrs attrs_copy(const OpAttrs* attrs):
    cdef Attrs made = Attrs.__new__(Attrs)
    if attrs != NULL:
        made.core = make_shared[OpAttrs](deref(attrs))
    return made


def register_selector(op_type, selector):
    """Have ``selector(inputs, outputs, attrs, KernelChoice)`` choose kernels of a type."""
    cdef string name = text_of_any(op_type, "the type of an operator")
    if not callable(selector):
        raise TypeError(f"{type(selector).__name__} cannot be called")
    check(AddOpSelector(ProcessOpRuntime(), name.c_str(), &select))
    SELECTORS[op_type] = selector


def unregister_selector(op_type):
    """Undo it; nothing happens where there is none."""
    cdef string name = text_of_any(op_type, "the type of an operator")
    check(RemoveOpSelector(ProcessOpRuntime(), name.c_str()))
    SELECTORS.pop(op_type, None)


def update_params(op_type, inputs, outputs, attrs=None):
    """Run the selector of a type for descriptions, and keep what it chooses."""
    cdef Call call = Call.__new__(Call)
    cdef AclStatus status
    call.describe(op_type, inputs, outputs, attrs, False)
    with nogil:
        status = UpdateOpParams(ProcessOpRuntime(), call.core)
    failure = FAILURES.pop(<uint64_t>&call.core, None)
    if failure is not None:
        raise failure
    check(status)


def create_kernel(op_type, kernel_id, kernel_name, DataBuffer binary not None, engine):
    """Register a binary."""
    cdef string op_type_text = text_of_any(op_type, "the type of an operator")
    cdef string id_text = text_of_any(kernel_id, "the id of a kernel")
    cdef string name_text = text_of_any(kernel_name, "the name of a kernel")
    cdef OpKernel kernel
    kernel.op_type = op_type_text.c_str()
    kernel.kernel_id = id_text.c_str()
    kernel.kernel_name = name_text.c_str()
    kernel.data = binary.core.data
    kernel.bytes = int32_of(binary.nbytes)
    kernel.engine_type = int32_of(engine)
    check(AddOpKernel(ProcessOpRuntime(), kernel))
