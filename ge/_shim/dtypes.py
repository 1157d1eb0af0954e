"""Element types as TBE names them, and scalars as bytes of a constant."""

import math
import struct

from ge._shim.errors import dsl_error

# Name in TBE and in kernel files: bits, struct code ("" for bfloat16), number in ge::DataType.
_ROWS = {
    "float32": (32, "f", 0),
    "float16": (16, "e", 1),
    "int8": (8, "b", 2),
    "int32": (32, "i", 3),
    "uint8": (8, "B", 4),
    "int16": (16, "h", 6),
    "uint16": (16, "H", 7),
    "uint32": (32, "I", 8),
    "int64": (64, "q", 9),
    "uint64": (64, "Q", 10),
    "double": (64, "d", 11),
    "bool": (8, "B", 12),
    "bfloat16": (16, "", 27),
}
_OTHER_NAMES = {"float": "float32", "float64": "double", "int": "int32", "half": "float16"}
FLOATS = ("float16", "float32", "bfloat16", "double")


def canonical(dtype: object) -> str:
    """Return the one name of a dtype: ``float`` is ``float32``."""
    text = str(dtype).lower()
    name = _OTHER_NAMES.get(text, text)
    if name not in _ROWS:
        raise dsl_error(f"dtype [{dtype}] is not one of {', '.join(_ROWS)}")
    return name


def is_float(dtype: str) -> bool:
    return dtype in FLOATS


def is_int(dtype: str) -> bool:
    return dtype not in FLOATS and dtype != "bool"


def bits(dtype: str) -> int:
    return _ROWS[canonical(dtype)][0]


def number(dtype: str) -> int:
    """Return the number that attributes of GE operators have for the dtype."""
    return _ROWS[dtype][2]


def pack(values: list[int | float | bool], dtype: str) -> bytes:
    """Return the little-endian bytes of scalars, rounded to the dtype; too large is infinity."""
    code = _ROWS[dtype][1]
    if dtype == "bool":
        return bytes(bool(value) for value in values)
    if dtype == "bfloat16":
        return b"".join(_pack_bfloat16(float(value)) for value in values)
    if is_float(dtype):
        return b"".join(_pack_float(float(value), code) for value in values)
    try:
        return struct.pack(f"<{len(values)}{code}", *(int(value) for value in values))
    except (struct.error, ValueError, OverflowError) as error:
        raise dsl_error(f"a scalar of {values[:8]} does not fit {dtype}") from error


def _pack_float(value: float, code: str) -> bytes:
    try:
        return struct.pack(f"<{code}", value)
    except OverflowError:
        return struct.pack(f"<{code}", math.copysign(math.inf, value))


def _pack_bfloat16(value: float) -> bytes:
    word: int = struct.unpack("<I", _pack_float(value, "f"))[0]
    if math.isnan(value):
        return struct.pack("<H", word >> 16 | 0x40)
    return struct.pack("<H", (word + 0x7FFF + (word >> 16 & 1)) >> 16)


def lowest(dtype: str) -> int | float:
    """Return the value that no other is less than."""
    if is_float(dtype):
        return -math.inf
    if dtype == "bool" or dtype.startswith("u"):
        return 0
    return -(1 << bits(dtype) - 1)


def highest(dtype: str) -> int | float:
    """Return the value that no other is greater than."""
    if is_float(dtype):
        return math.inf
    if dtype == "bool":
        return 1
    return (1 << bits(dtype) - (0 if dtype.startswith("u") else 1)) - 1
