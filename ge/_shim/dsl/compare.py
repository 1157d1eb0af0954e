"""Comparisons and choices between two values."""

from __future__ import annotations

from ge._shim import dtypes
from ge._shim.errors import dsl_error
from ge._shim.ops import reshape, same_kind
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
    y = same_kind(function, x, rhs)[1] if isinstance(rhs, Tensor) else scalar(rhs, x.dtype)
    return elementwise(_TYPES[operation], x, y, dtype="bool")


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
    given = next((x for x in (lhs, rhs) if isinstance(x, Tensor)), None)
    dtype = "float16" if given is None else given.dtype
    if given is None:
        dtype = next((x.dtype for x in (lhs, rhs) if hasattr(x, "dtype")), dtype)
    sides = [x if isinstance(x, Tensor) else scalar(x, dtype) for x in (lhs, rhs)]
    for side in sides:
        if side.shape:
            same_kind("vsel", chosen, cast(side, "bool"))
        if side.dtype != dtypes.canonical(dtype):
            raise dsl_error(f"vsel: lhs and rhs have dtypes [{dtype}] and [{side.dtype}]")
    return record("SelectV2", [chosen, *sides], chosen.shape, dtype)


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
    sides = []
    for side in (slhs, srhs):
        if isinstance(side, Tensor):
            same_kind("vcmpsel", x, side)
        sides.append(side if isinstance(side, Tensor) else scalar(side, x.dtype))
    return record("SelectV2", [holds, *sides], x.shape, x.dtype)
