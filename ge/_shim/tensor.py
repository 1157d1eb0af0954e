"""Tensors of a kernel that is being recorded: each knows the operator that makes it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ge._shim import dtypes, expr
from ge._shim.errors import dsl_error
from ge._shim.expr import Expr, Size

Dims = tuple["Size | Expr", ...]


class Sizes:
    """A node input that is a list of numbers, some of them only known when the kernel runs."""

    def __init__(self, values: Sequence[object], dtype: str = "int64") -> None:
        self.values: Dims = tuple(expr.as_size(value) for value in values)
        self.dtype = dtype


class Node:
    """A GE operator that has been recorded."""

    def __init__(
        self, op_type: str, inputs: Sequence[Tensor | Sizes | None], attrs: dict[str, Any]
    ) -> None:
        self.type = op_type
        self.inputs = list(inputs)
        self.attrs = attrs  # GE name: (kind in the kernel file, value)
        self.outputs: list[Tensor] = []


class Operation:
    """What operators ask of ``tensor.op``."""

    def __init__(self, tensor: Tensor) -> None:
        self.name = tensor.name
        self.tag = tensor.node.type if tensor.node is not None else ""
        self.attrs: dict[str, Any] = {}
        self._tensor = tensor

    @property
    def input_tensors(self) -> list[Tensor]:
        node = self._tensor.node
        return [x for x in node.inputs if isinstance(x, Tensor)] if node is not None else []


class Tensor:
    """A whole tensor: an input of the kernel, a constant, or an output of a node."""

    _serials = itertools.count()

    def __init__(self, shape: Sequence[object], dtype: str, name: str = "") -> None:
        self.shape: Dims = tuple(expr.as_size(dim) for dim in shape)
        self.dtype = dtypes.canonical(dtype)
        self.serial = next(Tensor._serials)
        self.name = name or f"tensor_{self.serial}"
        self.node: Node | None = None
        self.index = 0
        self.data: bytes | None = None  # of a constant
        self.packed: Tensor | None = None  # the bool tensor whose bits these are
        self.op = Operation(self)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def is_placeholder(self) -> bool:
        return self.node is None and self.data is None

    @property
    def is_static(self) -> bool:
        return all(isinstance(dim, int) for dim in self.shape)

    def __call__(self, *indices: object) -> Expr:
        return self[indices]

    def __getitem__(self, indices: object) -> Expr:
        given = indices if isinstance(indices, tuple | list) else (indices,)
        if len(given) != len(self.shape):
            raise dsl_error(
                f"tensor [{self.name}] has {len(self.shape)} dims, but {len(given)} indices are"
                " given"
            )
        return expr.Read(self, [expr.as_expr(index) for index in given])

    def __repr__(self) -> str:
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, name={self.name})"


def record(
    op_type: str,
    inputs: Sequence[Tensor | Sizes | None],
    shape: Sequence[object],
    dtype: str,
    **attrs: tuple[str, Any],
) -> Tensor:
    """Record a GE operator of one output; attributes are given as ``name=(kind, value)``."""
    return record_all(op_type, inputs, [(shape, dtype)], **attrs)[0]


def record_all(
    op_type: str,
    inputs: Sequence[Tensor | Sizes | None],
    outputs: Sequence[tuple[Sequence[object], str]],
    **attrs: tuple[str, Any],
) -> list[Tensor]:
    node = Node(op_type, inputs, attrs)
    for index, (shape, dtype) in enumerate(outputs):
        tensor = Tensor(shape, dtype)
        tensor.node, tensor.index = node, index
        tensor.op = Operation(tensor)
        node.outputs.append(tensor)
    return node.outputs


def constant(values: Sequence[Any], dtype: str, shape: Sequence[int] | None = None) -> Tensor:
    """Return a constant tensor; one dim unless ``shape`` is given."""
    tensor = Tensor([len(values)] if shape is None else shape, dtype, "constant")
    tensor.data = dtypes.pack(list(values), tensor.dtype)
    return tensor


def scalar(value: object, dtype: str) -> Tensor:
    """Return a tensor that broadcasts: a number, or what is only known when the kernel runs."""
    if isinstance(value, Tensor):
        raise dsl_error(f"a scalar is expected, not tensor [{value.name}]")
    number = expr.as_expr(value, dtype)
    if isinstance(number, expr.Const):
        return constant([number.value], dtype, [])
    return record("Cast", [Sizes([number], number.dtype)], [1], dtype, dst_type=_dtype(dtype))


def _dtype(dtype: str) -> tuple[str, int]:
    return "int", dtypes.number(dtype)


def as_tensor(value: object, name: str) -> Tensor:
    """Return the argument when it is a tensor."""
    if not isinstance(value, Tensor):
        raise dsl_error(f"[{name}] must be a tensor, but is a {type(value).__name__}: {value!r}")
    return value


def is_scalar(value: object) -> bool:
    return isinstance(expr.plain_number(value), int | float | Expr)


def cast(x: Tensor, dtype: str) -> Tensor:
    """Record a conversion, if one is needed; to an integer cuts fractions off."""
    to = dtypes.canonical(dtype)
    return x if x.dtype == to else record("Cast", [x], x.shape, to, dst_type=_dtype(to))


def elementwise(op_type: str, *inputs: Tensor, dtype: str = "", **attrs: tuple[str, Any]) -> Tensor:
    """Record an operator whose result has the shape of the first input; others broadcast to it."""
    return record(op_type, inputs, inputs[0].shape, dtype or inputs[0].dtype, **attrs)


def show(shape: Sequence[object]) -> str:
    return "[" + ", ".join(str(dim) for dim in shape) + "]"
