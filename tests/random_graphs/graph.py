"""Random graphs of supported operators, as a Hypothesis strategy."""

import dataclasses

import numpy as np
from hypothesis import strategies as st
from onnx import helper, numpy_helper, printer
from random_graphs.builder import FLOAT32, Leaf, MisfitError, Scope, Value
from random_graphs.control import make_if, make_loop
from random_graphs.dense import DENSE
from random_graphs.elementwise import ELEMENTWISE
from random_graphs.movement import MOVEMENT
from random_graphs.patterns import PATTERNS

SPARE = Value("spare", FLOAT32, (2,), 0)  # so that every model has an input


@dataclasses.dataclass(frozen=True, repr=False)
class RandomGraph:
    """Nodes, what they read, and the values that are outputs."""

    nodes: list
    leaves: list[Leaf]
    outputs: list[Value]
    opset: int
    shapes_known: bool  # of the outputs, in the model

    def __repr__(self):
        return printer.to_text(self.model())

    def model(self, inputs=("input",), open_dims=False):
        """The ONNX model in which leaves of the kinds ``inputs`` are inputs, others initializers.

        There is one more input, which nobody reads. ``open_dims``: the dims of inputs have names
        and no size.
        """
        ports, constants = [SPARE.info()], []
        for leaf in self.leaves:
            if leaf.kind not in inputs:
                constants.append(numpy_helper.from_array(leaf.array, leaf.value.name))
                continue
            port = leaf.value.info()
            if open_dims:
                for i, dim in enumerate(port.type.tensor_type.shape.dim):
                    dim.dim_param = f"{leaf.value.name}_{i}"
            ports.append(port)
        outputs = [value.info() for value in self.outputs]
        if not self.shapes_known:
            for output in outputs:
                output.type.tensor_type.ClearField("shape")
        graph = helper.make_graph(self.nodes, "random", ports, outputs, constants)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(
            graph,
            opset_imports=opsets,
            ir_version=helper.find_min_ir_version_for(opsets),
        )

    def open_shapes(self, inputs=("input",)):
        """The value of --input_shape that leaves all dims open."""
        leaves = [leaf for leaf in self.leaves if leaf.kind in inputs and leaf.value.rank]
        words = [f"{leaf.value.name}:{','.join(['-1'] * leaf.value.rank)}" for leaf in leaves]
        return ";".join(words)

    def feeds(self, inputs=("input",)):
        feeds = {leaf.value.name: leaf.array for leaf in self.leaves if leaf.kind in inputs}
        return feeds | {SPARE.name: np.zeros(SPARE.shape, SPARE.dtype)}


def _add_nodes(scope, count):
    for _ in range(count):
        try:
            scope.one_of(OPERATORS)(scope)
        except MisfitError:
            continue


OPERATORS = (
    *ELEMENTWISE,
    *DENSE,
    *MOVEMENT,
    *PATTERNS,
    *(make_if(_add_nodes), make_loop(_add_nodes)) * 2,
)


def _read_names(nodes):
    """Names that nodes read, in the graphs of their attributes too."""
    for node in nodes:
        yield from node.input
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _read_names(attribute.g.node)


@st.composite
def graphs(draw, least=1, most=10, least_trips=0):
    """RandomGraph of up to ``most`` operators, those in branches and bodies not counted.

    With ``least_trips`` of 1 all sizes follow from the inputs: what a loop that never ran would
    have collected has none.
    """
    scope = Scope(draw, least_trips=least_trips)
    _add_nodes(scope, draw(st.integers(least, most)))
    computed = [value for value in scope.values if value.computed]
    if not computed:
        computed = [scope.simple("Identity", [scope.new(FLOAT32, (2, 3))])]
    read = set(_read_names(scope.nodes))
    outputs = [value for value in computed if value.name not in read or scope.integer(0, 4) == 0]
    return RandomGraph(scope.nodes, scope.leaves, outputs[:8], scope.opset, scope.flag())
