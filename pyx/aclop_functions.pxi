def init(soc_version):
    """Choose the SoC that operators are compiled for.

    Without it, the environment variable ``ASCEND_SOC_VERSION`` counts. The compiler starts with the
    first compile or option; the SoC cannot change afterwards.

    Args:
        soc_version: A name such as ``"Ascend310P3"``.

    Raises:
        RepeatInitializeError: The compiler has started for another SoC (100002).

    A name that does not exist is a :class:`StartError` (500001) when the compiler starts, a product
    without single operators an :class:`ApiNotSupportedError` (200001).
    """
    cdef string name = text_of_any(soc_version, "soc_version")
    cdef AclStatus status
    with nogil:
        status = SetOpSoc(ProcessOpRuntime(), name)
    check(status)


def soc_version():
    """Return the SoC that is or would be compiled for; ``None``: none is set."""
    return OpSocName(ProcessOpRuntime()).decode(errors="replace") or None


def compile(op_type, inputs, outputs, attrs=None, *, engine=0, flag=0, path=None):
    """Compile one operator, or find it among those that were compiled.

    Args:
        op_type: A type of the prototype table, such as ``"MatMulV2"``.
        inputs: One per input in the order of the prototype: a :class:`TensorDesc`, an array that
            has the type and shape, or ``None`` for an optional input that is left out. An input
            whose description has a ``constant`` becomes a part of the operator.
        outputs: As ``inputs``.
        attrs: Name to value; the prototype has defaults for those left out.
        engine: An :class:`EngineType`.
        flag: A :class:`CompileType`.
        path: Must be ``None``, but for ``CompileType.UNREGISTERED``.

    Returns:
        A :class:`CompiledOp`, to be called on arrays.

    Raises:
        InvalidParamError: A dim of -1 has no ``shape_range``, or the like (100000).
        ApiNotSupportedError: An input is placed on the host, or the flag is not known (200001).
        StartError: No SoC is set (500001).
        CompileError: There is no such type, or it does not take these tensors or attributes
            (500002).

    Source: AscendCL ``aclopCompile``, ``aclopCreateHandle``.
    """
    return CompiledOp.__new__(
        CompiledOp, compiled(op_type, inputs, outputs, attrs, engine, flag, path)
    )


def compile_only(op_type, inputs, outputs, attrs=None, *, engine=0, flag=0, path=None):
    """Do the same without a handle, which operators with open dims cannot have."""
    compiled(op_type, inputs, outputs, attrs, engine, flag, path)


cdef Call compiled(op_type, inputs, outputs, attrs, engine, flag, path):
    cdef Call call = Call.__new__(Call)
    cdef AclStatus status
    call.describe(op_type, inputs, outputs, attrs, False)
    call.set_target(engine, flag, path)
    with nogil:
        status = CompileOp(ProcessOpRuntime(), call.core)
    check_compiled(status)
    return call


cdef int check_compiled(const AclStatus& status) except -1:
    """Raise the exception of a failure; what the compiler warns of becomes warnings."""
    cdef string text
    if HasOpWarnings(ProcessOpRuntime()):
        import warnings  # only on the way out: the good path imports nothing
        for text in TakeOpWarnings(ProcessOpRuntime()):
            warnings.warn((<bytes>text).decode(errors="replace"), RuntimeWarning, stacklevel=2)
    return check(status)


def compile_and_execute(
    op_type, inputs, outputs, attrs=None, *, engine=0, flag=0, path=None, refresh=True
):
    """Compile one operator, or find it among those that were compiled, and run it.

    Args:
        op_type: A type of the prototype table, such as ``"MatMulV2"``.
        inputs: One per input in the order of the prototype: an array, ``(TensorDesc, array)``, a
            ``TensorDesc`` with a constant, or ``None`` for an optional input that is left out.
            Arrays are C-contiguous, are read in place, and have the type and the bytes that their
            description says (any one-byte elements count as bytes).
        outputs: As ``inputs``, and written to; for a ``TensorDesc`` alone an array is made.
        attrs: Name to value; the prototype has defaults for those left out.
        engine, flag, path: As for :func:`compile`.
        refresh: Write the shapes of the results into the descriptions of ``outputs``.

    Returns:
        The array of the output; a tuple of them when there are several.

    Raises:
        ExecuteParamError: An array has another type or size than its description (145000).
        Others: As for :func:`compile`.

    Source: AscendCL ``aclopCompileAndExecuteV2``.
    """
    cdef Call call = Call.__new__(Call)
    cdef AclStatus status
    cdef bint writes_shapes = refresh
    try:
        call.describe(op_type, inputs, outputs, attrs, True)
        call.set_target(engine, flag, path)
        with nogil:
            status = CompileAndExecuteOp(ProcessOpRuntime(), call.core, NULL, writes_shapes)
        check_compiled(status)
    finally:
        call.release()
    if writes_shapes:
        call.refresh()
    return results_of(call.results)


def execute(op_type, inputs, outputs, attrs=None, *, refresh=True):
    """Run an operator that was compiled or loaded before.

    Args:
        op_type, inputs, outputs, attrs: As for :func:`compile_and_execute`; all but names must be
            what they were for :func:`compile`.
        refresh: Write the shapes of results that were not known when the operator was compiled
            into the descriptions of ``outputs``.

    Returns:
        The array of the output; a tuple of them when there are several.

    Raises:
        OpNotFoundError: There is no such operator; ``nearest`` tells what differs (100024).
        ExecuteParamError: An array has another type or size than its description (145000).
        InvalidParamError: A description has dims that are not known (100000).
        CompileError: The operator failed on its values (500002).

    Source: AscendCL ``aclopExecuteV2``.
    """
    cdef Call call = Call.__new__(Call)
    cdef bint second = refresh
    cdef AclStatus status
    try:
        call.describe(op_type, inputs, outputs, attrs, True)
        with nogil:
            status = ExecuteOp(ProcessOpRuntime(), call.core, NULL, second)
        check_call(status, call.core)
    finally:
        call.release()
    if second:
        call.refresh()
    return results_of(call.results)


# More than any operator has; descriptions of so many are made before its type is looked at.
MOST_OUTPUTS = 65535


def infer_shape(op_type, inputs, outputs=1, attrs=None, *, opp_path=None):
    """Return what the outputs of an operator are.

    Args:
        op_type, attrs: As for :func:`compile`.
        inputs: As for :func:`compile_and_execute`, but a description needs no array. Values of
            arrays count where the shape of a result depends on them.
        outputs: How many, or a :class:`TensorDesc` for each, which is changed.
        opp_path: A folder that has to be there; ``None``: none.

    Returns:
        A tuple of :class:`TensorDesc`; a dim that depends on what is not known is -1 and has a
        ``shape_range``.

    Raises:
        CompileError: There is no such type, or it does not take these tensors or attributes
            (500002).
        InvalidOppPathError: ``opp_path`` names no folder (148049).
        ValueError: ``outputs`` is a number below 0 or above 65535.

    Source: AscendCL ``aclopInferShape``.
    """
    cdef Call call = Call.__new__(Call)
    cdef AclStatus status
    cdef string folder
    cdef const char* folder_pointer = NULL
    if opp_path is not None:
        folder = path_of(opp_path)
        folder_pointer = folder.c_str()
    if isinstance(outputs, int):
        if not 0 <= outputs <= MOST_OUTPUTS:
            raise ValueError(f"outputs is {outputs}; 0 to {MOST_OUTPUTS} are accepted")
        outputs = [TensorDesc(0) for _ in range(outputs)]  # present; all is overwritten
    try:
        call.describe(
            op_type,
            [(row, NO_VALUE) if isinstance(row, TensorDesc) else row
             for row in list_of(inputs, "inputs")],
            [(row, None) for row in list_of(outputs, "outputs")],
            attrs, True,
        )
        with nogil:
            status = InferOpShape(ProcessOpRuntime(), call.core, folder_pointer)
        check(status)
    finally:
        call.release()
    call.refresh()
    return tuple(call.output_descs)


def dump_graph(op_type, inputs, outputs, attrs=None, *, path, engine=0):
    """Write the graph of one operator as text, without compiling it.

    Args:
        op_type, inputs, outputs, attrs: As for :func:`compile`.
        path: A file ``*.txt``, or a folder that gets a file with a name of its own.
        engine: An :class:`EngineType`.

    Source: AscendCL ``aclGenGraphAndDumpForOp``.
    """
    cdef Call call = Call.__new__(Call)
    cdef AclStatus status
    cdef string where = path_of(path)
    try:
        call.describe(
            op_type,
            [(row, None) if row is None or isinstance(row, TensorDesc) else row
             for row in list_of(inputs, "inputs")],
            [(row, None) if row is None or isinstance(row, TensorDesc) else row
             for row in list_of(outputs, "outputs")],
            attrs, True,
        )
        call.core.engine_type = int32_of(engine)
        with nogil:
            status = DumpOpGraph(ProcessOpRuntime(), call.core, where.c_str())
        check(status)
    finally:
        call.release()


def load(model):
    """Load one single-operator model from memory, which is copied.

    Args:
        model: An object with a buffer.

    Raises:
        InvalidParamError: It has no bytes (100000).
        ParseModelError, DeserializeModelError, ModelMissingAttrError: It is no such model (100013,
            100012, 100016).

    Source: AscendCL ``aclopLoad``.
    """
    cdef Views views
    cdef AclStatus status
    cdef OpBuffer buffer
    try:
        if isinstance(model, DataBuffer):
            buffer = (<DataBuffer>model).core
        else:
            hold(views, model, PyBUF_SIMPLE)
            buffer.data = views[0].buf
            buffer.bytes = views[0].len
        with nogil:
            status = LoadOpModel(ProcessOpRuntime(), buffer.data, buffer.bytes)
        check(status)
    finally:
        release(views)


def model_dir(path):
    """Load all single-operator models (``*.om``) of a folder and of two levels of folders in it.

    Raises:
        ReadModelError: The folder is not there, or a file cannot be read (100014).
        RepeatInitializeError: A folder was loaded before (100002).

    Source: AscendCL ``aclopSetModelDir``.
    """
    cdef string folder = path_of(path)
    cdef AclStatus status
    with nogil:
        status = LoadOpModelDir(ProcessOpRuntime(), folder.c_str())
    check(status)


def set_compile_option(opt, value):
    """Set an option for operators that are compiled from now on, in the whole process.

    Args:
        opt: A :class:`CompileOpt`.
        value: Its text, which is looked at when an operator is compiled.

    Raises:
        FeatureNotSupportedError: ``CompileOpt.AUTO_TUNE_MODE`` (200006).
        InternalError: There is no such option (500000).
        StartError: No SoC is set (500001).

    Source: AscendCL ``aclSetCompileopt``.
    """
    cdef string text = text_of_any(value, "the value of an option")
    cdef int32_t number = int32_of(opt)
    cdef AclStatus status
    with nogil:
        status = SetOpOption(ProcessOpRuntime(), number, text.c_str())
    check(status)


def get_compile_option(opt, length=None):
    """Return the text of an option.

    Args:
        opt: ``CompileOpt.OP_JIT_COMPILE``, which gives the default of the SoC, or
            ``CompileOpt.OP_DEBUG_OPTION`` once it is set.
        length: The bytes of a C caller's buffer; ``None``: as many as it takes.

    Raises:
        ApiNotSupportedError: Another option (200001).
        StartError: ``length`` is too small (500001).

    Source: AscendCL ``aclGetCompileopt``.
    """
    cdef int32_t number = int32_of(opt)
    cdef uint64_t size = OpOptionSize(ProcessOpRuntime(), number)
    cdef uint64_t room = size if length is None else uint64_of(length)
    cdef string text
    cdef AclStatus status
    text.resize(size + 1)
    if room > size:
        room = size
    with nogil:
        status = GetOpOption(ProcessOpRuntime(), number, &text[0], room)
    check(status)
    return text.c_str().decode(errors="replace")


def compile_option_size(opt):
    """Return the bytes that the text of an option takes with its NUL; 0: it is not set."""
    return OpOptionSize(ProcessOpRuntime(), int32_of(opt))


def set_compile_flag(flag):
    """Choose how operators are looked up and compiled in this process.

    Args:
        flag: A :class:`CompileFlag`.

    Source: AscendCL ``aclopSetCompileFlag``.
    """
    cdef int32_t number = int32_of(flag)
    cdef AclStatus status
    with nogil:
        status = SetOpCompileFlag(ProcessOpRuntime(), number)
    check(status)


def set_max_op_queue_num(limit):
    """Limit how many compiled operators are kept; the one used longest ago goes first.

    Raises:
        InvalidParamError: The limit is 0 (100000).

    Source: AscendCL ``aclopSetMaxOpQueueNum``.
    """
    check(SetMaxOpQueueNum(ProcessOpRuntime(), uint64_of(limit)))


def cast_takes_truncate():
    """Return whether a Cast that was compiled or loaded has the attribute truncate."""
    return CastTakesTruncate(ProcessOpRuntime())
