"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Sequence

from ge._shim.errors import dsl_error
from ge._shim.ops import normal_axis
from ge._shim.tensor import Tensor, as_tensor, cast, constant, record


def _reduced(
    function: str, op_type: str, raw_tensor: object, axis: object, keepdims: bool
) -> Tensor:
    x = as_tensor(raw_tensor, f"operand of {function}")
    given = list(axis) if isinstance(axis, list | tuple) else [axis]
    axes = sorted({normal_axis(function, one, len(x.shape)) for one in given})
    if not axes:
        return x
    kept = [1 if k in axes else dim for k, dim in enumerate(x.shape) if keepdims or k not in axes]
    numbers = constant(axes, "int64")
    return record(op_type, [x, numbers], kept, x.dtype, keep_dims=("bool", bool(keepdims)))


def reduce_sum(raw_tensor: object, axis: object, keepdims: bool = False) -> Tensor:
    return _reduced("reduce_sum", "ReduceSum", raw_tensor, axis, keepdims)


def reduce_mean(raw_tensor: object, axis: object, keepdims: bool = False) -> Tensor:
    return _reduced("reduce_mean", "ReduceMean", raw_tensor, axis, keepdims)


def reduce_max(
    raw_tensor: object, axis: object, keepdims: bool = False, impl_mode: object = None
) -> Tensor:
    return _reduced("reduce_max", "ReduceMax", raw_tensor, axis, keepdims)


def reduce_min(
    raw_tensor: object, axis: object, keepdims: bool = False, impl_mode: object = None
) -> Tensor:
    return _reduced("reduce_min", "ReduceMin", raw_tensor, axis, keepdims)


def reduce_prod(raw_tensor: object, axis: object, keepdims: bool = False) -> Tensor:
    return _reduced("reduce_prod", "ReduceProd", raw_tensor, axis, keepdims)


def reduce_all(raw_tensor: object, axis: object, keepdims: bool = False) -> Tensor:
    return _logical("reduce_all", "ReduceAll", raw_tensor, axis, keepdims)


def reduce_any(raw_tensor: object, axis: object, keepdims: bool = False) -> Tensor:
    return _logical("reduce_any", "ReduceAny", raw_tensor, axis, keepdims)


def _logical(function: str, op_type: str, x: object, axis: object, keepdims: bool) -> Tensor:
    """Reduce truth values; int8, in which operators get bools, stays int8."""
    given = as_tensor(x, f"operand of {function}")
    return cast(_reduced(function, op_type, cast(given, "bool"), axis, keepdims), given.dtype)


def tuple_sum(
    input_tensors: Sequence[object], axis: object, keepdims: bool = False
) -> list[Tensor]:
    """Return the sums of several tensors of one shape."""
    return [reduce_sum(x, axis, keepdims) for x in input_tensors]


def cumsum(
    raw_tensor: object, axis: object = 0, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Return running sums along an axis."""
    x = as_tensor(raw_tensor, "operand of cumsum")
    if x.dtype == "bool":
        raise dsl_error(f"cumsum: dtype [{x.dtype}] is no number")
    along = constant([normal_axis("cumsum", axis, len(x.shape))], "int32", [])
    flags = {"exclusive": ("bool", exclusive), "reverse": ("bool", reverse)}
    return record("Cumsum", [x, along], x.shape, x.dtype, **flags)
