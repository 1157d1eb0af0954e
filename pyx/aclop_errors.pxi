# AclStatus -> what Python raises.

cdef extern from "acl/error_codes/acl_error_codes.h":
    const int INVALID_PARAM "ACL_ERROR_INVALID_PARAM"
    const int OP_NOT_FOUND "ACL_ERROR_OP_NOT_FOUND"
    const int GE_PARAM_INVALID "ACL_ERROR_GE_PARAM_INVALID"
    const int API_NOT_SUPPORT "ACL_ERROR_API_NOT_SUPPORT"
    const int RT_FEATURE_NOT_SUPPORT "ACL_ERROR_RT_FEATURE_NOT_SUPPORT"
    const int RT_MEMORY_ALLOCATION "ACL_ERROR_RT_MEMORY_ALLOCATION"
    const int UNINITIALIZE "ACL_ERROR_UNINITIALIZE"
    const int REPEAT_INITIALIZE "ACL_ERROR_REPEAT_INITIALIZE"
    const int REPEAT_FINALIZE "ACL_ERROR_REPEAT_FINALIZE"
    const int INVALID_FILE "ACL_ERROR_INVALID_FILE"
    const int PARSE_FILE "ACL_ERROR_PARSE_FILE"

# Codes that ge.aclop.acl fails with by itself.
cdef dict CODES = {
    "invalid_param": INVALID_PARAM,
    "api_not_support": API_NOT_SUPPORT,
    "rt_feature_not_support": RT_FEATURE_NOT_SUPPORT,
    "rt_memory_allocation": RT_MEMORY_ALLOCATION,
    "uninitialize": UNINITIALIZE,
    "repeat_initialize": REPEAT_INITIALIZE,
    "repeat_finalize": REPEAT_FINALIZE,
    "invalid_file": INVALID_FILE,
    "parse_file": PARSE_FILE,
}


def fail_with(name, text):
    """Raise the error of a code by its short name."""
    fail(CODES[name], text)


cdef fail(int code, str text, nearest=None):
    from ge.aclop._errors import from_status  # only on the way out

    raise from_status(code, AclCodeName(code).data().decode(), text, nearest)


cdef int check(const AclStatus& status) except -1:
    if status.code != 0:
        fail(status.code, status.text.decode(errors="replace"))
    return 0


cdef int check_call(const AclStatus& status, const OpCall& call) except -1:
    """As check(); an operator that was not found comes with the nearest one."""
    cdef NearestOp nearest
    if status.code != OP_NOT_FOUND:
        return check(status)
    with nogil:
        nearest = FindNearestOp(ProcessOpRuntime(), call)
    fail(status.code, status.text.decode(errors="replace"),
         (nearest.description.decode(errors="replace"),
          tuple([difference.decode(errors="replace") for difference in nearest.differences])))
