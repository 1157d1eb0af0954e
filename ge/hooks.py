"""What a program or a vendor's package adds to the compiler.

An operator of ONNX becomes an operator of GE::

    from ge import hooks

    @hooks.onnx_operator("ScaledAdd", domain="my.company", operator="AddDsl")
    def scaled_add(node):
        return {"alpha": node.attrs.get("scale", 1.0)}

In a program this stands before :func:`ge.compile`. For the command line it goes into a file of the
vendor's package, ``<vendor>/framework/<any name>.py``, which is found beside its operators.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["OnnxNode", "Tensor", "clear", "infer_shape", "onnx_operator"]


class Tensor(NamedTuple):
    """A tensor as far as it is known while a model is read."""

    dtype: str  # "float32"
    shape: tuple[int, ...]  # -1: not known; (-2,): not even the rank


class OnnxNode(NamedTuple):
    """A node of an ONNX model."""

    name: str
    op_type: str
    domain: str
    attrs: Mapping[str, Any]
    inputs: Sequence[Tensor | None]  # None: left out


AttrsOf = Callable[[OnnxNode], Mapping[str, Any] | None]
ShapesOf = Callable[
    [Sequence[Tensor | None], Mapping[str, Any]], Sequence[tuple[str, Sequence[int]]]
]


class _Registry:
    def __init__(self) -> None:
        self.parsers: dict[tuple[str, str], tuple[str, AttrsOf]] = {}  # (domain, type)
        self.shapes: dict[str, ShapesOf] = {}  # by operator of GE


_of_program = _Registry()
_of_compile: list[_Registry] = []  # of a vendor's modules while they are loaded


def _current() -> _Registry:
    return _of_compile[-1] if _of_compile else _of_program


def onnx_operator(
    op_type: str, *, domain: str = "", operator: str | None = None
) -> Callable[[AttrsOf], AttrsOf]:
    """Say which operator of GE a node of ONNX becomes.

    The decorated function gets an :class:`OnnxNode` and returns the attributes of the operator;
    None stands for those of the node as they are.

    Args:
        op_type: Of the node.
        domain: Of the node.
        operator: Type of the GE operator; ``op_type`` when it is left out.
    """

    def decorator(function: AttrsOf) -> AttrsOf:
        _current().parsers[domain, op_type] = (operator or op_type, function)
        return function

    return decorator


def infer_shape(operator: str) -> Callable[[ShapesOf], ShapesOf]:
    """Say what shapes the results of an operator have.

    The decorated function gets the inputs (:class:`Tensor` each) and the attributes, and returns
    ``(dtype, shape)`` per output. It is needed only where the kernel, which is recorded to find
    out, cannot tell.
    """

    def decorator(function: ShapesOf) -> ShapesOf:
        _current().shapes[operator] = function
        return function

    return decorator


def clear() -> None:
    """Forget what the program has added."""
    _of_program.parsers.clear()
    _of_program.shapes.clear()


def is_used() -> bool:
    """Whether the program has added something."""
    return bool(_of_program.parsers or _of_program.shapes)
