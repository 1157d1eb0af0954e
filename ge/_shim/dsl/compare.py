"""Comparisons and choices between two values."""

from __future__ import annotations

from ge._shim.errors import dsl_error
from ge._shim.ops import joint_dtype, reshape, same_kind
from ge._shim.tensor import Tensor, as_tensor, cast, constant, elementwise, record, scalar, show

_TYPES = {
    "eq": "Equal",
    "ne": "NotEqual",
    "lt": "Less",
    "gt": "Greater",
    "ge": "GreaterEqual",
    "le": "LessEqual",
}
_BITS = 8  # of a packed byte, lowest first


def _compared(function: str, lhs: object, rhs: object, operation: str) -> Tensor:
    if operation not in _TYPES:
        raise dsl_error(f"{function}: operation [{operation}] is not one of {', '.join(_TYPES)}")
    x = as_tensor(lhs, f"lhs of {function}")
    if not isinstance(rhs, Tensor):
        return elementwise(_TYPES[operation], x, scalar(rhs, x.dtype), dtype="bool")
    return elementwise(_TYPES[operation], *same_kind(function, x, rhs), dtype="bool")


def vcmp(lhs: object, rhs: object, operation: str = "lt", mode: str = "bool") -> Tensor:
    """Return whether the comparison holds: bools, or with mode ``bit`` packed in bytes."""
    holds = _compared("vcmp", lhs, rhs, operation)
    if mode == "bool":
        return holds
    if mode != "bit":
        raise dsl_error(f"vcmp: mode [{mode}] is not one of bool, bit")
    last = holds.shape[-1] if holds.shape else 1
    if not isinstance(last, int) or last % _BITS != 0:
        raise dsl_error(
            f"vcmp: with mode bit the last dim of {show(holds.shape)} must be a multiple of 8"
        )
    rows = reshape(cast(holds, "int32"), [*holds.shape[:-1], last // _BITS, _BITS])
    weighed = elementwise("Mul", rows, constant([1 << bit for bit in range(_BITS)], "int32"))
    axes = constant([len(rows.shape) - 1], "int64")
    packed = cast(record("ReduceSum", [weighed, axes], rows.shape[:-1], "int32"), "uint8")
    packed.packed = holds
    return packed


def _unpacked(condition: Tensor) -> Tensor:
    """Return the bools of a condition."""
    if condition.packed is not None:
        return condition.packed
    if condition.dtype == "bool":
        return condition
    if condition.dtype != "uint8":
        raise dsl_error(f"vsel: the condition has dtype [{condition.dtype}], not bool or uint8")
    column = reshape(cast(condition, "int32"), [*condition.shape, 1])
    shape = [*condition.shape, _BITS]
    weights = constant([1 << bit for bit in range(_BITS)], "int32")
    shifted = record("FloorDiv", [column, weights], shape, "int32")
    bits = elementwise("FloorMod", shifted, constant([2], "int32", []))
    flat = reshape(bits, [*condition.shape[:-1], condition.shape[-1] * _BITS])
    return cast(flat, "bool")


def vsel(condition: object, lhs: object, rhs: object) -> Tensor:
    """Return lhs where the condition, bools or packed bits, holds, else rhs."""
    chosen = _unpacked(as_tensor(condition, "condition of vsel"))
    given = [x for x in (lhs, rhs) if isinstance(x, Tensor)]
    dtype = next((str(x.dtype) for x in (lhs, rhs) if hasattr(x, "dtype")), "float16")
    if given:
        dtype = joint_dtype("vsel", [x.dtype for x in given])
    return record(
        "SelectV2", [chosen, *_sides("vsel", chosen, (lhs, rhs), dtype)], chosen.shape, dtype
    )


def _sides(function: str, like: Tensor, sides: tuple[object, object], dtype: str) -> list[Tensor]:
    """Return what is chosen from: tensors of the shape of ``like``, or scalars."""
    for side in sides:
        if isinstance(side, Tensor):
            same_kind(function, cast(like, dtype), cast(side, dtype))
    return [cast(x, dtype) if isinstance(x, Tensor) else scalar(x, dtype) for x in sides]


def vcmpsel(
    lhs: object, rhs: object = None, operation: str = "lt", slhs: object = None, srhs: object = None
) -> Tensor:
    """Return slhs where the comparison of lhs and rhs holds, else srhs.

    Without them, rhs is 2.0, slhs is lhs, and srhs is rhs when that is a tensor, else 0.0.
    """
    x = as_tensor(lhs, "lhs of vcmpsel")
    y: object = 2.0 if rhs is None else rhs
    if slhs is None:
        slhs = x
    if srhs is None:
        srhs = y if isinstance(y, Tensor) else 0.0
    holds = _compared("vcmpsel", x, y, operation)
    dtype = joint_dtype(
        "vcmpsel", [s.dtype for s in (slhs, srhs) if isinstance(s, Tensor)] or [x.dtype]
    )
    sides = _sides("vcmpsel", x, (slhs, srhs), dtype)
    return record("SelectV2", [holds, *sides], x.shape, dtype)
