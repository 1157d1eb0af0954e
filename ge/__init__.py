"""An offline model compiler for Ascend: ``python3 -m ge.pyatc`` is ``atc`` in this process.

Importing ``ge`` chooses the engine (see ``ge._engine``) and adds that engine's folder to the
package, so that the names which CANN's own ``ge`` has too come from one engine only.
:func:`compile` is a compile with the built-in engine, for programs; :mod:`ge.om` runs models.
"""

from ge import _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ge._compile import CompileResult as CompileResult
    from ge._compile import compile as compile

__path__.append(_engine.current.packages)


def __getattr__(name: str) -> object:
    # Not imported before it is asked for: the command line needs none of it.
    if name not in ("CompileResult", "compile"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ge import _compile

    value: object = getattr(_compile, name)
    globals()[name] = value
    return value
