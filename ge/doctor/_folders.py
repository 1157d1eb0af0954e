"""Where a compile writes, and the variables that steer it."""

import os
import tempfile
from collections.abc import Iterator

from ge.doctor._finding import Finding, Section, problem

# Variables that the command line, the hooks and the caches read; the values of no others are shown.
_VARIABLES = (
    "ASCEND_CACHE_PATH",
    "ASCEND_CUSTOM_OPP_PATH",
    "ASCEND_GE_PY_PASS_PATH",
    "ASCEND_GLOBAL_LOG_LEVEL",
    "ASCEND_HOME_PATH",
    "ASCEND_MAX_OP_CACHE_SIZE",
    "ASCEND_OPP_PATH",
    "ASCEND_OP_COMPILE_SAVE_KERNEL_META",
    "ASCEND_REMAIN_CACHE_SIZE_RATIO",
    "ASCEND_SLOG_PRINT_TO_STDOUT",
    "ASCEND_SOC_VERSION",
    "ASCEND_TOOLKIT_HOME",
    "ASCEND_WORK_PATH",
    "DUMP_GE_GRAPH",
    "DUMP_GRAPH_FORMAT",
    "DUMP_GRAPH_LEVEL",
    "DUMP_GRAPH_PATH",
    "GE_COMPILE_EXECUTOR",
    "GE_ENGINE",
    "GE_NUM_THREADS",
    "GE_REPORT",
    "MAX_COMPILE_CORE_NUMBER",
    "PYTHON",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSAFEPATH",
    "TE_PARALLEL_COMPILER",
)
_WRITTEN_TO = ("ASCEND_WORK_PATH", "ASCEND_CACHE_PATH", "DUMP_GRAPH_PATH")


def folders() -> Section:
    """Return which of the folders that a compile may write to can be written to."""
    return Section("folders", _folders())


def _folders() -> Iterator[Finding]:
    try:
        yield _folder("current", os.getcwd())
    except OSError:
        yield problem("current", "is gone", "Change into a folder that exists.")
    yield _folder("temporary", tempfile.gettempdir())
    for variable in _WRITTEN_TO:
        if os.environ.get(variable):
            yield _folder(variable, os.environ[variable])


def _folder(name: str, path: str) -> Finding:
    there = path
    while there and not os.path.exists(there):  # folders are created
        there = os.path.dirname(os.path.abspath(there)) if there != os.sep else ""
    if os.path.isdir(there) and os.access(there, os.W_OK | os.X_OK):
        return Finding(name, path if there == path else f"{path} (can be created)")
    return problem(
        name, f"{path} cannot be written to", f"Make {there or path} a folder to write to."
    )


def environment() -> Section:
    """Return the variables that are set."""
    found = [Finding(name, os.environ[name]) for name in _VARIABLES if name in os.environ]
    return Section("environment", found or [Finding("variables", "none is set")])
