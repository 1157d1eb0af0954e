"""ge._compiler: settings in, one compile without the GIL, a path, warnings and a record out."""

import os
import sys

from cython.operator cimport dereference as deref
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string

from core cimport (
    BoolText, Compiled, CompileBySettings, CompileFlags, CompileJob, HookPaths, InterruptWatch,
    kInterrupted, OperatorStoresAsJson, ReportOf, SetHookLoader, Setting, SocAsJson, Status,
    Version,
)
from hook_loader cimport load_hooks
from status cimport problem_rows, problems_of

SetHookLoader(load_hooks)


def flags():
    """Return the names of all flags that :func:`compile_model` takes."""
    names = CompileFlags()
    return [(<bytes>name).decode() for name in names]


def bool_text(str flag, bint value):
    """Return the word that a flag of the command line has for a bool."""
    cdef string name = flag.encode()
    return BoolText(name, value).decode()


def version():
    """Return the version of this product."""
    return (<string>Version()).decode()


def operator_stores(bytes custom, bytes operators, str family):
    """Return what operator stores hold, as JSON (core/api/operator_stores.h), and all faults."""
    cdef HookPaths paths
    cdef string soc_family = family.encode()
    cdef string found
    paths.custom_operators = custom
    paths.operators = operators
    cdef Status status = OperatorStoresAsJson(paths, soc_family, &found)
    return found.decode(errors="surrogateescape"), problems_of(status)


def soc(str name):
    """Return the facts of a SoC as JSON; ``""`` when there is none of that name."""
    cdef string text = name.encode()
    return SocAsJson(text).decode()


cdef class Record:
    """What a compile did."""

    cdef Compiled compiled

    def report(self):
        """Return the report as JSON."""
        cdef string json
        cdef Status status
        with nogil:
            status = ReportOf(self.compiled, &json)
        if not status.ok():
            from ge.errors import from_problems

            raise from_problems(problems_of(status), "compile")
        return <bytes>json


def compile_model(settings, int descriptor, model_path, bint interruptible, bint own_passes):
    """Compile once.

    Args:
        settings: ``(name of a flag, value)`` each, the value as ``str`` or path.
        descriptor: Of a file that holds the model, or -1: the model is among the settings.
        model_path: With a descriptor: where tensors outside of the model are relative to.
        interruptible: Let the first SIGINT end the compile; only for the main thread.
        own_passes: Run the graph passes that the program has registered too.

    Returns:
        The path of the OM, (code, text, cause, solution, node) of each warning, and the record.

    Raises:
        ge.errors.CompileError: What is wrong with the settings or the model.
        KeyboardInterrupt: It was interrupted.
    """
    cdef CompileJob job
    cdef Setting setting
    cdef unique_ptr[InterruptWatch] watch
    cdef Record record = Record()
    cdef Status status
    cdef bint interrupted = False
    for name, value in settings:
        setting.name = (<str>name).encode()
        setting.value = os.fsencode(value)
        if 0 in <bytes>os.fsencode(value):
            raise ValueError(f"the value of {name} holds a NUL character: {value!r}")
        job.settings.push_back(setting)
    job.model_descriptor = descriptor
    job.model_path = os.fsencode(model_path)
    job.own_passes = own_passes
    hooks = sys.modules.get("ge.hooks")
    job.hooks_registered = hooks is not None and hooks.is_used()
    if interruptible:
        watch.reset(new InterruptWatch())
        job.cancelled = deref(watch).flag()
    with nogil:
        status = CompileBySettings(job, &record.compiled)
    if watch:
        interrupted = deref(watch).interrupted()
        watch.reset()
    if interrupted or status.id() == kInterrupted:
        raise KeyboardInterrupt
    if not status.ok():
        from ge.errors import from_problems

        raise from_problems(problems_of(status), "compile")
    return (
        os.fsdecode(record.compiled.result.om_path),
        problem_rows(record.compiled.result.warnings),
        record,
    )
