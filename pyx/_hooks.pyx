"""ge._hooks: the C++ core calls Python; the GIL is taken for the length of a call.

Imported by the core's loader when a compile first needs Python, and by nothing else.
"""

import sys
import threading

from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_New, PyCapsule_SetName
from libc.signal cimport SIGINT
from libc.stdio cimport fflush
from libcpp.string cimport string
from posix.signal cimport sigaction, sigaction_t

from core cimport Graph, HookKind, HookOutcome, HookTable, SetHooks

cdef extern from "pythread.h" nogil:
    unsigned long PyThread_get_thread_ident()

cdef extern from *:
    """
    static inline void* ge_enter_thread() {
      PyGILState_Ensure();
      return PyEval_SaveThread();
    }
    static inline void ge_leave_thread(void* state) {
      PyEval_RestoreThread((PyThreadState*)state);
      PyGILState_Release(PyGILState_UNLOCKED);
    }
    """
    void* enter_thread "ge_enter_thread"() noexcept nogil
    void leave_thread "ge_leave_thread"(void*) noexcept nogil

cdef HookTable table
cdef unsigned long main_thread = threading.main_thread().ident
cdef sigaction_t of_python  # what Python has SIGINT do
cdef bint knows_of_python = False
cdef tuple own_folders = (__file__.rpartition("/")[0] + "/", "pyx/")


cdef HookOutcome call(
    const string& function, const string& request, string* reply
) noexcept with gil:
    return guarded(function, NULL, request, reply)


cdef HookOutcome call_with_graph(
    const string& function, Graph* graph, const string& request, string* reply
) noexcept with gil:
    return guarded(function, graph, request, reply)


cdef HookOutcome guarded(
    const string& function, Graph* graph, const string& request, string* reply
) noexcept:
    """Call `function`; everything that it raises comes back in the outcome."""
    cdef HookOutcome outcome
    cdef sigaction_t before
    cdef bint watches = False
    cdef bytes key, text
    fflush(NULL)
    try:
        watches = let_python_watch(&before)
        key = function
        text = request
        outcome.kind = HookKind.kNoModule
        found = function_of(key.decode())
        outcome.kind = HookKind.kDone
        if graph == NULL:
            answer = found(text.decode())
        else:
            answer = with_capsule(found, graph, text.decode())
        if answer is not None:
            reply[0] = (<str>answer).encode()
        flush_python()
        if watches:
            PyErr_CheckSignals()
    except BaseException as error:
        flush_python()
        describe(error, &outcome)
    if watches:
        sigaction(SIGINT, &before, NULL)
    return outcome


cdef bint let_python_watch(sigaction_t* before) except -1:
    """Have SIGINT raise KeyboardInterrupt, as it does while Python runs.

    The core turns the first SIGINT into a flag of its own, which a long operator would not see.
    """
    global knows_of_python
    if PyThread_get_thread_ident() != main_thread:
        return False
    if not knows_of_python:
        import signal

        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler):
            return False
        sigaction(SIGINT, NULL, before)
        signal.signal(signal.SIGINT, handler)
        sigaction(SIGINT, NULL, &of_python)
        knows_of_python = True
    else:
        sigaction(SIGINT, &of_python, before)
    return True


cdef with_capsule(function, Graph* graph, str request):
    """Call with a borrowed graph, which nobody reaches afterwards."""
    capsule = PyCapsule_New(graph, b"ge.Graph", NULL)
    try:
        return function(capsule, request)
    finally:
        PyCapsule_SetName(capsule, b"ge.Graph, no longer valid")


cdef function_of(str name):
    """Import the module of "module:name" and return its function."""
    module_name, _, attribute = name.partition(":")
    module = sys.modules.get(module_name)
    # Another thread may be importing it just now, for which import_module waits.
    spec = getattr(module, "__spec__", None)
    if module is None or getattr(spec, "_initializing", False):
        import importlib

        module = importlib.import_module(module_name)
    return getattr(module, attribute)


cdef flush_python():
    """Write out what Python holds, so that output keeps its order."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # closed, None, or a replacement without flush()
            pass


cdef describe(error, HookOutcome* outcome):
    """Fill in what the core has to know of an exception."""
    try:
        if isinstance(error, KeyboardInterrupt):
            outcome.kind = HookKind.kInterrupted
        elif isinstance(error, SystemExit):
            outcome.kind = HookKind.kExit
        elif outcome.kind == HookKind.kDone:
            outcome.kind = HookKind.kRaised
        from ge import _hook_errors

        headline, text, details = _hook_errors.describe(error, own_folders)
        outcome.error = (<str>headline).encode(errors="backslashreplace")
        outcome.traceback = (<str>text).encode(errors="backslashreplace")
        outcome.details = (<str>details).encode(errors="backslashreplace")
        outcome.interpreter = (<str>sys.executable).encode(errors="surrogateescape")
    except BaseException as another:
        if outcome.error.empty():
            names = f"{type(error).__name__} (no text for it: {type(another).__name__})"
            outcome.error = names.encode()


table.enter_thread = enter_thread
table.leave_thread = leave_thread
table.call = call
table.call_with_graph = call_with_graph
SetHooks(&table)
