"""``impl.util.util_select_op_base``: JSON answers of op_select_format and get_op_support_info."""

from __future__ import annotations

import json
from typing import Any


class SplitInput:
    """How inputs are cut: ``[index, axes, head overlap, tail overlap]`` each."""

    def __init__(self, *inputs: list[Any]) -> None:
        self.inputs = inputs

    def get_input_dict(self) -> list[dict[str, Any]]:
        keys = ("idx", "axis", "headOverLap", "tailOverLap")
        padded = [[*row, *([[-1], [-1]][len(row) - 2 :])] for row in self.inputs]
        return [dict(zip(keys, row, strict=False)) for row in padded]


class SplitOutput:
    """How outputs are cut: ``[index, axes]`` each."""

    def __init__(self, *outputs: list[Any]) -> None:
        self.outputs = outputs

    def get_output_dict(self) -> list[dict[str, Any]]:
        return [dict(zip(("idx", "axis"), row, strict=False)) for row in self.outputs]


class ReduceInput(SplitInput):
    """How inputs of a reduction are cut: ``[index, axes]`` each."""

    def get_input_dict(self) -> list[dict[str, Any]]:
        return [dict(zip(("idx", "axis"), row, strict=False)) for row in self.inputs]


class ReduceOutput(SplitOutput):
    """How parts of a reduction join: ``[index, type, atomic]`` each."""

    def get_output_dict(self) -> list[dict[str, Any]]:
        keys = ("idx", "reduceType", "isAtomic")
        return [dict(zip(keys, row, strict=False)) for row in self.outputs]


def _maps(rows: Any) -> list[dict[str, Any]]:
    return [
        {"inputList": ins.get_input_dict(), "outputList": outs.get_output_dict()}
        for ins, outs in rows or ()
    ]


def get_op_cal_info(
    split_list: Any = None,
    reduce_list: Any = None,
    l1_fusion_enable: int = 0,
    min_l1_space: int = 0,
) -> str:
    """Return what get_op_support_info answers."""
    info = {
        "splitMaps": _maps(split_list),
        "reduceMaps": _maps(reduce_list),
        "l1FusionEnable": l1_fusion_enable,
        "minTbeL1Space": min_l1_space,
    }
    return json.dumps({"_op_slice_info": info})


class _Param:
    def __init__(self, classify: str, entries: dict[str, Any]) -> None:
        self.classify, self.entries = classify, entries


def gen_param(
    classify: str,
    name: str,
    datatype: str,
    format: str,
    unknownshape_format: str | None = None,
    sub_format: str | None = None,
) -> _Param:
    """Return one input or output of an answer of op_select_format; classify is ``input0``."""
    entries = {"name": name, "dtype": datatype, "format": format}
    if unknownshape_format is not None:
        entries["unknownshape_format"] = unknownshape_format
    if sub_format is not None:
        entries["sub_format"] = sub_format
    return _Param(classify, entries)


def get_dynamic_param_in_json(params_list: list[_Param]) -> str:
    """Return what op_select_format answers."""
    return json.dumps({param.classify: param.entries for param in params_list})
