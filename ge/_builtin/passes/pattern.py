"""Patterns, their matches, and how they are compared."""

from dataclasses import dataclass
from typing import Any

from ge.error import GeError
from ge.es.tensor_holder import TensorHolder
from ge.graph import Graph, Node

from ge import _graph

__all__ = [
    "MatchResult",
    "NodeIo",
    "Pattern",
    "PatternMatcherConfig",
    "PatternMatcherConfigBuilder",
    "capture_tensor",
    "create_pattern",
    "create_replacement",
]


@dataclass(frozen=True)
class NodeIo:
    """An output of a node."""

    node: Node
    index: int = 0


class Pattern:
    """A graph that places of another graph are compared with.

    Its inputs stand for any tensor. Its operators stand for operators of the same type, its
    constants for any constant, unless a :class:`PatternMatcherConfig` says more.

    Args:
        graph: Is used up: it is no longer valid afterwards.
    """

    def __init__(self, graph: Graph) -> None:
        if not isinstance(graph, Graph):
            raise TypeError(f"a pattern is made of a Graph, not of {type(graph).__name__}")
        self._graph = graph._hand_over()
        self._captures: list[tuple[str, int]] = []
        self._released = False

    def capture_tensor(self, source: Any, index: "int | None" = None) -> "Pattern":
        """Note a tensor of the pattern, so that a match tells what it stands for.

        Args:
            source: A tensor or a node of the pattern, or a :class:`NodeIo`.
            index: With a node: which of its outputs; by default 0.

        Returns:
            The pattern itself.
        """
        self._check()
        if isinstance(source, TensorHolder):
            name, own = source.name, source.index
        elif isinstance(source, Node):
            name, own = source.name, 0
        elif hasattr(source, "node") and hasattr(source, "index"):
            if index is not None:
                raise TypeError("the index belongs to the NodeIo")
            name, own = source.node.name, source.index
        else:
            raise TypeError(
                f"a tensor, a node or a NodeIo is captured, not {type(source).__name__}"
            )
        node = self._graph.find_node_by_name(name)
        number = own if index is None else index
        node.get_output_desc(number)  # raises where there is no such output
        self._captures.append((name, number))
        return self

    def get_captured_tensors(self) -> list[NodeIo]:
        """Return what was captured, in that order."""
        self._check()
        return [NodeIo(self._graph.find_node_by_name(name), i) for name, i in self._captures]

    def is_valid(self) -> bool:
        """Return whether the pattern was not handed over yet."""
        return not self._released

    def release(self) -> int:
        """Hand the pattern over; once. Returns a number that stands for it."""
        self._check()
        self._released = True
        return id(self._graph)

    def _check(self) -> None:
        if self._released:
            raise GeError("the pattern was handed over", api_name="Pattern")


def create_pattern(graph: Graph) -> Pattern:
    """Return ``Pattern(graph)``."""
    return Pattern(graph)


def create_replacement(graph: Graph) -> Graph:
    """Return the graph, which must be one."""
    if not isinstance(graph, Graph):
        raise TypeError(f"a replacement is a Graph, not {type(graph).__name__}")
    return graph


def capture_tensor(source: Any, index: "int | None" = None) -> NodeIo:
    """Return a tensor or a node of a graph that is being built as a :class:`NodeIo`."""
    if isinstance(source, TensorHolder):
        return NodeIo(_NamedNode(source.name), source.index if index is None else index)  # type: ignore[arg-type]
    return NodeIo(source, index or 0)


@dataclass(frozen=True)
class _NamedNode:
    """A node of a builder, whose graph is about to be handed over."""

    name: str


@dataclass(frozen=True)
class PatternMatcherConfig:
    """How patterns are compared; made by :class:`PatternMatcherConfigBuilder`."""

    _const_values: bool = False
    _ir_attrs: bool = False

    def is_enable_const_value_match(self) -> bool:
        """Return whether constants must have the values of the pattern's."""
        return self._const_values

    def is_enable_ir_attr_match(self) -> bool:
        """Return whether attributes must be those of the pattern, defaults included."""
        return self._ir_attrs


class PatternMatcherConfigBuilder:
    """Makes a :class:`PatternMatcherConfig`."""

    def __init__(self) -> None:
        self._const_values = False
        self._ir_attrs = False

    def enable_const_value_match(self) -> "PatternMatcherConfigBuilder":
        """Have constants compared by dtype, shape and elements."""
        self._const_values = True
        return self

    def enable_ir_attr_match(self) -> "PatternMatcherConfigBuilder":
        """Have all attributes of the operators' prototypes compared."""
        self._ir_attrs = True
        return self

    def build(self) -> PatternMatcherConfig:
        """Return the configuration."""
        return PatternMatcherConfig(self._const_values, self._ir_attrs)


class MatchResult:
    """A place of a graph that looks like a pattern; valid during the call that it is given to."""

    def __init__(self, pattern: Pattern, place: _graph.Place) -> None:
        self._pattern = pattern
        self._place = place
        self._valid = True

    def get_matched_nodes(self) -> list[Node]:
        """Return the nodes, one per operator and constant of the pattern, in its order."""
        self._check()
        return self._place.nodes()

    def get_captured_tensor(self, capture_index: int) -> NodeIo:
        """Return what a captured tensor stands for.

        Args:
            capture_index: In the order of the calls of :meth:`Pattern.capture_tensor`.

        Raises:
            ge.error.GeError: (RuntimeError) Nothing was captured under that number, or the tensor
                is an input of the pattern that nothing reads.
        """
        self._check()
        captures = self._pattern._captures
        if not 0 <= capture_index < len(captures):
            raise GeError(
                f"there is no capture {capture_index}: {len(captures)} tensors were captured",
                api_name="MatchResult.get_captured_tensor",
            )
        name, number = captures[capture_index]
        parts = self._pattern._graph.get_direct_nodes()
        operators = [node.name for node in parts if node.type not in ("Data", "NetOutput")]
        if name in operators:
            return NodeIo(self._place.nodes()[operators.index(name)], number)
        node = self._pattern._graph.find_node_by_name(name)
        entering = self._place.input(node.get_attr("index"))
        if entering is None:
            raise GeError(
                f"capture {capture_index} is an input that the pattern does not read",
                api_name="MatchResult.get_captured_tensor",
            )
        return NodeIo(*entering)

    def get_pattern_graph_name(self) -> str:
        """Return the name of the pattern's graph."""
        self._check()
        return self._pattern._graph.name

    def __str__(self) -> str:
        if not self._valid:
            return "MatchResult, no longer valid"
        nodes = ", ".join(f"{node.name} ({node.type})" for node in self.get_matched_nodes())
        return f"match of {self.get_pattern_graph_name()}: {nodes}"

    def _check(self) -> None:
        if not self._valid:
            raise GeError("the match was valid for one call, which is over", api_name="MatchResult")

    def _invalidate(self) -> None:
        self._valid = False
