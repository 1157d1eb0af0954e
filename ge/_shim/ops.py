"""Whole-tensor operators that several compute functions are made of."""

from __future__ import annotations

from collections.abc import Sequence

from ge._shim import dtypes, expr
from ge._shim.errors import dsl_error
from ge._shim.tensor import Sizes, Tensor, as_tensor, cast, constant, record, scalar, show


def same_kind(function: str, *operands: object) -> list[Tensor]:
    """Return the operands: tensors of one shape, converted to one dtype."""
    tensors = [as_tensor(x, f"operand {i} of {function}") for i, x in enumerate(operands)]
    first = tensors[0]
    for other in tensors[1:]:
        alike = len(first.shape) == len(other.shape) and all(
            map(expr.same_size, first.shape, other.shape)
        )
        if not alike:
            raise dsl_error(
                f"{function}: operands have shapes {show(first.shape)} and {show(other.shape)};"
                " they must be equal: use broadcast"
            )
    dtype = joint_dtype(function, [x.dtype for x in tensors])
    return [cast(x, dtype) for x in tensors]


def joint_dtype(function: str, names: Sequence[str]) -> str:
    """Return the dtype that operands are converted to: a float first, then the wider one."""
    if len(set(names)) == 1:
        return names[0]
    if "bool" in names:
        raise dsl_error(f"{function}: operands have dtypes {', '.join(names)}; use cast_to")
    ranks = {name: (dtypes.is_float(name), dtypes.bits(name)) for name in names}
    best = max(ranks.values())
    chosen = [name for name, rank in ranks.items() if rank == best]
    # float16 with bfloat16, int32 with uint32: neither holds the other.
    return chosen[0] if len(chosen) == 1 else ("float32" if best[0] else "int64")


def reshape(x: Tensor, shape: Sequence[object]) -> Tensor:
    """Record a view of the same elements."""
    dims = [expr.as_size(dim) for dim in shape]
    if len(dims) == len(x.shape) and all(map(expr.same_size, dims, x.shape)):
        return x
    return record("Reshape", [x, Sizes(dims)], dims, x.dtype)


def expand(x: Tensor, shape: Sequence[object]) -> Tensor:
    """Record a broadcast to a shape of at least the same rank."""
    dims = [expr.as_size(dim) for dim in shape]
    if len(dims) == len(x.shape) and all(map(expr.same_size, dims, x.shape)):
        return x
    aligned = dims[len(dims) - len(x.shape) :] if len(dims) >= len(x.shape) else None
    if aligned is None or not all(map(_fits, x.shape, aligned)):
        raise dsl_error(f"broadcast: {show(x.shape)} does not broadcast to {show(dims)}")
    return record("Expand", [x, Sizes(dims)], dims, x.dtype)


def _fits(dim: object, wanted: object) -> bool:
    both_known = isinstance(dim, int) and isinstance(wanted, int)
    return not both_known or dim in (1, wanted)


def normal_axis(function: str, axis: object, rank: int) -> int:
    """Return an axis counted from the front."""
    number = int(axis)  # type: ignore[call-overload]
    if not -rank <= number < rank:
        raise dsl_error(f"{function}: axis [{number}] is not in [{-rank}, {rank - 1}]")
    return int(number + rank if number < 0 else number)


def strided(
    x: Tensor, begin: Sequence[object], end: Sequence[object], strides: Sequence[int]
) -> Tensor:
    """Record a slice; begin and end lie within the tensor, strides are positive."""
    whole = all(
        expr.same_size(0, low) and expr.same_size(dim, high) and step == 1
        for dim, low, high, step in zip(x.shape, begin, end, strides, strict=True)
    )
    if whole:
        return x
    shape = [
        (expr.as_expr(high) - expr.as_expr(low) + (step - 1)) // step
        for low, high, step in zip(begin, end, strides, strict=True)
    ]
    axes = constant(list(range(len(x.shape))), "int64")
    steps = constant(list(strides), "int64")
    inputs: list[Tensor | Sizes | None] = [x, Sizes(begin), Sizes(end), axes, steps]
    return record("StridedSliceV2", inputs, shape, x.dtype)


def pad(x: Tensor, widths: Sequence[tuple[int, int]], value: object) -> Tensor:
    """Record elements of one value around a tensor."""
    if not any(low or high for low, high in widths):
        return x
    shape = [
        expr.as_expr(dim) + (low + high) for dim, (low, high) in zip(x.shape, widths, strict=True)
    ]
    flat = [width for pair in widths for width in pair]
    inputs = [x, constant(flat, "int64"), scalar(value, x.dtype)]
    return record("PadV3", inputs, shape, x.dtype)
