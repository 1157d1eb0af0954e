"""Tensors and attributes as operator functions get them."""

import json
import math
from typing import Any

_LISTS = ("listInt", "listFloat", "listBool", "listStr", "listListInt")


def describe(row: dict[str, Any], *, bool_as_int8: bool) -> dict[str, Any]:
    """Return the dictionary of a tensor.

    Args:
        row: ``{"dtype", "shape", "format", "ori_format", "range"?, "value"?, "is_const"}``.
        bool_as_int8: What operators get for a bool, unless they registered otherwise.
    """
    shape = tuple(row["shape"])
    dtype = "int8" if row["dtype"] == "bool" and bool_as_int8 else row["dtype"]
    found: dict[str, Any] = {
        "shape": shape,
        "ori_shape": shape,
        "format": row["format"],
        "ori_format": row["ori_format"],
        "sub_format": 0,
        "dtype": dtype,
        "addr_type": 0,
        "ddr_base_prop": 0,
        "total_shape": (),
        "slice_offset": (),
        "valid_shape": (),
        "L1_addr_offset": 0,
        "L1_fusion_type": -1,
        "L1_workspace_size": -1,
        "L1_addr_flag": -1,
        "L1_valid_size": -1,
        "split_index": 0,
        "atomic_type": "",
        "input_c_values": -1,
        "is_input_const": bool(row.get("is_const")),
    }
    if row.get("range") is not None or any(dim < 0 for dim in shape):
        ranges = row.get("range") or _open_ranges(shape)
        found["range"] = tuple((low, None if high in (None, -1) else high) for low, high in ranges)
        found["ori_range"] = found["range"]
    if "value" in row:
        found["const_value"] = _tuples(row["value"])
    return found


def _open_ranges(shape: tuple[int, ...]) -> list[tuple[int, int | None]]:
    if shape == (-2,):
        return [(0, None)]
    return [(dim, dim) if dim >= 0 else (0, None) for dim in shape]


def argument(attr: dict[str, Any]) -> Any:
    """Return the value of an attribute as Python has it.

    Raises:
        ValueError: Its library states a default that is no value of its kind.
    """
    kind: str = attr["type"]
    value = attr["value"] if "value" in attr else default_of(attr["default"], kind)
    if value is None:
        return None
    if kind in _LISTS:
        return _tuples(value)
    if kind == "float":
        return _float(value)
    return bool(value) if kind == "bool" else value


def default_of(text: str, kind: str) -> Any:
    """Return the value that a library states as the default of an attribute."""
    if kind == "str":
        return text
    words = text.strip().lower() if kind == "bool" else text
    try:
        return float(text) if kind == "float" else json.loads(words or "[]")
    except ValueError:
        raise ValueError(f"the default [{text}] is no {kind}") from None


def _float(value: Any) -> float:
    return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(value) or float(value)


def _tuples(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_tuples(one) for one in value)
    return value
