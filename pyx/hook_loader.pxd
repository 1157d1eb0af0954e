# What the core calls when a compile first needs Python.

from libc.string cimport strncpy


cdef inline int load_hooks(char* reason, size_t size) noexcept with gil:
    """Import ge._hooks. 0, or 1 with a text in `reason`."""
    try:
        import ge._hooks  # noqa: F401
        return 0
    except BaseException as error:
        text = f"{type(error).__name__}: {error}".encode(errors="replace")
        strncpy(reason, text, size - 1)
        reason[size - 1] = 0
        return 1
