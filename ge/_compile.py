"""``ge.compile``: a model in, an offline model out, in this process."""

import contextlib
import difflib
import functools
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from ge import _compiler, om
from ge._signals import may_watch_sigint
from ge.errors import Problem

if TYPE_CHECKING:
    from concurrent.futures import Executor

_ONNX = "5"  # --framework
_IN_MEMORY = "model.onnx"  # what a model without a file is called

Dim = int | tuple[int, int | None] | None
Shape = Sequence[Dim]


class Serializable(Protocol):
    """What an ``onnx.ModelProto`` is."""

    def SerializeToString(self) -> bytes: ...  # noqa: N802


class CompileResult:
    """What a compile made.

    Attributes:
        om_path: The offline model. Without ``output`` it is gone when the result is closed.
        warnings: What the compile has to say, in the order of its findings.
    """

    def __init__(
        self,
        om_path: Path,
        warnings: Iterable[Problem],
        folder: "tempfile.TemporaryDirectory[str] | None",
        record: _compiler.Record,
    ) -> None:
        self.om_path = om_path
        self.warnings = tuple(warnings)
        self._folder = folder
        self._record = record

    @functools.cached_property
    def model(self) -> om.Model:
        """The offline model, opened; see :func:`ge.om.load`."""
        return om.load(self.om_path)

    @functools.cached_property
    def report(self) -> dict[str, Any]:
        """What the compile did: the document that ``GE_REPORT`` has ``pyatc`` write.

        Source: docs/report.md.
        """
        report: dict[str, Any] = json.loads(self._record.report())
        return report

    def close(self) -> None:
        """Close the model, and remove the file if it was only for this result."""
        if "model" in self.__dict__:
            self.model.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> "CompileResult":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"CompileResult({str(self.om_path)!r}, {len(self.warnings)} warnings)"


def compile(
    model: "str | os.PathLike[str] | bytes | bytearray | memoryview | Serializable",
    output: "str | os.PathLike[str] | None" = None,
    *,
    soc_version: str,
    input_shape: "str | Mapping[str, Shape] | None" = None,
    out_nodes: "str | Iterable[str] | None" = None,
    executor: "Executor | None" = None,
    **flags: Any,
) -> CompileResult:
    """Compile an ONNX model with the built-in engine.

    Graph passes of ``ASCEND_GE_PY_PASS_PATH``, and those that the program has registered with
    ``ge.passes``, take part. May be called from several threads at once. Nothing is written to
    stdout, and nothing but the offline model to the disk. In the main thread Ctrl-C ends the
    compile.

    Args:
        model: Path of an ONNX file, or the model itself: its bytes or an ``onnx.ModelProto``.
            Tensors that such a model keeps in other files are looked for in the current folder.
        output: Path of the offline model, with or without ``.om``; folders are created. Without
            it the file lives as long as the result.
        soc_version: Such as ``"Ascend310P3"``; see ``pyatc --help``.
        input_shape: Shapes by the names of inputs, ``{"x": (1, 3, None, 224)}``. None is a dim
            that is known when the model runs, ``(low, high)`` its range; or the text of ATC.
        out_nodes: Wanted outputs, each as ATC has them, or the text of ATC.
        executor: A ``concurrent.futures.Executor`` that compiles operators in Python, each a
            task of its own; its workers must be able to import ``ge`` and the operators.
        flags: All other flags of ATC by name (``precision_mode_v2="origin"``), with the values
            that the command line takes. A bool is what the flag has for it, None leaves it out.

    Returns:
        The result. It may be used in a ``with`` statement.

    Raises:
        ge.errors.FlagError: A value is not right; all that are not are named.
        ge.errors.ModelError: The model is damaged or contradicts itself.
        ge.errors.UnsupportedError: An operator, a dtype or a flag is not supported.
        FileNotFoundError: There is no such file.
        TypeError: There is no such flag.
    """
    given = {"soc_version": soc_version, "framework": _ONNX, **_checked(flags)}
    if input_shape is not None:
        given["input_shape"] = _shapes_text(input_shape)
    if out_nodes is not None:
        given["out_nodes"] = out_nodes if isinstance(out_nodes, str) else ";".join(out_nodes)
    folder = None
    if output is None:
        folder = tempfile.TemporaryDirectory(prefix="ge-")
        given["output"] = os.path.join(folder.name, _name_of(model))
    else:
        given["output"] = os.fspath(output).removesuffix(".om")
    try:
        with _executor(executor):
            path, rows, record = _run(model, given)
    except BaseException:
        if folder is not None:
            folder.cleanup()
        raise
    return CompileResult(Path(path), (Problem(*row) for row in rows), folder, record)


def _executor(executor: "Executor | None") -> contextlib.AbstractContextManager[None]:
    if executor is None:
        return contextlib.nullcontext()
    from ge._operators import _workers

    return _workers.use(executor)


def _run(
    model: Any, given: dict[str, str]
) -> tuple[str, list[tuple[str, str, str, str, str]], _compiler.Record]:
    interruptible = may_watch_sigint()
    own_passes = _has_own_passes()
    if isinstance(model, str | os.PathLike):
        os.stat(model)  # a file that is not there is Python's own error
        given["model"] = os.fspath(model)
        return _compiler.compile_model(given.items(), -1, "", interruptible, own_passes)
    serialize = getattr(model, "SerializeToString", None)
    data = model if serialize is None else serialize()
    descriptor = os.memfd_create("model")
    try:
        with memoryview(data) as view, os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(view)
        given["model"] = f"/proc/self/fd/{descriptor}"
        return _compiler.compile_model(
            given.items(), descriptor, _IN_MEMORY, interruptible, own_passes
        )
    finally:
        os.close(descriptor)


def _has_own_passes() -> bool:
    """Return whether the program has registered graph passes."""
    registry = sys.modules.get("ge.passes.registry")
    # Another thread may be importing it just now: the program has no passes then.
    registered: Any = getattr(registry, "get_registered_passes", list)
    return bool(registered())


def _name_of(model: Any) -> str:
    path = model if isinstance(model, str | os.PathLike) else _IN_MEMORY
    return os.path.splitext(os.path.basename(os.fspath(path)))[0] or "model"


def _checked(flags: Mapping[str, Any]) -> dict[str, str]:
    """Flags as the words of a command line."""
    words = {}
    known = _compiler.flags()
    for name, value in flags.items():
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise TypeError(f"compile() has no flag {name!r}{hint}")
        if isinstance(value, bool):
            words[name] = _compiler.bool_text(name, value)
        elif value is not None:
            words[name] = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    return words


def _shapes_text(shapes: str | Mapping[str, Shape]) -> str:
    if isinstance(shapes, str):
        return shapes
    return ";".join(f"{name}:{','.join(map(_dim_text, dims))}" for name, dims in shapes.items())


def _dim_text(dim: Dim) -> str:
    if dim is None:
        return "-1"
    if isinstance(dim, tuple):
        low, high = dim
        return f"{low}~{-1 if high is None else high}"
    return str(dim)
