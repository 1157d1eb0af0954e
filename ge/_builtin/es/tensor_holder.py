"""A tensor of a graph that is being built."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ge.graph import DataType, Format

from ge._graph import Node

if TYPE_CHECKING:
    from ge.es.graph_builder import GraphBuilder

__all__ = ["TensorHolder"]


class TensorHolder:
    """An output of a node of a :class:`ge.es.GraphBuilder`; made by it and by operator functions.

    ``+ - * /`` with another tensor or with a number add a node. A number takes the dtype of the
    tensor that it is combined with; in a pattern it stands for that number alone.
    """

    def __init__(self, builder: "GraphBuilder", node_name: str, index: int) -> None:
        self._builder = builder
        self._node_name = node_name
        self._index = index

    @property
    def name(self) -> str:
        """Name of the node whose output it is."""
        return self._node_name

    @property
    def index(self) -> int:
        """Which output of the node it is."""
        return self._index

    @property
    def node(self) -> Node:
        """The node whose output it is."""
        return self._builder._graph.find_node_by_name(self._node_name)

    def set_data_type(self, data_type: DataType) -> "TensorHolder":
        """Say what dtype the tensor has."""
        desc = self.node.get_output_desc(self._index)
        desc.set_data_type(data_type)
        self.node.update_output_desc(self._index, desc)
        return self

    def set_format(self, format: Format) -> "TensorHolder":
        """Say what the dims are."""
        desc = self.node.get_output_desc(self._index)
        desc.set_format(format)
        self.node.update_output_desc(self._index, desc)
        return self

    def set_shape(self, shape: Sequence[int]) -> "TensorHolder":
        """Say what shape the tensor has."""
        desc = self.node.get_output_desc(self._index)
        desc.set_shape(shape)
        self.node.update_output_desc(self._index, desc)
        return self

    def add(self, other: object) -> "TensorHolder":
        """Return ``self + other``."""
        return self._combine("Add", self, other)

    def sub(self, other: object) -> "TensorHolder":
        """Return ``self - other``."""
        return self._combine("Sub", self, other)

    def mul(self, other: object) -> "TensorHolder":
        """Return ``self * other``."""
        return self._combine("Mul", self, other)

    def div(self, other: object) -> "TensorHolder":
        """Return ``self / other``."""
        return self._combine("Div", self, other)

    def __add__(self, other: object) -> "TensorHolder":
        return self._combine("Add", self, other)

    def __radd__(self, other: object) -> "TensorHolder":
        return self._combine("Add", other, self)

    def __sub__(self, other: object) -> "TensorHolder":
        return self._combine("Sub", self, other)

    def __rsub__(self, other: object) -> "TensorHolder":
        return self._combine("Sub", other, self)

    def __mul__(self, other: object) -> "TensorHolder":
        return self._combine("Mul", self, other)

    def __rmul__(self, other: object) -> "TensorHolder":
        return self._combine("Mul", other, self)

    def __truediv__(self, other: object) -> "TensorHolder":
        return self._combine("Div", self, other)

    def __rtruediv__(self, other: object) -> "TensorHolder":
        return self._combine("Div", other, self)

    def _combine(self, op_type: str, left: object, right: object) -> "TensorHolder":
        holder: TensorHolder = self._builder._add(op_type, [left, right], {}, [1])[0]
        return holder

    def __repr__(self) -> str:
        return f"<TensorHolder {self._node_name}:{self._index}>"
