"""Operator information in the file of an operator, as MindSpore has it.

Only what such a file needs to be imported: the information is kept, and the function stays as it
is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ge._shim.errors import dsl_error

_FORMATS = "None Default NCHW NHWC HWCN NDHWC NC1HWC0 NCDHW FracZ FracNZ C1HWNCoC0 5HD Frac"
_DTYPES = "BOOL I8 U8 I16 U16 I32 U32 I64 U64 F16 F32 F64 None"


class TBERegOp:
    """Operator information, filled in call by call."""

    def __init__(self, op_name: str) -> None:
        self._info: dict[str, Any] = {
            "op_name": op_name,
            "imply_type": "TBE",
            "attr": [],
            "inputs": [],
            "outputs": [],
            "dtype_format": [],
        }

    def attr(self, name: str, param_type: str, value_type: str, value: str, **more: Any) -> Self:
        row = {"name": name, "paramType": param_type, "type": value_type, "value": value}
        self._info["attr"].append(row | more)
        return self

    def input(self, index: int, name: str, *args: Any, **more: Any) -> Self:
        self._info["inputs"].append({"index": index, "name": name} | more)
        return self

    def output(self, index: int, name: str, *args: Any, **more: Any) -> Self:
        self._info["outputs"].append({"index": index, "name": name} | more)
        return self

    def dtype_format(self, *args: Any) -> Self:
        ports = len(self._info["inputs"]) + len(self._info["outputs"])
        if len(args) != ports:
            raise dsl_error(
                f"dtype_format of [{self._info['op_name']}] has {len(args)} entries for {ports}"
                " inputs and outputs"
            )
        self._info["dtype_format"].append(args)
        return self

    def get_op_info(self) -> dict[str, Any]:
        return self._info

    def __getattr__(self, name: str) -> Callable[..., TBERegOp]:
        """Accept the other settings: fusion_type, kernel_name, partial_flag, ..."""
        if name.startswith("_"):
            raise AttributeError(name)

        def setting(*args: Any, **keywords: Any) -> TBERegOp:
            self._info[name] = args[0] if args else keywords
            return self

        return setting


class _DataTypes(type):
    def __getattr__(cls, name: str) -> tuple[str, str]:
        """``F16_5HD``: dtype and format."""
        dtype, _, layout = name.partition("_")
        if dtype not in _DTYPES.split() or layout not in _FORMATS.split():
            raise AttributeError(name)
        return dtype, layout


class DataType(metaclass=_DataTypes):
    """Pairs of dtype and format."""


def op_info_register(op_info: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Keep the information with the function."""

    def decorator(function: Callable[..., Any]) -> Callable[..., Any]:
        vars(function)["op_info"] = op_info
        return function

    return decorator
