"""Elements of tensors: lists of numbers to bytes and back."""

import struct
from collections.abc import Sequence
from typing import Any

from ge.error import GeError
from ge.graph.types import DataType

_CODES = {
    DataType.DT_FLOAT: "f",
    DataType.DT_FLOAT16: "e",
    DataType.DT_INT8: "b",
    DataType.DT_INT32: "i",
    DataType.DT_UINT8: "B",
    DataType.DT_INT16: "h",
    DataType.DT_UINT16: "H",
    DataType.DT_UINT32: "I",
    DataType.DT_INT64: "q",
    DataType.DT_UINT64: "Q",
    DataType.DT_DOUBLE: "d",
    DataType.DT_BOOL: "?",
}


def pack(values: "Sequence[Any]", data_type: DataType) -> bytes:
    """Return the bytes of a flat list of numbers."""
    if data_type == DataType.DT_BF16:
        return b"".join(_bf16_bits(float(value)).to_bytes(2, "little") for value in values)
    try:
        return struct.pack(f"<{len(values)}{_code(data_type)}", *values)
    except (struct.error, OverflowError) as error:
        raise GeError(
            f"a value does not fit {data_type.name}: {error}", api_name="Tensor"
        ) from None


def unpack(content: bytes, data_type: DataType) -> list[Any]:
    """Return the numbers in a tensor's bytes."""
    if data_type == DataType.DT_BF16:
        halves = struct.unpack(f"<{len(content) // 2}H", content)
        return list(
            struct.unpack(
                f"<{len(halves)}f", b"".join(b"\0\0" + h.to_bytes(2, "little") for h in halves)
            )
        )
    code = _code(data_type)
    return list(struct.unpack(f"<{len(content) // struct.calcsize('<' + code)}{code}", content))


def flatten(data: Any) -> tuple[list[Any], list[int]]:
    """Return the numbers of nested lists and their shape.

    Raises:
        ge.error.GeError: The lists are not of equal lengths.
    """
    if hasattr(data, "tolist"):  # an array of NumPy
        data = data.tolist()
    if not isinstance(data, list | tuple):
        return [data], []
    parts = [flatten(item) for item in data]
    inner = parts[0][1] if parts else []
    if any(shape != inner for _, shape in parts):
        raise GeError("the lists of a tensor have different lengths", api_name="Tensor")
    return [value for values, _ in parts for value in values], [len(data), *inner]


def nest(values: list[Any], shape: Sequence[int]) -> Any:
    """Return flat numbers as lists in lists; a number for a scalar."""
    if not shape:
        return values[0] if values else None
    if len(shape) == 1:
        return values
    step = len(values) // shape[0] if shape[0] else 0
    return [nest(values[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def _code(data_type: DataType) -> str:
    try:
        return _CODES[data_type]
    except KeyError:
        raise GeError(
            f"numbers of {data_type.name} cannot be read or written one by one", api_name="Tensor"
        ) from None


def _bf16_bits(value: float) -> int:
    """Round to the nearest bfloat16, ties to even."""
    bits = int.from_bytes(struct.pack("<f", value), "little")
    if value != value:
        return (bits >> 16) | 0x40
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
