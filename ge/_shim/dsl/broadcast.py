"""Sizes of 1 repeated, and scalars as tensors."""

from __future__ import annotations

from collections.abc import Sequence

from ge._shim import dtypes, expr
from ge._shim.errors import dsl_error
from ge._shim.ops import expand
from ge._shim.tensor import Sizes, Tensor, cast, constant, is_scalar, record, scalar


def broadcast(var: object, shape: Sequence[object], output_dtype: str | None = None) -> Tensor:
    """Return a tensor of that shape: dims of size 1 repeated, or a scalar everywhere."""
    if isinstance(var, Tensor):
        return cast(expand(var, shape), output_dtype or var.dtype)
    if not is_scalar(var):
        raise dsl_error(f"broadcast: a tensor or a scalar is expected, not {var!r}")
    if output_dtype is None:
        default = "float16" if isinstance(var, float) else "int32"
        output_dtype = var.dtype if isinstance(var, expr.Expr) else default
    dtype = dtypes.canonical(output_dtype)
    dims = [expr.as_size(dim) for dim in shape]
    number = scalar(var, dtype)
    if number.data is None:
        return record("Expand", [number, Sizes(dims)], dims, dtype)
    if not dims:
        return number
    return record("Expand", [_one(number, len(dims)), Sizes(dims)], dims, dtype)


def _one(number: Tensor, rank: int) -> Tensor:
    """Return the constant scalar with dims of size 1."""
    single = constant([0], number.dtype, [1] * rank)
    single.data = number.data
    return single
