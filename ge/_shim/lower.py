"""Bodies of tvm.compute -> whole-tensor operators.

Every part of a body becomes a tensor with one dim per axis, of size 1 where the part does not
depend on the axis. A read of a tensor by distinct axes, with constant offsets and strides, is a
slice and a transpose; any other read gathers from the flattened tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ge._shim import dtypes, expr, kernel, tensor
from ge._shim.dsl import convert, movement
from ge._shim.errors import dsl_error, refused
from ge._shim.expr import Expr, IterVar, Size
from ge._shim.ops import expand, reshape, strided
from ge._shim.tensor import Dims, Sizes, Tensor

_CALLS: dict[str, str] = {
    "exp": "Exp",
    "log": "Log",
    "sqrt": "Sqrt",
    "rsqrt": "Rsqrt",
    "tanh": "Tanh",
    "sigmoid": "Sigmoid",
    "erf": "Erf",
    "sin": "Sin",
    "cos": "Cos",
    "floor": "Floor",
    "ceil": "Ceil",
    "round": "Round",
    "abs": "Abs",
    "not": "LogicalNot",
    "power": "Pow",
    "bitwise_and": "BitwiseAnd",
    "bitwise_or": "BitwiseOr",
    "bitwise_xor": "BitwiseXor",
    "bitwise_not": "Invert",
    "shift_left": "LeftShift",
    "shift_right": "RightShift",
}
_REDUCTIONS = {"sum": "ReduceSum", "max": "ReduceMax", "min": "ReduceMin", "prod": "ReduceProd"}


class _Affine(NamedTuple):
    """``step * axis + offset``; without an axis a constant."""

    axis: int | None
    step: int
    offset: int


class _Body:
    """Lowers parts of one body over its axes."""

    def __init__(self, axes: Sequence[tuple[Expr, object]]) -> None:
        self._names = {variable.key: k for k, (variable, _) in enumerate(axes)}
        self._extents: Dims = tuple(expr.as_size(extent) for _, extent in axes)
        self._done: dict[Any, Tensor] = {}

    @property
    def extents(self) -> Dims:
        return self._extents

    def lower(self, part: Expr) -> Tensor:
        key = (part.key, part.dtype)
        if key not in self._done:
            self._done[key] = self._lower(part)
        return self._done[key]

    def _lower(self, part: Expr) -> Tensor:
        if isinstance(part, expr.Const):
            return tensor.constant([part.value], part.dtype, [1] * len(self._extents))
        if part.key in self._names:
            return self._axis(self._names[part.key], part.dtype)
        if isinstance(part, expr.Read):
            return self._read(part)
        if isinstance(part, expr.Cast):
            return tensor.cast(self.lower(part.value), part.dtype)
        if isinstance(part, expr.Select):
            parts = [self.lower(side) for side in (part.condition, part.yes, part.no)]
            return self._apply("SelectV2", parts, part.dtype)
        if isinstance(part, expr.Binary):
            sides = [self.lower(part.a), self.lower(part.b)]
            return self._apply(kernel.operator_of(part.op), sides, part.dtype)
        if isinstance(part, expr.Call):
            return self._call(part)
        if isinstance(part, expr.Var):
            numbers = tensor.scalar(part, part.dtype)
            return reshape(numbers, [1] * len(self._extents))
        raise refused(f"the expression [{part}]", "use the reduction alone as the body")

    def _call(self, part: expr.Call) -> Tensor:
        if part.name == "trunc":
            return convert.trunc(self.lower(part.args[0]), part.dtype)
        if part.name not in _CALLS:
            raise refused(f"the function in [{part}]", f"use one of {', '.join(_CALLS)}")
        return self._apply(_CALLS[part.name], [self.lower(arg) for arg in part.args], part.dtype)

    def _apply(self, op_type: str, parts: list[Tensor], dtype: str) -> Tensor:
        shape = [
            next((dim for dim in dims if not (isinstance(dim, int) and dim == 1)), Size(1))
            for dims in zip(*(part.shape for part in parts), strict=True)
        ]
        return tensor.record(op_type, parts, shape, dtype)

    def _axis(self, axis: int, dtype: str) -> Tensor:
        """Return the numbers of an axis."""
        extent = self._extents[axis]
        shape = [extent if k == axis else 1 for k in range(len(self._extents))]
        if isinstance(extent, int):
            return reshape(tensor.constant(list(range(extent)), dtype), shape)
        limit = tensor.record("Reshape", [Sizes([extent], dtype), Sizes([])], [], dtype)
        ends = [tensor.constant([number], dtype, []) for number in (0, 1)]
        return reshape(tensor.record("Range", [ends[0], limit, ends[1]], [extent], dtype), shape)

    def _read(self, part: expr.Read) -> Tensor:
        source = part.tensor
        plan = [self._affine(index) for index in part.indices]
        known = [row for row in plan if row is not None and row.axis is not None]
        distinct = len({row.axis for row in known}) == len(known)
        if None not in plan and distinct and self._within(source, plan):  # type: ignore[arg-type]
            return self._sliced(source, plan)  # type: ignore[arg-type]
        return self._gathered(part)

    def _affine(self, index: Expr) -> _Affine | None:
        """Return an index as a step along one axis; None when it is not of this form."""
        if isinstance(index, expr.Const):
            return _Affine(None, 0, int(index.value))
        if index.key in self._names:
            return _Affine(self._names[index.key], 1, 0)
        if isinstance(index, expr.Cast) and dtypes.is_int(index.dtype):
            return self._affine(index.value)
        if not isinstance(index, expr.Binary) or index.op not in ("add", "sub", "mul"):
            return None
        a, b = self._affine(index.a), self._affine(index.b)
        if a is None or b is None or (a.axis is not None and b.axis is not None):
            return None
        if index.op == "mul":
            if a.axis is None:
                a, b = b, a
            return _Affine(a.axis, a.step * b.offset, a.offset * b.offset)
        sign = -1 if index.op == "sub" else 1
        axis = b.axis if a.axis is None else a.axis
        return _Affine(axis, a.step + sign * b.step, a.offset + sign * b.offset)

    def _within(self, source: Tensor, plan: list[_Affine]) -> bool:
        """Say whether it is certain that no index is outside of the tensor."""
        for row, dim in zip(plan, source.shape, strict=True):
            whole = row.axis is not None and row.step == 1 and row.offset == 0
            if whole and expr.same_size(self._extents[row.axis], dim):  # type: ignore[index]
                continue
            extent = 1 if row.axis is None else self._extents[row.axis]
            if not isinstance(extent, int) or not isinstance(dim, int) or row.step < 0:
                return False
            if row.axis is not None and row.step == 0:
                return False
            if not 0 <= row.offset <= row.offset + row.step * max(extent - 1, 0) < dim:
                return False
        return True

    def _sliced(self, source: Tensor, plan: list[_Affine]) -> Tensor:
        ends: list[object] = []
        for row, dim in zip(plan, source.shape, strict=True):
            extent = 1 if row.axis is None else self._extents[row.axis]
            if isinstance(extent, int) and isinstance(dim, int):
                ends.append(row.offset + row.step * max(extent - 1, 0) + min(extent, 1))
            else:
                ends.append(dim)
        steps = [max(row.step, 1) for row in plan]
        part = strided(source, [row.offset for row in plan], ends, steps)
        used = [row.axis for row in plan if row.axis is not None]
        kept = [self._extents[axis] for axis in used]
        flat = reshape(part, kept)
        moved = movement.transpose(flat, [used.index(axis) for axis in sorted(used)])
        return reshape(
            moved, [dim if k in used else Size(1) for k, dim in enumerate(self._extents)]
        )

    def _gathered(self, part: expr.Read) -> Tensor:
        """Read by computed indices. Those outside, which a select may guard, are held inside."""
        source = part.tensor
        if not source.is_static:
            raise refused(
                f"the read [{part}] of a tensor whose sizes are not known",
                "index it by its axes, or by slices of known size",
            )
        if 0 in source.shape:
            raise dsl_error(f"[{part}] reads a tensor without elements")
        linear: Expr = expr.Const(0, "int64")
        for index, dim in zip(part.indices, source.shape, strict=True):
            inside = expr.binary("max", expr.binary("min", index, int(dim) - 1), 0)  # type: ignore[arg-type]
            linear = linear * int(dim) + expr.cast(inside, "int64")  # type: ignore[arg-type]
        places = self.lower(linear)
        count = 1
        for dim in source.shape:
            count *= int(dim)  # type: ignore[arg-type]
        inputs = [reshape(source, [count]), places, tensor.constant([0], "int64", [])]
        return tensor.record("GatherV2", inputs, places.shape, source.dtype)


def lower(shape: Sequence[object], axes: Sequence[Expr], body: Expr) -> Tensor:
    """Return the tensor of that shape whose elements the body gives."""
    reduced = body.axes if isinstance(body, expr.Reduce) else []
    rows = [*zip(axes, shape, strict=True), *((axis.var, axis.extent) for axis in reduced)]
    lowering = _Body(rows)
    if not isinstance(body, expr.Reduce):
        return expand(lowering.lower(body), shape)
    product = _as_product(lowering, body, len(shape))
    if product is not None:
        return expand(product, shape)
    whole = lowering.lower(body.body)
    kept = [dim if k < len(shape) else lowering.extents[k] for k, dim in enumerate(whole.shape)]
    numbers = tensor.constant(list(range(len(shape), len(rows))), "int64")
    result = tensor.record(
        _REDUCTIONS[body.kind],
        [expand(whole, kept), numbers],
        kept[: len(shape)],
        body.dtype,
        keep_dims=("bool", False),
    )
    return expand(result, shape)


def _as_product(lowering: _Body, body: expr.Reduce, rank: int) -> Tensor | None:
    """Return a sum of products without the tensor of all products, where that is larger."""
    inner = body.body
    wide = inner.dtype
    if isinstance(inner, expr.Cast):
        return None
    if body.kind != "sum" or not isinstance(inner, expr.Binary) or inner.op != "mul":
        return None
    if not dtypes.is_float(wide) or len(lowering.extents) > 26:
        return None
    sides = [lowering.lower(inner.a), lowering.lower(inner.b)]
    if not all(side.is_static for side in sides):
        return None
    letters = "abcdefghijklmnopqrstuvwxyz"[: len(lowering.extents)]
    used = [
        [k for k, dim in enumerate(side.shape) if not (isinstance(dim, int) and dim == 1)]
        for side in sides
    ]
    reduced = set(range(rank, len(lowering.extents)))
    if not reduced <= set(used[0]) & set(used[1]):
        return None
    if set(used[0]) == set(used[1]):
        return None
    kept = [k for k in range(rank) if k in used[0] or k in used[1]]
    names = ["".join(letters[k] for k in axes) for axes in used]
    equation = f"{names[0]},{names[1]}->{''.join(letters[k] for k in kept)}"
    flat = [
        reshape(side, [side.shape[k] for k in axes]) for side, axes in zip(sides, used, strict=True)
    ]
    dims = [lowering.extents[k] for k in kept]
    result = tensor.record("Einsum", flat, dims, wide, equation=("str", equation), N=("int", 2))
    return reshape(result, [lowering.extents[k] if k in kept else 1 for k in range(rank)])


def compute(
    shape: Sequence[object], fcompute: Callable[..., object], name: str = "compute"
) -> Tensor | tuple[Tensor, ...]:
    """Return the tensor whose element at each index is what ``fcompute`` says."""
    dims = [expr.as_size(dim) for dim in shape]
    axes = [expr.Var(f"i{k}") for k in range(len(dims))]
    body = fcompute(*axes)
    if isinstance(body, tuple | list):
        return tuple(_named(lower(dims, axes, expr.as_expr(part)), name) for part in body)
    return _named(lower(dims, axes, expr.as_expr(body)), name)


def _named(x: Tensor, name: str) -> Tensor:
    if x.node is not None:
        x.name = x.op.name = name
    return x


def reduce_axis(dom: Sequence[object], name: str = "rv") -> IterVar:
    """Return an axis of a reduction; the range starts at 0."""
    low, high = dom
    if not expr.same_size(low, 0):
        raise refused(f"a reduce_axis from [{low}]", "start at 0 and add the offset to the index")
    return IterVar(expr.as_size(high), name)
