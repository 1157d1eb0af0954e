"""ge._pyatc: command line in, one call of a libpyatc_wrapper.so without the GIL, status out."""

import os
import sys

from libc.stdio cimport fflush
from libcpp.vector cimport vector
from posix.dlfcn cimport RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW, dlerror, dlopen, dlsym

from hook_loader cimport load_hooks

ctypedef int (*AtcMain)(int argc, const char* const* argv) noexcept nogil
ctypedef void (*SetLoader)(int (*loader)(char*, size_t) noexcept) noexcept


def run(library, argv, *, bint global_symbols=False):
    """Run an ATC command line through a wrapper library.

    What Python and C hold for stdout and stderr, each in buffers of its own, is written out before
    and after, so that it keeps its order.

    Args:
        library: Absolute path of a ``libpyatc_wrapper.so``. It stays loaded.
        argv: Words as ``str``, ``bytes`` or path objects; ``argv[0]`` names the program.
        global_symbols: Let libraries that are opened later see the symbols of this one.

    Returns:
        What ``main_impl`` returned: 0, or -1 after a failure.

    Raises:
        OSError: The library cannot be opened, or it is no ATC wrapper.
        ValueError: A word holds a NUL character.
    """
    cdef list words = [os.fsencode(word) for word in argv]
    cdef vector[const char*] pointers
    cdef int argc = len(words)
    cdef int status
    for word in words:
        if 0 in <bytes>word:
            raise ValueError(f"a word of the command line holds a NUL character: {word!r}")
        pointers.push_back(<const char*>word)
    pointers.push_back(NULL)
    cdef AtcMain atc_main = load(os.fsencode(library), global_symbols)
    flush()
    with nogil:
        status = atc_main(argc, pointers.data())
    flush()
    return status


cdef AtcMain load(bytes library, bint global_symbols) except NULL:
    """Return the entry point of the wrapper library at `library`."""
    cdef void* handle = dlopen(library, RTLD_NOW | (RTLD_GLOBAL if global_symbols else RTLD_LOCAL))
    if handle == NULL:
        raise OSError(f"cannot open {os.fsdecode(library)}: {os.fsdecode(dlerror())}")
    cdef void* entry = dlsym(handle, b"GeApiWrapper_Atc_Main")
    if entry == NULL:
        raise OSError(f"{os.fsdecode(library)} has no function GeApiWrapper_Atc_Main")
    # CANN's wrapper has no such function: its compiler finds Python in the process.
    cdef void* set_loader = dlsym(handle, b"GeApiWrapper_SetHookLoader")
    if set_loader != NULL:
        (<SetLoader>set_loader)(load_hooks)
    return <AtcMain>entry


cdef flush():
    """Write out what Python and C hold for stdout and stderr."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # a closed descriptor at start leaves None
            stream.flush()
    fflush(NULL)
