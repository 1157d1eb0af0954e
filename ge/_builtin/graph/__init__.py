"""Graphs, their nodes and tensors.

A pass is given a :class:`Graph`; graphs of one's own come from :class:`ge.es.GraphBuilder`.
"""

from ge.graph.tensor import Tensor
from ge.graph.tensor_desc import Shape, TensorDesc
from ge.graph.types import AttrValueType, DataType, DumpFormat, Format, Placement

from ge._graph import Graph, Node

__all__ = [
    "AttrValueType",
    "DataType",
    "DumpFormat",
    "Format",
    "Graph",
    "Node",
    "Placement",
    "Shape",
    "Tensor",
    "TensorDesc",
]
