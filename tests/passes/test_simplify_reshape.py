"""SimplifyReshape, and FoldConstants of known dims: shapes that are computed when a model runs."""

import numpy as np
import pytest
from onnx import TensorProto
from passes.models import model, node

RNG = np.random.default_rng(29)
CONSTANTS = {
    "zero": np.array(0),
    "one": np.array(1),
    "two": np.array(2),
    "axis0": np.array([0]),
    "axis1": np.array([1]),
    "axis2": np.array([2]),
    "minus": np.array([-1]),
    "four": np.array([4]),
    "six": np.array([6]),
    "big": np.array([2**62]),
}


def check(check_fused, nodes, operators=None, *, dims=("n", "s", 24), real=(2, 3, 24), y="y"):
    used = {name for row in nodes for name in row.input}
    constants = {name: value for name, value in CONSTANTS.items() if name in used}
    inputs = {"x": list(dims)}
    feeds = {"x": RNG.standard_normal(real).astype(np.float32)}
    if "z" in used:
        inputs["z"] = ["a", "b"]
        feeds["z"] = RNG.standard_normal(real[:2]).astype(np.float32)
    shapes = {
        name: ",".join("-1" if isinstance(d, str) else str(d) for d in row)
        for name, row in inputs.items()
    }
    flag = "--input_shape=" + ";".join(f"{name}:{text}" for name, text in shapes.items())
    return check_fused(model(nodes, inputs, [y], constants), operators, feeds=feeds, flags=[flag])


def dim(tensor, axis, name):
    """The size of an axis as a list of one."""
    return [
        node("Shape", tensor, f"{name}_shape"),
        node("Gather", f"{name}_shape,{axis}", f"{name}_size"),
        node("Unsqueeze", f"{name}_size,axis0", name),
    ]


HEADS = [
    *dim("x", "zero", "n"),
    *dim("x", "one", "s"),
    node("Concat", "n,s,four,six", "target", axis=0),
    node("Reshape", "x,target", "r"),
    node("Softmax", "r", "y", axis=-1),
]


def test_dims_that_stay_where_they_are_need_no_computing(check_fused):
    graph = check(check_fused, HEADS, {"Reshape": 1, "SoftmaxV2": 1})
    (reshape,) = [row for row in graph.nodes if row.type == "Reshape"]
    assert reshape.outputs[0].shape == (None, None, 4, 6)


def test_one_dim_may_come_from_anywhere(check_fused):
    nodes = [
        *dim("z", "zero", "n"),
        node("Concat", "n,minus", "target", axis=0),
        node("Reshape", "x,target", "r"),
        node("Softmax", "r", "y", axis=-1),
    ]
    check(check_fused, [*nodes, node("Relu", "z", "w")], dims=("n", "s", 24))
    nodes[3] = node("Concat", "n,six,four,axis1", "target", axis=0)
    nodes = [*nodes, node("ReduceSum", "z", "zz", keepdims=0), node("Add", "r,zz", "q")]
    graph = check(check_fused, nodes, real=(1, 1, 24), dims=(1, 1, 24), y="q")
    assert "Shape" not in graph.operators()


def test_two_dims_from_elsewhere_stay(check_fused):
    nodes = [
        *dim("z", "zero", "n"),
        *dim("z", "one", "s"),
        node("Concat", "n,s,four,six", "target", axis=0),
        node("Reshape", "x,target", "r"),
        node("Softmax", "r", "y", axis=-1),
    ]
    assert check(check_fused, nodes).operators()["ConcatD"] == 1


def test_dims_are_traced_through_operators_that_keep_them(check_fused):
    nodes = [
        node("Relu", "x", "a"),
        node("Transpose", "a", "b", perm=[1, 0, 2]),
        *dim("b", "one", "n"),
        *dim("a", "one", "s"),
        node("Mul", "x,x", "c"),
        node("Neg", "x", "d"),
        node("Concat", "n,s,four,six", "target", axis=0),
        node("Reshape", "d,target", "r"),
        node("Softmax", "r", "e", axis=-1),
        node("Transpose", "b", "f", perm=[0, 2, 1]),
        node("ReduceMean", "f", "g", keepdims=0),
        node("Add", "e,g", "y"),
    ]
    assert "Shape" not in check(check_fused, nodes).operators()


def test_dims_that_are_moved_stay(check_fused):
    nodes = list(HEADS)
    nodes[6] = node("Concat", "s,n,four,six", "target", axis=0)
    assert "Shape" in check(check_fused, nodes).operators()


def test_a_zero_that_is_meant_stays(check_fused):
    nodes = list(HEADS)
    nodes[7] = node("Reshape", "x,target", "r", allowzero=1)
    assert "Shape" in check(check_fused, nodes).operators()


def test_slices_and_casts_of_shapes_are_followed(check_fused):
    nodes = [
        node("Shape", "x", "shape"),
        node("Cast", "shape", "narrow", to=TensorProto.INT32),
        node("Slice", "narrow,axis0,axis2", "front"),
        node("Cast", "front", "wide", to=TensorProto.INT64),
        node("Concat", "wide,four,six", "target", axis=0),
        node("Reshape", "x,target", "r"),
        node("Softmax", "r", "y", axis=-1),
    ]
    check(check_fused, nodes, {"Reshape": 1, "SoftmaxV2": 1})


def test_a_known_dim_among_unknown_ones_is_constant(check_fused):
    nodes = [
        *dim("x", "two", "c"),
        node("Div", "c,six", "quarter"),
        node("Concat", "axis0,minus,quarter,six", "target", axis=0),
        node("Reshape", "x,target", "r"),
        node("Softmax", "r", "y", axis=-1),
    ]
    graph = check(check_fused, nodes, {"Reshape": 1, "SoftmaxV2": 1})
    (reshape,) = [row for row in graph.nodes if row.type == "Reshape"]
    assert reshape.outputs[0].shape == (None, None, 4, 6)


@pytest.mark.parametrize("real", [(0, 3, 24), (2, 0, 24), (0, 0, 24)])
def test_sizes_of_zero_at_run_time(check_fused, real):
    check(check_fused, HEADS, {"Reshape": 1, "SoftmaxV2": 1}, real=real)
