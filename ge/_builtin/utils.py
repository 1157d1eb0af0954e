"""Helpers for graphs outside of a pass."""

from collections.abc import Sequence

from ge._graph import Graph, Node, infer_graph, is_built

__all__ = ["GeUtils"]


class GeUtils:
    """What can be asked about a graph without compiling it."""

    @staticmethod
    def infer_shape(graph: Graph, input_shapes: Sequence[Sequence[int]]) -> int:
        """Set the shapes of the inputs and infer those of all other tensors.

        Args:
            graph: A graph of one's own, whose inputs have a dtype.
            input_shapes: One per input, by its index; -1 is a dim that is not known.

        Returns:
            0.

        Raises:
            ge.error.GeError: The counts differ, or a node does not take what it reads.
        """
        infer_graph(graph, [list(shape) for shape in input_shapes])
        return 0

    @staticmethod
    def check_node_support_on_aicore(node: Node) -> "tuple[bool, str]":
        """Return whether this engine can compile the node's operator, and if not, why."""
        if is_built(node.type):
            return True, ""
        return False, f"operator type {node.type} is not built in this engine"
