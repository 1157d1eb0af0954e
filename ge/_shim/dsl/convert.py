"""Conversions between dtypes, with the rounding that their names say."""

from __future__ import annotations

from ge._shim import dtypes
from ge._shim.errors import dsl_error
from ge._shim.tensor import Tensor, as_tensor, cast, constant, elementwise, record


def cast_to(data: object, dtype: str, f1628IntegerFlag: bool = True) -> Tensor:  # noqa: N803
    """Return data in another dtype; to an integer cuts fractions off.

    ``f1628IntegerFlag`` says that a float16 which becomes an 8-bit integer has no fraction; the
    result is the same without it.
    """
    del f1628IntegerFlag
    return _saturated(as_tensor(data, "operand of cast_to"), dtype)


def _saturated(x: Tensor, dtype: str) -> Tensor:
    """Convert; a float beyond an integer of 8 or 16 bits becomes the nearest one."""
    to = dtypes.canonical(dtype)
    if not (dtypes.is_float(x.dtype) and dtypes.is_int(to) and dtypes.bits(to) < 32):
        return cast(x, to)
    # Infinity has no int32, and limits of 16 bits are not exact in every float.
    within = _held(cast(x, "float32") if x.dtype == "float16" else x, -(2.0**20), 2.0**20)
    return cast(_held(cast(within, "int32"), dtypes.lowest(to), dtypes.highest(to)), to)


def _held(x: Tensor, low: float, high: float) -> Tensor:
    capped = elementwise("Minimum", x, constant([high], x.dtype, []))
    return elementwise("Maximum", capped, constant([low], x.dtype, []))


def _rounded(function: str, op_type: str, raw_tensor: object, dtype: str) -> Tensor:
    x = as_tensor(raw_tensor, f"operand of {function}")
    if not dtypes.is_float(x.dtype):
        return cast(x, dtype)
    return _saturated(elementwise(op_type, x), dtype)


def ceil(raw_tensor: object, dtype: str = "int32") -> Tensor:
    return _rounded("ceil", "Ceil", raw_tensor, dtype)


def floor(raw_tensor: object, dtype: str = "int32") -> Tensor:
    return _rounded("floor", "Floor", raw_tensor, dtype)


def round(raw_tensor: object, dtype: str = "int32", decimals: int = 0) -> Tensor:
    """Return the nearest integers, or values of a narrower float; of two, the even one."""
    if decimals != 0:
        raise dsl_error(f"round: decimals [{decimals}] is not 0")
    x = as_tensor(raw_tensor, "operand of round")
    to = dtypes.canonical(dtype)
    # To a narrower float it is a conversion, which rounds to nearest.
    if dtypes.is_float(to) and dtypes.bits(to) < dtypes.bits(x.dtype):
        return cast(x, to)
    return _rounded("round", "Round", x, to)


def trunc(raw_tensor: object, dtype: str = "int32") -> Tensor:
    """Return the integers that are next toward zero."""
    x = as_tensor(raw_tensor, "operand of trunc")
    if not (dtypes.is_float(x.dtype) and dtypes.is_float(dtypes.canonical(dtype))):
        return _saturated(x, dtype)
    negative = elementwise("Less", x, constant([0], x.dtype, []), dtype="bool")
    sides = [elementwise("Ceil", x), elementwise("Floor", x)]
    return cast(record("SelectV2", [negative, *sides], x.shape, x.dtype), dtype)


def round_half_up(raw_tensor: object, dtype: str = "int32") -> Tensor:
    """Return the nearest integers; of two, the greater one."""
    x = as_tensor(raw_tensor, "operand of round_half_up")
    if not dtypes.is_float(x.dtype):
        return cast(x, dtype)
    # Not floor(x + 0.5): the sum would round.
    below = elementwise("Floor", x)
    part = elementwise("Sub", x, below)
    up = elementwise("GreaterEqual", part, constant([0.5], x.dtype, []), dtype="bool")
    above = elementwise("Add", below, constant([1], x.dtype, []))
    return _saturated(record("SelectV2", [up, above, below], x.shape, x.dtype), dtype)
