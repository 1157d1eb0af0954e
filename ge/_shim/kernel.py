"""Recorded tensors -> the document of a kernel file: see docs/kernel-format.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ge._shim import dtypes, expr, tensor
from ge._shim.errors import refused
from ge._shim.expr import Expr
from ge._shim.tensor import Node, Sizes, Tensor

FORMAT = "pyatc-kernel"
VERSION = 1
_OPERATORS = {  # of expressions over sizes and axes
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "floordiv": "FloorDiv",
    "floormod": "FloorMod",
    "truncdiv": "Div",
    "truncmod": "Mod",
    "div": "RealDiv",
    "max": "Maximum",
    "min": "Minimum",
    "eq": "Equal",
    "ne": "NotEqual",
    "lt": "Less",
    "le": "LessEqual",
    "gt": "Greater",
    "ge": "GreaterEqual",
    "and": "LogicalAnd",
    "or": "LogicalOr",
}


def operator_of(op: str) -> str:
    """Return the GE type of a binary expression."""
    return _OPERATORS[op]


class _Sizes:
    """Works sizes out from the shapes of the inputs of a kernel."""

    def __init__(self, inputs: Sequence[Tensor]) -> None:
        self._inputs = inputs
        self._known: dict[Any, tuple[int, int]] = {}  # key of a dim: input, axis
        self._values: dict[Any, Tensor] = {}
        for position, placeholder in enumerate(inputs):
            for axis, dim in enumerate(placeholder.shape):
                if isinstance(dim, Expr):
                    self._known.setdefault(dim.key, (position, axis))

    def vector(self, sizes: Sizes) -> Tensor:
        """Return the numbers as a tensor of one dim."""
        if all(isinstance(value, int | expr.Const) for value in sizes.values):
            return tensor.constant(
                [getattr(value, "value", value) for value in sizes.values], sizes.dtype
            )
        parts = [tensor.cast(self.value(value), sizes.dtype) for value in sizes.values]
        if len(parts) == 1:
            return parts[0]
        count = ("int", len(parts))
        return tensor.record(
            "ConcatD", parts, [len(parts)], sizes.dtype, concat_dim=("int", 0), N=count
        )

    def value(self, size: object) -> Tensor:
        """Return one number as a tensor of shape [1]."""
        number = expr.as_expr(size)
        key = (number.key, number.dtype)
        if key not in self._values:
            self._values[key] = self._evaluate(number)
        return self._values[key]

    def _evaluate(self, number: Expr) -> Tensor:
        if number.key in self._known:
            position, axis = self._known[number.key]
            source = self._inputs[position]
            rank = len(source.shape)
            number_type = {"dtype": dtype_attr("int64")}
            shape = tensor.record_all("Shape", [source], [([rank], "int64")], **number_type)[0]
            axes = [tensor.constant([axis], "int64"), tensor.constant([0], "int64", [])]
            return tensor.cast(tensor.record("GatherV2", [shape, *axes], [1], "int64"), "int32")
        if isinstance(number, expr.Const):
            return tensor.constant([number.value], number.dtype)
        if isinstance(number, expr.Cast):
            return tensor.cast(self.value(number.value), number.dtype)
        if isinstance(number, expr.Binary):
            sides = [self.value(number.a), self.value(number.b)]
            return tensor.record(_OPERATORS[number.op], sides, [1], number.dtype)
        if isinstance(number, expr.Select):
            parts = [self.value(part) for part in (number.condition, number.yes, number.no)]
            return tensor.record("SelectV2", parts, [1], number.dtype)
        raise refused(
            f"the run-time scalar [{number}], which is no size of an input,",
            "on a device a tiling function gives its value; let it follow from the shapes of the"
            " inputs, or make it an attribute",
        )


def document(name: str, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> dict[str, Any]:
    """Return the kernel that computes ``outputs`` from ``inputs``."""
    sizes = _Sizes(inputs)
    nodes = list(_in_order(outputs, sizes))
    numbers = {id(placeholder): i for i, placeholder in enumerate(inputs)}
    constants: list[dict[str, Any]] = []
    shared: dict[tuple[str, Any, bytes], int] = {}
    for x in [x for node in nodes for x in node.inputs if isinstance(x, Tensor)] + list(outputs):
        if id(x) in numbers or x.node is not None:
            continue
        if x.data is None:
            raise refused(
                f"kernel [{name}] reads tensor [{x.name}], which is not in its tensor_list, and",
                "add it to tensor_list",
            )
        same = (x.dtype, x.shape, x.data)
        if same not in shared:
            shared[same] = len(inputs) + len(constants)
            constants.append({"dtype": x.dtype, "shape": _dims(x), "hex": x.data.hex()})
        numbers[id(x)] = shared[same]
    count = len(inputs) + len(constants)
    rows = []
    for node in nodes:
        rows.append(
            {
                "type": node.type,
                "inputs": [-1 if x is None else numbers[id(x)] for x in node.inputs],
                "outputs": [{"dtype": x.dtype, "shape": _dims(x)} for x in node.outputs],
                "attrs": {key: {kind: value} for key, (kind, value) in node.attrs.items()},
            }
        )
        for x in node.outputs:
            numbers[id(x)] = count
            count += 1
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "inputs": [{"dtype": x.dtype, "shape": _dims(x)} for x in inputs],
        "constants": constants,
        "nodes": rows,
        "outputs": [numbers[id(x)] for x in outputs],
    }


def to_bytes(kernel: dict[str, Any]) -> bytes:
    return json.dumps(kernel, sort_keys=True, separators=(",", ":")).encode()


def _dims(x: Tensor) -> list[int]:
    return [int(dim) if isinstance(dim, int) else -1 for dim in x.shape]


def _in_order(outputs: Sequence[Tensor], sizes: _Sizes) -> Iterator[Node]:
    """Give the nodes that outputs need, producers first, with sizes made tensors."""
    done: set[int] = set()
    waiting = [x.node for x in reversed(outputs) if x.node is not None]
    while waiting:
        node = waiting[-1]
        if id(node) in done:
            waiting.pop()
            continue
        node.inputs = [sizes.vector(x) if isinstance(x, Sizes) else x for x in node.inputs]
        missing = [
            x.node
            for x in node.inputs
            if isinstance(x, Tensor) and x.node is not None and id(x.node) not in done
        ]
        if missing:
            waiting.extend(reversed(missing))
            continue
        done.add(id(node))
        waiting.pop()
        yield node


def dtype_attr(dtype: str) -> tuple[str, int]:
    """Return an attribute that holds a dtype."""
    return "int", dtypes.number(dtype)
