"""Which compiler serves this process: the built-in engine, or an installed CANN.

The environment variable ``GE_ENGINE`` says ``auto`` (the default), ``builtin`` or ``cann``; the
command line is the compiler's own. CANN is looked for under ``ASCEND_HOME_PATH``, then under
``ASCEND_TOOLKIT_HOME``: a root counts when it holds ``libpyatc_wrapper.so``. ``auto`` takes CANN
where one is found. The choice is made once, when ``ge`` is imported.
"""

import os

try:
    import ge._pyatc as _pyatc
except ImportError as error:
    raise ImportError(
        f"the compiled part of the package ge in {os.path.dirname(__file__)} cannot be loaded"
        f" ({error}). In a source tree, install it (pip install .) and start Python with -P,"
        " so that the folder ge/ does not hide the installed package.",
        name="ge",  # so that `python3 -m` prints this one line, and no traceback
    ) from error

_LIBRARY = "libpyatc_wrapper.so"
_ROOT_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_PLACES_IN_ROOT = (
    "lib64",
    os.path.join("python", "site-packages", "ge"),
    os.path.join("python", "site-packages", "ge", "_capi"),
)


class Engine:
    """The engine of this process and where its parts are."""

    def __init__(self, name: str, wrapper: str, packages: str) -> None:
        self.name = name  # "builtin" or "cann"
        self.wrapper = wrapper  # absolute path of its libpyatc_wrapper.so
        self.packages = packages  # folder whose modules join the package ge


def choose() -> Engine:
    """Choose by the environment.

    Raises:
        ImportError: ``GE_ENGINE`` has no such value, or asks for a CANN that is not there.
    """
    wanted = os.environ.get("GE_ENGINE") or "auto"
    if wanted not in ("auto", "builtin", "cann"):
        raise ImportError(
            f"GE_ENGINE={wanted} names no engine; it can be auto, builtin or cann", name="ge"
        )
    builtin = _builtin()
    if wanted == "builtin":
        return builtin
    roots = {name: os.environ[name] for name in _ROOT_VARIABLES if os.environ.get(name)}
    for root in roots.values():
        for place in _PLACES_IN_ROOT:
            wrapper = os.path.abspath(os.path.join(root, place, _LIBRARY))
            if os.path.isfile(wrapper) and not _same_file(wrapper, builtin.wrapper):
                packages = os.path.join(root, "python", "site-packages", "ge")
                return Engine("cann", wrapper, os.path.abspath(packages))
    if wanted == "auto":
        return builtin
    looked = ", ".join(f"{name}={root}" for name, root in roots.items())
    raise ImportError(
        f"GE_ENGINE=cann, but no CANN with {_LIBRARY} is under "
        + (looked or f"{' or '.join(_ROOT_VARIABLES)}: neither is set; source CANN's set_env.sh"),
        name="ge",
    )


def _builtin() -> Engine:
    """Return the engine that was installed with this package."""
    here = os.path.dirname(os.path.abspath(_pyatc.__file__))
    beside = os.path.join(here, _LIBRARY)  # as in a wheel; else in the lib64 of an installed tree
    in_tree = os.path.join(here, "..", "..", "..", "lib64", _LIBRARY)
    wrapper = beside if os.path.isfile(beside) else os.path.normpath(in_tree)
    return Engine("builtin", wrapper, os.path.join(os.path.dirname(__file__), "_builtin"))


def _same_file(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


current = choose()
