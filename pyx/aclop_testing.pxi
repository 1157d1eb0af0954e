# What operators are found by, for the project's own tests.

def build_count():
    """Return how many operators this process has built."""
    return OpBuildCount(ProcessOpRuntime())


def attrs_hash(attrs):
    """Return the digest of attributes."""
    return HashOfOpAttrs(deref(attrs_of(attrs).core))


def op_hash(op_type, inputs, outputs, attrs=None, sequence=None):
    """Return the hash of an operator; with `sequence`: of one whose ranges have this number."""
    cdef Call call = Call.__new__(Call)
    cdef optional[uint64_t] number
    if sequence is not None:
        number = uint64_of(sequence)
    call.describe(op_type, inputs, outputs, attrs, False)
    return HashOfOp(call.core, number)


def is_same_op(arguments, compiled):
    """Return whether arguments (type, inputs, outputs, attrs) find what others compiled."""
    cdef Call call = Call.__new__(Call)
    cdef Call other = Call.__new__(Call)
    call.describe(arguments[0], arguments[1], arguments[2], arguments[3], False)
    other.describe(compiled[0], compiled[1], compiled[2], compiled[3], False)
    return IsSameOp(call.core, other.core)


def write_model(op_type, inputs, outputs, attrs=None, *, path):
    """Write an operator as a single-operator model."""
    cdef Call call = Call.__new__(Call)
    cdef string where = path_of(path)
    cdef AclStatus status
    call.describe(op_type, inputs, outputs, attrs, False)
    with nogil:
        status = WriteOpModel(ProcessOpRuntime(), call.core, where)
    check(status)
