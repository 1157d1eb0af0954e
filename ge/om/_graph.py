"""The graphs of a model as small immutable values."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class TensorDesc(NamedTuple):
    """What a node writes."""

    dtype: str
    shape: tuple[int | None, ...] | None  # a dim of None, or None as a whole: known at run time
    format: str  # "NCHW", "ND", ...
    offset: int  # bytes from the start of the memory of a run; -1 where it has no fixed place


class Node(NamedTuple):
    """One operator of a graph."""

    name: str
    type: str  # of GE: "Conv2D"
    inputs: tuple[str, ...]  # "producer:index"; "" is an optional input that was left out
    outputs: tuple[TensorDesc, ...]
    attrs: Mapping[str, Any]
    sources: tuple[str, ...]  # nodes of the source model that this one stands for
    graphs: tuple[str, ...]  # names of the subgraphs that it runs, such as the branches of an If


class Graph(NamedTuple):
    """Nodes in the order they are stored."""

    name: str
    nodes: tuple[Node, ...]

    def operators(self) -> dict[str, int]:
        """How many nodes of each type compute something, most frequent first."""
        counts: dict[str, int] = {}
        for node in self.nodes:
            if node.type not in _NO_OPERATORS:
                counts[node.type] = counts.get(node.type, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


_NO_OPERATORS = {"Data", "Const", "Constant", "NetOutput"}


def shape_of(dims: list[int] | None) -> tuple[int | None, ...] | None:
    """Turn dims of the core, where -1 is unknown and -2 an unknown rank, into a shape."""
    if dims is None or dims == [-2]:
        return None
    return tuple(None if dim < 0 else dim for dim in dims)


def shape_text(shape: tuple[int | None, ...] | None) -> str:
    """Write a shape as messages do: ``[1,-1]``."""
    if shape is None:
        return "[unknown rank]"
    return f"[{','.join(str(-1 if dim is None else dim) for dim in shape)}]"


def parse_graphs(text: str) -> tuple[Graph, ...]:
    """Return the graphs that the core describes as JSON, the root first."""
    import json  # takes as long to import as all of the package

    return tuple(
        Graph(graph["name"], tuple(_node(node) for node in graph["nodes"]))
        for graph in json.loads(text)
    )


def _node(node: dict[str, Any]) -> Node:
    outputs = tuple(
        TensorDesc(desc["dtype"], shape_of(desc["shape"]), desc["format"], desc["offset"])
        for desc in node["outputs"]
    )
    attrs = {name: _frozen(value) for name, value in node["attrs"].items()}
    texts = (tuple(node[field]) for field in ("inputs", "sources", "graphs"))
    inputs, sources, graphs = texts
    return Node(node["name"], node["type"], inputs, outputs, attrs, sources, graphs)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
