"""RemoveNoOps: operators that change nothing go away."""

import numpy as np
import pytest
from passes.graphs import const, data, inputs_of, op, run, types
from passes.models import model, node

SHAPE = [2, 3]
OUT = [{"dtype": "f32", "shape": SHAPE}]
INT_OUT = [{"dtype": "i64", "shape": SHAPE}]


def around(node_, constants=(), dtype="f32"):
    """x -> Abs -> the node n -> Abs -> y; whether n goes."""
    out = [{"dtype": dtype, "shape": SHAPE}]
    nodes = [data("x", dtype, SHAPE), op("a", "Abs", "x", outputs=out), *constants, node_]
    nodes += [op("y", "Abs", "n", outputs=node_["outputs"])]
    graph = run("RemoveNoOps", nodes, ["y"])
    gone = "n" not in types(graph)
    assert graph["changed"] == [gone]
    assert inputs_of(graph, "y") == ["a:0" if gone else "n:0"]
    return gone


@pytest.mark.parametrize(
    "node_, constants",
    [
        (op("n", "PadV3", "a", "k", outputs=OUT), [const("k", [0, 0, 0, 0])]),
        (op("n", "Transpose", "a", "k", outputs=OUT), [const("k", [0, 1])]),
        (
            op("n", "StridedSliceV2", "a", "k", "l", outputs=OUT),
            [const("k", [0]), const("l", [2])],
        ),
        (
            op("n", "StridedSliceV2", "a", "k", "l", "k", "m", outputs=OUT),
            [const("k", [0]), const("l", [9]), const("m", [1])],
        ),
        (op("n", "Expand", "a", "k", outputs=OUT), [const("k", [2, 1])]),
        (op("n", "Tile", "a", "k", outputs=OUT), [const("k", [1, 1])]),
        (op("n", "Reshape", "a", "k", outputs=OUT), [const("k", [2, 3])]),
        (op("n", "Flatten", "a", outputs=OUT, axis=1), []),
        (op("n", "Mul", "a", "k", outputs=OUT), [const("k", [1], "f32")]),
        (op("n", "Mul", "k", "a", outputs=OUT), [const("k", [1, 1, 1], "f32")]),
        (op("n", "RealDiv", "a", "k", outputs=OUT), [const("k", [1], "f32", [])]),
        (op("n", "Sub", "a", "k", outputs=OUT), [const("k", [0], "f32")]),
        (op("n", "Add", "a", "k", outputs=OUT), [const("k", [-0.0], "f32")]),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_what_changes_nothing_goes(node_, constants):
    assert around(node_, constants)


@pytest.mark.parametrize(
    "node_, constants",
    [
        (op("n", "Add", "a", "k", outputs=OUT), [const("k", [0], "f32")]),  # -0 becomes 0
        (op("n", "Sub", "a", "k", outputs=OUT), [const("k", [-0.0], "f32")]),  # so here
        (op("n", "Sub", "k", "a", outputs=OUT), [const("k", [0], "f32")]),
        (op("n", "RealDiv", "k", "a", outputs=OUT), [const("k", [1], "f32")]),
        (op("n", "Mul", "a", "k", outputs=OUT), [const("k", [1, 1, 2], "f32")]),
        (op("n", "Transpose", "a", "k", outputs=OUT), [const("k", [1, 0])]),
        (
            op("n", "StridedSliceV2", "a", "k", "l", "m", "k", outputs=OUT),
            [const("k", [-1]), const("l", [-9]), const("m", [0])],
        ),
        (op("n", "Relu", "a", outputs=OUT), []),
    ],
)
def test_what_changes_values_stays(node_, constants):
    assert not around(node_, constants)


@pytest.mark.parametrize(
    "node_",
    [
        op("n", "Mul", "a", "k", outputs=[{"dtype": "f32", "shape": [1, 2, 3]}]),
        op("n", "Mul", "a", "k", outputs=[{"dtype": "f32", "shape": [-2]}]),
        op("n", "Reshape", "a", "k", outputs=[{"dtype": "f32", "shape": [3, 2]}]),
        op("n", "Reshape", "a", "k", outputs=[{"dtype": "f32", "shape": [-1, -1]}]),
    ],
)
def test_what_changes_the_shape_stays(node_):
    dtype = "f32" if node_["type"] == "Mul" else "i64"
    assert not around(node_, [const("k", [1, 1, 1], dtype)])


def test_sums_of_integers():
    node_ = op("n", "Add", "a", "k", outputs=INT_OUT)
    assert around(node_, [const("k", [0], "i64")], "i64")


def test_unknown_sizes_do_not_matter_where_the_operator_cannot_change_them():
    out = [{"dtype": "f32", "shape": [-1, 3]}]
    nodes = [data("x", shape=[-1, 3]), const("k", [0, 0, 0, 0]), op("a", "Abs", "x", outputs=out)]
    nodes += [op("n", "PadV3", "a", "k", outputs=out), op("y", "Abs", "n", outputs=out)]
    assert inputs_of(run("RemoveNoOps", nodes, ["y"]), "y") == ["a:0"]


def test_outputs_keep_a_buffer_of_their_own():
    k = const("k", [1], "f32")
    nodes = [data("x"), k, op("n", "Mul", "x", "k", outputs=OUT)]
    assert inputs_of(run("RemoveNoOps", nodes, ["n"]), "NetOutput") == ["n:0"]
    nodes = [data("x"), k, op("a", "Abs", "x", outputs=OUT), op("n", "Mul", "a", "k", outputs=OUT)]
    assert inputs_of(run("RemoveNoOps", nodes, ["n"]), "NetOutput") == ["a:0"]
    assert inputs_of(run("RemoveNoOps", nodes, ["a", "n"]), "NetOutput") == ["a:0", "n:0"]


def test_a_network(check_fused):
    nodes = [
        node("Relu", "x", "a"),
        node("Mul", "a,one", "b"),
        node("Pad", "b,pads", "c"),
        node("Slice", "c,from,to", "d"),
        node("Transpose", "d", "e", perm=[0, 1]),
        node("Expand", "e,shape", "f"),
        node("Sub", "f,zero", "y"),
    ]
    constants = {
        "one": np.ones(1, np.float32),
        "zero": np.zeros((), np.float32),
        "pads": np.zeros(4, np.int64),
        "from": np.array([0]),
        "to": np.array([2**62]),
        "shape": np.array([1, 3]),
    }
    graph = check_fused(model(nodes, {"x": SHAPE}, ["y"], constants), {"Relu": 1})
    (relu,) = [row for row in graph.nodes if row.type == "Relu"]
    assert relu.sources == ("a", "b", "c", "d", "e", "f", "y")
