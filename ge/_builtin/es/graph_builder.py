"""Building graphs: inputs, constants, outputs; operators are functions of ``ge.es.all``."""

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, NoReturn

from ge.error import GeError
from ge.es.tensor_holder import TensorHolder
from ge.graph import DataType, Format, Tensor, TensorDesc

from ge._graph import Graph

__all__ = ["GraphBuilder", "TensorHolder", "attr_scope", "control_dependency_scope"]

_LITERAL = "_ge_literal"
_scopes: ContextVar[tuple[Mapping[str, Any], ...]] = ContextVar("attr_scope", default=())


class GraphBuilder:
    """Builds one graph after another.

    Args:
        name: Of the graph.
    """

    def __init__(self, name: str = "graph") -> None:
        self._name = name
        self._graph = Graph(name)
        self._inputs: dict[int, TensorHolder] = {}
        self._outputs: dict[int, TensorHolder] = {}

    def create_input(
        self,
        index: int,
        name: "str | None" = None,
        type_str: "str | None" = None,
        data_type: DataType = DataType.DT_FLOAT,
        format: Format = Format.FORMAT_ND,
        shape: "Sequence[int] | None" = None,
    ) -> TensorHolder:
        """Add an input of the graph.

        Args:
            index: Which input it is; each once.
            name: Of its node.
            type_str: Type of its node; only ``"Data"``.
            data_type: In patterns and replacements the place that they are used in decides.
            format: As data_type.
            shape: As data_type; by default nothing is known about it.
        """
        if index < 0 or index in self._inputs:
            self._fail(
                "create_input",
                f"input {index} is there already" if index >= 0 else "an index is not negative",
            )
        if type_str not in (None, "Data"):
            self._fail("create_input", f"an input is a Data node, not {type_str}")
        node_name = self._graph._add_node("Data", name or f"input_{index}", [], 1)
        node = self._graph.find_node_by_name(node_name)
        node.set_attr("index", index)
        node.update_output_desc(0, TensorDesc([-2] if shape is None else shape, format, data_type))
        self._inputs[index] = TensorHolder(self, node_name, 0)
        return self._inputs[index]

    def create_inputs(self, num: int, start_index: int = 0) -> list[TensorHolder]:
        """Add several inputs, with indexes from start_index on."""
        return [self.create_input(index) for index in range(start_index, start_index + num)]

    def create_const(
        self,
        value: Any,
        shape: "Sequence[int] | None" = None,
        data_type: DataType = DataType.DT_FLOAT,
        format: Format = Format.FORMAT_ND,
    ) -> TensorHolder:
        """Add a constant: a number for all elements, or the elements in lists."""
        if isinstance(value, Tensor):
            tensor = value
        else:
            if isinstance(value, int | float) and shape is not None:
                value = [value] * math.prod(shape)
            tensor = Tensor(value, None, data_type, format, shape)
        node_name = self._graph._add_node("Const", "Const", [], 1)
        self._graph.find_node_by_name(node_name).set_attr("value", tensor)
        return TensorHolder(self, node_name, 0)

    def create_const_int64(self, value: Any, shape: "Sequence[int] | None" = None) -> TensorHolder:
        """Add a constant of int64."""
        return self.create_const(value, shape, DataType.DT_INT64)

    def create_const_uint64(self, value: Any, shape: "Sequence[int] | None" = None) -> TensorHolder:
        """Add a constant of uint64."""
        return self.create_const(value, shape, DataType.DT_UINT64)

    def create_const_int32(self, value: Any, shape: "Sequence[int] | None" = None) -> TensorHolder:
        """Add a constant of int32."""
        return self.create_const(value, shape, DataType.DT_INT32)

    def create_const_uint32(self, value: Any, shape: "Sequence[int] | None" = None) -> TensorHolder:
        """Add a constant of uint32."""
        return self.create_const(value, shape, DataType.DT_UINT32)

    def create_const_float(self, value: Any, shape: "Sequence[int] | None" = None) -> TensorHolder:
        """Add a constant of float."""
        return self.create_const(value, shape, DataType.DT_FLOAT)

    def create_vector_int64(self, value: Sequence[int]) -> TensorHolder:
        """Add a list of int64 as a constant."""
        return self.create_const(list(value), None, DataType.DT_INT64)

    def create_scalar_int64(self, value: int) -> TensorHolder:
        """Add a number of int64 as a constant."""
        return self.create_const(value, None, DataType.DT_INT64)

    def create_scalar_int32(self, value: int) -> TensorHolder:
        """Add a number of int32 as a constant."""
        return self.create_const(value, None, DataType.DT_INT32)

    def create_scalar_uint64(self, value: int) -> TensorHolder:
        """Add a number of uint64 as a constant."""
        return self.create_const(value, None, DataType.DT_UINT64)

    def create_scalar_uint32(self, value: int) -> TensorHolder:
        """Add a number of uint32 as a constant."""
        return self.create_const(value, None, DataType.DT_UINT32)

    def create_scalar_float(self, value: float) -> TensorHolder:
        """Add a number of float as a constant."""
        return self.create_const(value, None, DataType.DT_FLOAT)

    def create_variable(self, *args: object, **kwargs: object) -> NoReturn:
        """Not supported: an offline model has no variables."""
        self._fail("create_variable", "an offline model has no variables; take a constant")

    def set_graph_output(self, tensor: TensorHolder, index: int) -> None:
        """Make a tensor an output of the graph."""
        self._check_own(tensor, "set_graph_output")
        self._outputs[index] = tensor

    def set_node_attr_int64(self, tensor: TensorHolder, name: str, value: int) -> None:
        """Set an attribute of the node that makes a tensor."""
        tensor.node.set_attr(name, int(value))

    def set_node_attr_string(self, tensor: TensorHolder, name: str, value: str) -> None:
        """Set an attribute of the node that makes a tensor."""
        tensor.node.set_attr(name, str(value))

    def set_node_attr_bool(self, tensor: TensorHolder, name: str, value: bool) -> None:
        """Set an attribute of the node that makes a tensor."""
        tensor.node.set_attr(name, bool(value))

    def set_graph_attr_int64(self, name: str, value: int) -> NoReturn:
        """Not supported: attributes belong to nodes."""
        self._fail("set_graph_attr_int64", "with this engine attributes belong to nodes")

    set_graph_attr_string = set_graph_attr_bool = set_graph_attr_int64

    def set_tensor_attr_int64(self, tensor: TensorHolder, name: str, value: int) -> NoReturn:
        """Not supported: attributes belong to nodes."""
        self._fail("set_tensor_attr_int64", "with this engine attributes belong to nodes")

    set_tensor_attr_string = set_tensor_attr_bool = set_tensor_attr_int64

    def add_control_dependency(self, tensor: TensorHolder, others: object) -> NoReturn:
        """Not supported: the order of nodes comes from their data alone."""
        self._fail("add_control_dependency", "this engine has no control edges")

    def build_and_reset(self, outputs: "Sequence[TensorHolder] | None" = None) -> Graph:
        """Return the graph; the builder starts another one.

        Args:
            outputs: The outputs of the graph, by default those of :meth:`set_graph_output`.

        Raises:
            ge.error.GeError: There is no output, or one is missing.
        """
        for index, tensor in enumerate(outputs or ()):
            self.set_graph_output(tensor, index)
        if sorted(self._outputs) != list(range(len(self._outputs))) or not self._outputs:
            self._fail(
                "build_and_reset",
                f"the graph has outputs {sorted(self._outputs)}; there must be 0, 1, ...",
            )
        results = [self._outputs[index] for index in range(len(self._outputs))]
        self._graph._add_node(
            "NetOutput", "NetOutput", [(tensor.name, tensor.index) for tensor in results], 0
        )
        graph = self._graph
        self._graph, self._inputs, self._outputs = Graph(self._name), {}, {}
        return graph

    def _add(
        self, op_type: str, inputs: Sequence[Any], attrs: Mapping[str, Any], outputs: Sequence[int]
    ) -> list[TensorHolder]:
        """Add a node. An input is a tensor, None, a number, or a list of numbers."""
        rows = []
        for value in inputs:
            if value is not None and not isinstance(value, TensorHolder):
                value = self._literal(value, op_type)
            if value is not None:
                self._check_own(value, op_type)
            rows.append(None if value is None else (value.name, value.index))
        while rows and rows[-1] is None:
            rows.pop()
        name = self._graph._add_node(op_type, op_type, rows, sum(outputs))
        node = self._graph.find_node_by_name(name)
        for scope in _scopes.get():
            attrs = {**scope, **attrs}
        for key, value in attrs.items():
            node.set_attr(key, value)
        return [TensorHolder(self, name, index) for index in range(sum(outputs))]

    def _literal(self, value: Any, op_type: str) -> TensorHolder:
        """Add a number, or a list of numbers, as a constant whose dtype follows its partner."""
        first = value
        while isinstance(first, list | tuple) and first:
            first = first[0]
        if not isinstance(first, bool | int | float):
            raise TypeError(f"{op_type} takes tensors and numbers, not {type(value).__name__}")
        if isinstance(first, bool):
            data_type = DataType.DT_BOOL
        else:
            data_type = DataType.DT_INT64 if isinstance(first, int) else DataType.DT_FLOAT
        tensor = self.create_const(value, None, data_type)
        tensor.node.set_attr(_LITERAL, True)
        return tensor

    def _check_own(self, tensor: object, api: str) -> None:
        if not isinstance(tensor, TensorHolder):
            raise TypeError(f"{api} takes a TensorHolder, not {type(tensor).__name__}")
        if tensor._builder is not self:
            self._fail(api, f"{tensor!r} belongs to another GraphBuilder")

    def _fail(self, api: str, message: str) -> NoReturn:
        raise GeError(message, api_name=f"GraphBuilder.{api}")


@contextlib.contextmanager
def attr_scope(attr_maps: "Mapping[str, Any] | Sequence[Mapping[str, Any]]") -> Iterator[None]:
    """Give all nodes that are made inside these attributes."""
    maps = (attr_maps,) if isinstance(attr_maps, Mapping) else tuple(attr_maps)
    token = _scopes.set(_scopes.get() + maps)
    try:
        yield
    finally:
        _scopes.reset(token)


def control_dependency_scope(tensors: object) -> NoReturn:
    """Not supported: the order of nodes comes from their data alone."""
    raise GeError("this engine has no control edges", api_name="control_dependency_scope")
