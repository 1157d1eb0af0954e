"""The user's graph passes."""

import os
from collections.abc import Iterator

from ge import _pass_files
from ge.doctor import _imports
from ge.doctor._finding import Finding, Section, problem

_VARIABLE = "ASCEND_GE_PY_PASS_PATH"


def passes() -> Section:
    """Return what ASCEND_GE_PY_PASS_PATH names."""
    return Section("graph passes", _passes())


def _passes() -> Iterator[Finding]:
    entries = [entry for entry in os.environ.get(_VARIABLE, "").split(":") if entry]
    if not entries:
        yield Finding(_VARIABLE, "not set: no passes")
    for entry in entries:
        try:
            found, faults = _pass_files.find([entry])
        except OSError as error:
            found, faults = [], [(entry, error.strerror or str(error))]
        for _, reason in faults:
            yield problem(entry, reason, f"Take {entry} out of {_VARIABLE}: {reason}.")
        if not faults:
            names = ", ".join(os.path.basename(path) for path in found)
            yield Finding(entry, names or "no modules")
        # A file is imported with its folder on sys.path.
        files = (path for module in found for path in _files_of(module))
        yield from _imports.examine(files, {os.path.dirname(path) for path in found})


def _files_of(module: str) -> list[str]:
    return _imports.python_files(module) if os.path.isdir(module) else [module]
