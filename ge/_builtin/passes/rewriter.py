"""Replacing parts of a graph inside of ``run``."""

from collections.abc import Iterable
from typing import NamedTuple

from ge.error import GeError
from ge.graph import Graph, Node
from ge.passes.context import PassContext
from ge.passes.pattern import MatchResult

from ge import _graph

__all__ = [
    "FuseCheckResult",
    "SubgraphBoundary",
    "SubgraphInput",
    "SubgraphOutput",
    "SubgraphRewriter",
    "can_fuse",
    "infer_shape",
    "report_fuse",
]


class SubgraphInput:
    """One input of a boundary: inputs of inner nodes that all read the same tensor.

    Args:
        node_inputs: ``(node, number of its input)`` each.
    """

    def __init__(self, node_inputs: Iterable[tuple[Node, int]] = ()) -> None:
        self._ports: list[tuple[Node, int]] = []
        for pair in node_inputs:
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise GeError("an input is a pair (node, index)", api_name="SubgraphInput")
            self.add_input(*pair)

    def add_input(self, node: Node, index: int) -> int:
        """Add input ``index`` of a node inside. Returns 0."""
        if not isinstance(node, Node):
            raise TypeError(f"add_input takes a Node, not {type(node).__name__}")
        self._ports.append((node, index))
        return 0


class SubgraphOutput:
    """One output of a boundary: an output of an inner node."""

    def __init__(self, node: "Node | None" = None, out_index: int = 0) -> None:
        self._value: tuple[Node, int] | None = None
        if node is not None:
            self.set_output(node, out_index)

    def set_output(self, node: Node, out_index: int) -> int:
        """Set the output. Returns 0."""
        if not isinstance(node, Node):
            raise TypeError(f"set_output takes a Node, not {type(node).__name__}")
        self._value = (node, out_index)
        return 0


class SubgraphBoundary:
    """What enters and leaves a part of a graph, by the inputs and outputs of its replacement."""

    def __init__(self) -> None:
        self._inputs: dict[int, SubgraphInput] = {}
        self._outputs: dict[int, SubgraphOutput] = {}

    def add_input(self, index: int, input: SubgraphInput) -> int:
        """Set what enters as input ``index`` of the replacement. Returns 0."""
        if not isinstance(input, SubgraphInput):
            raise TypeError(f"add_input takes a SubgraphInput, not {type(input).__name__}")
        self._inputs[index] = input
        return 0

    def add_output(self, index: int, output: SubgraphOutput) -> int:
        """Set what output ``index`` of the replacement takes the place of. Returns 0."""
        if not isinstance(output, SubgraphOutput):
            raise TypeError(f"add_output takes a SubgraphOutput, not {type(output).__name__}")
        self._outputs[index] = output
        return 0

    def _place(self) -> _graph.Place:
        for what, rows in (("inputs", self._inputs), ("outputs", self._outputs)):
            if sorted(rows) != list(range(len(rows))):
                raise GeError(
                    f"the boundary has {what} {sorted(rows)}; they are 0, 1, ...",
                    api_name="SubgraphBoundary",
                )
        inputs = [self._inputs[index]._ports for index in range(len(self._inputs))]
        outputs = [self._outputs[index]._value for index in range(len(self._outputs))]
        if None in outputs:
            raise GeError("an output of the boundary is not set", api_name="SubgraphBoundary")
        return _graph.place_between(inputs, outputs)


class SubgraphRewriter:
    """Replaces parts of a graph."""

    @staticmethod
    def replace(
        boundary: SubgraphBoundary, replacement: Graph, context: "PassContext | None" = None
    ) -> int:
        """Put a graph in the place of what stands between the inputs and outputs of a boundary.

        Args:
            boundary: What is replaced.
            replacement: Is used up.
            context: Of the pass, for its report; failures are exceptions then.

        Returns:
            0; without a context 1 when it failed, and :func:`ge.error.get_ge_error_msg` says why.

        Raises:
            ge.error.GeError: (RuntimeError) It failed, and there is a context. The graph is as it
                was.
        """
        try:
            place = boundary._place()
            with _graph.Replacing(place.in_graph()) as replacing:
                replacing.replace(place, replacement)
        except GeError:
            if context is None:
                return 1
            raise
        if context is not None:
            context._effects += 1
        return 0


class FuseCheckResult(NamedTuple):
    """Whether nodes can be replaced by one, and if not, why."""

    ok: bool
    reason: str = ""


def can_fuse(nodes: Iterable[Node]) -> FuseCheckResult:
    """Return whether one node could take the place of these."""
    rows = list(nodes)
    if not rows:
        return FuseCheckResult(False, "there are no nodes")
    if _graph.closes_cycle(rows):
        return FuseCheckResult(False, "what leaves the nodes comes back into them")
    return FuseCheckResult(True)


def report_fuse(
    nodes_before: Iterable[Node], nodes_after: Iterable[Node], context: PassContext
) -> None:
    """Note that nodes take the place of others, which are still in the graph.

    The new nodes stand for the source nodes of the old ones in messages and reports; the pass took
    effect once more.
    """
    before = list(nodes_before)
    for after in nodes_after:
        for node in before:
            _graph.take_names(node, after)
    context._effects += 1


def infer_shape(replacement: Graph, target: "MatchResult | Node | SubgraphBoundary") -> None:
    """Infer dtypes and shapes of a replacement in the place where it is to stand.

    Raises:
        ge.error.GeError: (RuntimeError) The graph is empty, or a node does not take what it reads.
    """
    if not replacement.get_direct_nodes():
        raise GeError("the replacement is empty", api_name="infer_shape")
    if isinstance(target, MatchResult):
        target._check()
        place = target._place
    elif isinstance(target, SubgraphBoundary):
        place = target._place()
    else:
        place = _graph.place_of_node(target)
    _graph.infer_replacement(replacement, place)
