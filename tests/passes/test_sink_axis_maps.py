"""SinkAxisMaps: transposes and views of axes of size 1 go down until they meet."""

import numpy as np
import pytest
from onnx import helper
from passes.models import model, node, read_by

MAPS = {"Transpose", "Reshape", "Squeeze", "Unsqueeze", "SqueezeV3", "UnsqueezeV3", "Flatten"}
CONSTANTS = {
    "axis1": np.array([1]),
    "axis2": np.array([2]),
    "two": np.float32(2),
    "row": np.array([1, 2, 4], np.float32),
    "b1": np.array([1]),
    "e3": np.array([3]),
    "most": np.array([100]),
    "back": np.array([-1]),
    "start": np.array([-100]),
    "flat": np.array([1, 3, 4, 1]),
}


def network(nodes, inputs, outputs, dtype=1):
    return model(nodes, read_by(nodes, inputs), list(outputs), CONSTANTS, dtype=dtype)


def maps_of(graph):
    return sum(count for name, count in graph.operators().items() if name in MAPS)


def turned(x, y, *perm):
    return node("Transpose", x, y, perm=perm)


JOINS = {
    "Add": [turned("x", "a", 2, 0, 1), turned("z", "b", 2, 0, 1), node("Add", "a,b", "y")],
    "Concat": [
        turned("x", "a", 2, 0, 1),
        turned("z", "b", 2, 0, 1),
        node("Concat", "a,b,a", "y", axis=-1),
    ],
    "Stack": [
        turned("x", "a", 0, 2, 1),
        turned("z", "b", 0, 2, 1),
        node("Unsqueeze", "a,axis2", "a1"),
        node("Unsqueeze", "b,axis2", "b1_"),
        node("Squeeze", "a1,axis2", "y"),
        node("Sub", "y,b", "w"),
    ],
    "Where": [
        node("Greater", "x,two", "c"),
        turned("c", "d", 2, 1, 0),
        turned("x", "a", 2, 1, 0),
        turned("z", "b", 2, 1, 0),
        node("Where", "d,a,b", "y"),
    ],
}


@pytest.mark.parametrize("form", JOINS)
def test_those_of_several_operands_are_one(check_fused, form):
    nodes = JOINS[form]
    graph = check_fused(network(nodes, {"x": [2, 3, 4], "z": [2, 3, 4]}, [nodes[-1].name]))
    assert maps_of(graph) == 1
    named = {name for row in graph.nodes for name in row.sources}
    assert {row.name for row in nodes if row.op_type == "Transpose"} <= named


def test_a_squeeze_goes_through_slices(check_fused):
    nodes = [
        node("Conv", "x,k", "c"),
        node("Squeeze", "c,axis2", "s"),
        node("Slice", "s,b1,e3,axis1", "p"),
        node("Slice", "s,back,start,axis1,back", "q0"),
        node("Slice", "q0,b1,e3,axis1", "q"),
        node("Mul", "p,p", "p2"),
        node("Mul", "q,two", "q2"),
        node("Add", "p2,q2", "t"),
        node("Unsqueeze", "t,axis2", "u"),
        node("Conv", "u,l", "y"),
    ]
    weights = {"k": np.ones((4, 2, 1, 1), np.float32), "l": np.ones((3, 2, 1, 2), np.float32)}
    graph = check_fused(model(nodes, {"x": [1, 2, 1, 5]}, ["y"], {**CONSTANTS, **weights}))
    assert maps_of(graph) == 0
    named = {name for row in graph.nodes for name in row.sources}
    assert {"s", "u"} <= named


def test_a_stack_of_turned_tensors(check_fused):
    parts = []
    for name in "xz":
        parts += [
            turned(name, f"{name}t", 0, 2, 3, 1),
            node("Reshape", f"{name}t,flat", f"{name}r"),
        ]
    nodes = [*parts, node("Concat", "xr,zr", "j", axis=3), turned("j", "y", 3, 0, 2, 1)]
    graph = check_fused(network(nodes, {"x": [1, 4, 1, 3], "z": [1, 4, 1, 3]}, "y"))
    assert maps_of(graph) <= 1


def test_a_reader_outside_gets_what_the_source_says(check_fused):
    nodes = [
        turned("x", "a", 1, 0),
        turned("z", "b", 1, 0),
        node("Add", "a,b", "s"),
        node("Softmax", "s", "y"),
        node("Exp", "s", "e"),
        turned("e", "w", 1, 0),
    ]
    graph = check_fused(network(nodes, {"x": [3, 4], "z": [3, 4]}, "yw"))
    assert maps_of(graph) == 1


@pytest.mark.parametrize(
    ("nodes", "left"),
    [
        # Different orders, and what is added has its own axes.
        ([turned("x", "a", 1, 0), node("Add", "a,w", "y")], 1),
        ([turned("x", "a", 1, 0), node("Add", "a,x", "y")], 1),
        # An operator that looks at axes, and one that broadcasts.
        ([turned("x", "a", 1, 0), node("Softmax", "a", "s"), turned("s", "y", 1, 0)], 2),
        ([turned("x", "a", 1, 0), node("Mul", "a,row", "m"), turned("m", "y", 1, 0)], 2),
        # What would only move.
        ([turned("x", "a", 1, 0), node("Exp", "a", "e"), node("Softmax", "e", "y")], 1),
        ([turned("x", "a", 1, 0), node("Exp", "a", "y"), node("Softmax", "a", "w_")], 1),
    ],
)
def test_what_saves_nothing_stays(check_fused, nodes, left):
    outputs = [row.name for row in nodes if row.name in ("y", "w_")]
    graph = check_fused(network(nodes, {"x": [3, 3], "w": [3, 3]}, outputs))
    assert maps_of(graph) == left


def test_outputs_keep_buffers_of_their_own(check_fused):
    nodes = [
        turned("x", "a", 1, 0),
        turned("a", "y", 1, 0),
        turned("a", "z", 1, 0),
        node("Exp", "a", "w"),
    ]
    check_fused(network(nodes, {"x": [3, 4]}, "yzw"))


def test_empty_tensors_and_numbers(check_fused):
    nodes = [turned("x", "a", 1, 0), node("Add", "a,two", "b"), turned("b", "y", 1, 0)]
    check_fused(network(nodes, {"x": [0, 4]}, "y"))
    check_fused(network(nodes, {"x": [1, 1]}, "y"))


def test_a_loop_of_moves_in_a_branch(check_fused):
    inner = helper.make_graph(
        [turned("x", "a", 1, 0), node("Exp", "a", "e"), turned("e", "r", 1, 0)],
        "then",
        [],
        [helper.make_tensor_value_info("r", 1, [3, 4])],
    )
    other = helper.make_graph(
        [node("Neg", "x", "n")], "else", [], [helper.make_tensor_value_info("n", 1, [3, 4])]
    )
    nodes = [
        node("ReduceSum", "x", "s", keepdims=0),
        node("Greater", "s,two", "c"),
        node("If", "c", "y", then_branch=inner, else_branch=other),
    ]
    check_fused(network(nodes, {"x": [3, 4]}, "y"))
