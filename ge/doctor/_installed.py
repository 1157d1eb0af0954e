"""The interpreter, the package and the engine."""

import ctypes
import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from collections.abc import Iterator

from ge import _engine
from ge.doctor._finding import Finding, Level, Section, problem

_OPTIONAL = ("numpy", "ml_dtypes")


def interpreter() -> Section:
    """Return what Python this is, and which one the native atc would start."""
    return Section("interpreter", _interpreter())


def _interpreter() -> Iterator[Finding]:
    yield Finding("executable", sys.executable)
    yield Finding(
        "version",
        f"{platform.python_implementation()} {platform.python_version()},"
        f" {platform.machine()}, {' '.join(platform.libc_ver()) or 'unknown libc'}",
    )
    if sys.prefix != sys.base_prefix:
        yield Finding("environment", f"{sys.prefix} (of {sys.base_prefix})")
    shared = bool(sysconfig.get_config_var("Py_ENABLE_SHARED"))
    yield Finding(
        "libpython",
        "shared" if shared else "static: pyatc works, the native atc cannot call Python in it",
        Level.FACT if shared else Level.NOTE,
    )
    for command in ("python3", "pyatc", "atc"):
        yield Finding(f"{command} on PATH", shutil.which(command) or "none")


def package() -> Section:
    """Return which installation of ge this is and which engine it drives."""
    return Section("package", _package())


def _package() -> Iterator[Finding]:
    yield Finding("ge", os.path.dirname(os.path.abspath(_engine.__file__)))
    engine = _engine.current
    asked = os.environ.get("GE_ENGINE") or "auto"
    yield Finding("engine", f"{engine.name} (GE_ENGINE={asked})")
    if os.path.isfile(engine.wrapper):
        yield Finding("command line", engine.wrapper)
    else:
        yield problem(
            "command line",
            f"{engine.wrapper} is missing",
            f"{engine.wrapper} is missing: install the package again.",
        )
    if engine.name == "builtin":
        yield from _builtin()
    for name in _OPTIONAL:
        yield Finding(name, _version_of(name))


def _builtin() -> Iterator[Finding]:
    from ge import _compiler

    yield Finding("version", _compiler.version())
    library = os.path.join(os.path.dirname(_engine.current.wrapper), "libge_dnnl.so")
    try:
        ctypes.CDLL(library)
    except OSError as error:
        what = "missing" if not os.path.exists(library) else str(error)
        yield Finding("oneDNN", f"{what}: plain kernels run, which are slow", Level.NOTE)
    else:
        yield Finding("oneDNN", library)


def _version_of(name: str) -> str:
    if importlib.util.find_spec(name) is None:
        return "not installed (not needed)"
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "installed"
