"""RemoveDeadBranches: an If whose condition turns out to be a constant."""

import numpy as np
import pytest
from onnx import TensorProto, helper
from passes.models import model, node


def branch(name, nodes, output):
    """A graph that reads values of the graph around it."""
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(output, 1, None)])


def network(columns, *, then=None, other=None, outputs=("y",), more=()):
    """y = then(x) when x [n, 4] has that many columns; n is not known."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Gather", "shape,one", "columns"),
        node("Equal", "columns,wanted", "same"),
        node(
            "If",
            "same",
            "y",
            then_branch=then or branch("a", [node("Neg", "x", "n"), node("Exp", "n", "t")], "t"),
            else_branch=other or branch("b", [node("Transpose", "x", "e", perm=[1, 0])], "e"),
        ),
        *more,
    ]
    constants = {"one": np.array(1), "wanted": np.array(columns)}
    return model(nodes, {"x": ["n", 4]}, list(outputs), constants)


FEEDS = {"x": np.arange(12, dtype=np.float32).reshape(3, 4)}
OPEN = ["--input_shape=x:-1,4"]


@pytest.mark.parametrize(
    ("columns", "operators"), [(4, {"Neg": 1, "Exp": 1}), (5, {"Transpose": 1})]
)
def test_the_branch_that_is_taken(check_fused, columns, operators):
    graph = check_fused(network(columns), operators, feeds=FEEDS, flags=OPEN)
    (data,) = [row for row in graph.nodes if row.type == "Data"]
    assert data.outputs[0].shape == (None, 4)
    named = {name for row in graph.nodes for name in row.sources}
    assert "y" in named


def test_a_condition_that_is_not_known_stays(check_fused):
    nodes = [
        node("ReduceSum", "x", "sum", keepdims=0),
        node("Greater", "sum,zero", "positive"),
        node(
            "If",
            "positive",
            "y",
            then_branch=branch("a", [node("Neg", "x", "t")], "t"),
            else_branch=branch("b", [node("Exp", "x", "e")], "e"),
        ),
    ]
    whole = model(nodes, {"x": [3, 4]}, ["y"], {"zero": np.float32(0)})
    assert "If" in check_fused(whole, feeds=FEEDS).operators()


def test_it_can_be_switched_off(check_fused):
    flags = [*OPEN, "--oo_dead_code_elimination=false"]
    assert "If" in check_fused(network(4), feeds=FEEDS, flags=flags).operators()


def test_what_stands_behind_knows_more(check_fused):
    more = [node("Shape", "y", "s"), node("Gather", "s,one", "c"), node("Cast", "c", "z", to=1)]
    graph = check_fused(network(4, outputs=("y", "z"), more=more), feeds=FEEDS, flags=OPEN)
    assert "Shape" not in graph.operators()


def test_an_input_that_is_handed_out(check_fused):
    same = branch("a", [node("Identity", "x", "t")], "t")
    graph = check_fused(network(4, then=same), feeds=FEEDS, flags=OPEN)
    assert "If" not in graph.operators()


def test_constants_and_names_of_the_branch(check_fused):
    inner = helper.make_tensor("two", TensorProto.FLOAT, [], [2.0])
    double = helper.make_node("Mul", ["x", "two"], ["m"], name="same")
    then = branch("a", [double, node("Exp", "m", "t")], "t")
    then.initializer.append(inner)
    check_fused(network(4, then=then), {"Mul": 1, "Exp": 1}, feeds=FEEDS, flags=OPEN)


def test_a_branch_in_a_branch(check_fused):
    deep = node(
        "If",
        "same",
        "d",
        then_branch=branch("aa", [node("Neg", "x", "p")], "p"),
        else_branch=branch("ab", [node("Exp", "x", "q")], "q"),
    )
    then = branch("a", [deep, node("Abs", "d", "t")], "t")
    check_fused(network(4, then=then), {"Neg": 1, "Abs": 1}, feeds=FEEDS, flags=OPEN)
