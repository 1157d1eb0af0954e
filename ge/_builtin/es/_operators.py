"""Operator functions, made from the prototype of an operator when they are first asked for."""

import collections
import inspect
import keyword
from collections.abc import Callable
from typing import Any

from ge.error import GeError
from ge.es.graph_builder import GraphBuilder
from ge.es.tensor_holder import TensorHolder

from ge import _graph

_functions: dict[str, Callable[..., Any]] = {}


def names() -> list[str]:
    """Return the types of all operators."""
    return [name for name in _graph.op_types() if not name.startswith("_")]


def operator(name: str) -> Any:
    """Return the function of an operator type: ``__getattr__`` of the modules."""
    if name == "__all__":
        return names()
    if name not in _functions:
        prototype = None if name.startswith("_") else _graph.op_prototype(name)
        if prototype is None:
            raise AttributeError(f"there is no operator {name!r}")
        _functions[name] = _function_of(name, prototype)
    return _functions[name]


class _Prototype:
    """How the parameters of a function become a node.

    Inputs come first, then one count per output that is a list, then attributes, all by position or
    by name.
    """

    def __init__(self, op_type: str, row: dict[str, Any]) -> None:
        self.op_type = op_type
        self.inputs = row["inputs"]
        self.outputs = row["outputs"]
        self.attrs = row["attrs"]
        self.counts = [f"{port['name']}_num" for port in self.outputs if port["kind"] == "dynamic"]
        self.attr_of = {}
        taken = {_parameter(port) for port in self.inputs} | {*self.counts, "owner_builder"}
        for attr in self.attrs:
            parameter = _parameter(attr)
            self.attr_of[parameter + "_attr" if parameter in taken else parameter] = attr
        self.refusal = ""
        if row["graphs"]:
            self.refusal = "operators of control flow cannot be built here"
        elif sum(port["kind"] == "dynamic" for port in self.inputs) > 1:
            self.refusal = "operators with several lists of inputs cannot be built here"

    def signature(self) -> inspect.Signature:
        """Return the parameters; those that may be left out have a default of None."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        rows = [(_parameter(port), port["kind"] != "optional") for port in self.inputs]
        rows += [(name, True) for name in self.counts]
        rows += [(name, attr["required"]) for name, attr in self.attr_of.items()]
        # A parameter without a default cannot follow one that has it: it is then checked later.
        needed = [required for _, required in rows]
        parameters = [
            inspect.Parameter(
                name, kind, default=inspect.Parameter.empty if all(needed[: i + 1]) else None
            )
            for i, (name, _) in enumerate(rows)
        ]
        parameters.append(
            inspect.Parameter("owner_builder", inspect.Parameter.KEYWORD_ONLY, default=None)
        )
        return inspect.Signature(parameters)

    def call(self, given: dict[str, Any]) -> Any:
        """Add the node and return its outputs."""
        if self.refusal:
            raise GeError(self.refusal, api_name=self.op_type)
        inputs: list[Any] = []
        for port in self.inputs:
            value = given[_parameter(port)]
            if port["kind"] == "dynamic":
                if not isinstance(value, list | tuple):
                    raise TypeError(f"{self.op_type}: {port['name']} is a list of tensors")
                inputs += value
            elif value is None and port["kind"] != "optional":
                raise TypeError(f"{self.op_type}: input {port['name']} is missing")
            else:
                inputs.append(value)
        attrs = {}
        for parameter, attr in self.attr_of.items():
            if given[parameter] is not None:
                attrs[attr["name"]] = given[parameter]
            elif attr["required"]:
                raise TypeError(f"{self.op_type}: attribute {attr['name']} is missing")
        counts = []
        for port in self.outputs:
            count = given[f"{port['name']}_num"] if port["kind"] == "dynamic" else 1
            if not isinstance(count, int) or count < 0:
                raise TypeError(f"{self.op_type}: {port['name']}_num is the number of outputs")
            counts.append(count)
        builder = _builder_of([*inputs, given["owner_builder"]], self.op_type)
        return self._shaped(builder._add(self.op_type, inputs, attrs, counts), counts)

    def _shaped(self, holders: list[TensorHolder], counts: list[int]) -> Any:
        values: list[Any] = []
        for port, count in zip(self.outputs, counts, strict=True):
            part, holders = holders[:count], holders[count:]
            values.append(part if port["kind"] == "dynamic" else part[0])
        if len(values) == 1:
            return values[0]
        fields = [port["name"] for port in self.outputs]
        return collections.namedtuple(f"{self.op_type}Outputs", fields, rename=True)(*values)


def _parameter(row: dict[str, Any]) -> str:
    """Return the name of a port or attribute as a parameter: ``lambda`` is ``lambda_``."""
    name: str = row["name"]
    return name + "_" if keyword.iskeyword(name) else name


def _builder_of(values: list[Any], op_type: str) -> GraphBuilder:
    for value in values:
        if isinstance(value, GraphBuilder):
            return value
        if isinstance(value, TensorHolder):
            return value._builder
    raise TypeError(f"{op_type} needs a tensor of a GraphBuilder, or owner_builder=")


def _function_of(op_type: str, row: dict[str, Any]) -> Callable[..., Any]:
    prototype = _Prototype(op_type, row)
    signature = prototype.signature()

    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{op_type}{signature}: {error}") from None
        bound.apply_defaults()
        return prototype.call(bound.arguments)

    function.__name__ = function.__qualname__ = op_type
    function.__module__ = "ge.es.all"
    function.__doc__ = _doc_of(prototype)
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def _doc_of(prototype: _Prototype) -> str:
    def line(port: dict[str, Any]) -> str:
        return port["name"] + (f" ({port['kind']})" if port["kind"] else "")

    parts = [f"Add a node of type {prototype.op_type}."]
    parts.append("Inputs: " + (", ".join(map(line, prototype.inputs)) or "none") + ".")
    parts.append("Outputs: " + (", ".join(map(line, prototype.outputs)) or "none") + ".")
    attrs = [
        f"{row['name']}: {row['type']}{'' if row['required'] else ' (has a default)'}"
        for row in prototype.attrs
    ]
    parts.append("Attributes: " + (", ".join(attrs) or "none") + ".")
    return "\n\n".join(parts)
