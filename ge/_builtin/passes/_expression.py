"""Patterns and replacements as expressions of their inputs."""

import inspect
from collections.abc import Callable
from typing import Any

from ge.es.graph_builder import GraphBuilder
from ge.es.tensor_holder import TensorHolder
from ge.graph import Graph

_MOST_INPUTS = 10_000  # more is a mistake, which must not fill the memory


class Inputs:
    """The inputs of an expression: ``inputs[i]`` is there when it is asked for."""

    def __init__(self, builder: GraphBuilder) -> None:
        self._builder = builder
        self._all: list[TensorHolder] = []
        self.used: set[int] = set()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            if key.start not in (None, 0) or key.stop is None or key.step not in (None, 1):
                raise TypeError(
                    "inputs[:N] is the only slice: how many inputs there are is not known"
                )
            return [self._get(index) for index in range(self._number(key.stop))]
        return self._get(self._number(key))

    def __iter__(self) -> Any:
        raise TypeError(
            "inputs cannot be iterated: how many there are is not known; take inputs[:N]"
        )

    def _number(self, value: Any) -> int:
        index: int = value.__index__() if hasattr(value, "__index__") else -1
        if index < 0:
            raise TypeError(f"inputs[{value!r}]: an index is an int that is not negative")
        if index > _MOST_INPUTS:
            raise TypeError(f"inputs[{value!r}]: there are at most {_MOST_INPUTS} inputs")
        return index

    def _get(self, index: int) -> TensorHolder:
        while len(self._all) <= index:
            self._all.append(self._builder.create_input(len(self._all)))
        self.used.add(index)
        return self._all[index]

    def captured(self) -> list[TensorHolder]:
        """Return the inputs that were asked for, in order."""
        return [self._all[index] for index in sorted(self.used)]


def outputs_of(result: Any, what: str) -> list[TensorHolder]:
    """Return the tensors that an expression gave: one, or a list of some."""
    outputs = list(result) if isinstance(result, list | tuple) else [result]
    if not outputs or not all(isinstance(tensor, TensorHolder) for tensor in outputs):
        raise TypeError(
            f"{what} returned {type(result).__name__}; it returns a TensorHolder or a list of some"
        )
    return outputs


def build(name: str, what: str, call: Callable[[Inputs], Any]) -> tuple[Graph, list[TensorHolder]]:
    """Return the graph of an expression, and what a pattern captures of it."""
    builder = GraphBuilder(name)
    inputs = Inputs(builder)
    outputs = outputs_of(call(inputs), what)
    return builder.build_and_reset(outputs), [*inputs.captured(), *outputs]


def caller(function: Callable[..., Any], subject: str, *, expressions: bool) -> Callable[..., Any]:
    """Return what calls a hook as its parameters want: ``call(hook, subject, context, inputs)``.

    Args:
        function: The hook as it is written in the class.
        subject: What its parameter stands for: ``"match_result"`` or ``"node"``.
        expressions: A first parameter ``inputs`` makes an expression of it.

    Raises:
        TypeError: It takes other parameters.
    """
    name = function.__qualname__
    positional = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            if parameter.default is inspect.Parameter.empty:
                raise TypeError(f"{name}: parameter {parameter.name} is keyword-only")
        elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise TypeError(f"{name}: its parameters are named, not *{parameter.name}")
        elif parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            positional.append(parameter)
    needed = [p for p in positional if p.default is inspect.Parameter.empty]
    names = [p.name for p in positional]
    if expressions and names[:1] == ["inputs"]:
        if len(needed) == 1:
            return lambda hook, it, context, inputs: hook(inputs)
        if len(needed) == 2 and names[1] == "context":
            return lambda hook, it, context, inputs: hook(inputs, context)
        if len(needed) == 2:
            return lambda hook, it, context, inputs: hook(inputs, it)
        if len(needed) == 3 and names[2] == "context":
            return lambda hook, it, context, inputs: hook(inputs, it, context)
        raise TypeError(f"{name} takes (self, inputs[, {subject}][, context])")
    if len(needed) == 1:
        return lambda hook, it, context, inputs: hook(it)
    if len(needed) == 2:
        return lambda hook, it, context, inputs: hook(it, context)
    style = f"(self, {subject}[, context])"
    raise TypeError(f"{name} takes {style}" + (" or (self, inputs, ...)" if expressions else ""))


def is_expression(function: Callable[..., Any]) -> bool:
    """Return whether the first parameter behind ``self`` is named ``inputs``."""
    names = list(inspect.signature(function).parameters)
    return names[1:2] == ["inputs"]
