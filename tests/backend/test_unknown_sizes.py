"""Models whose inputs have sizes that are only known at run time."""

import numpy as np
import pytest
from backend.test_loops import floats, info, model_of
from onnx import TensorProto, helper

import ge.errors
import ge.om


def test_one_model_runs_with_many_sizes(check_run):
    nodes = [
        helper.make_node("Shape", ["x"], ["s"], end=1),
        helper.make_node("Concat", ["s", "rest"], ["target"], axis=0),
        helper.make_node("Reshape", ["x", "target"], ["flat"]),
        helper.make_node("MatMul", ["flat", "w"], ["h"]),
        helper.make_node("Softmax", ["h"], ["y"], axis=0),
    ]
    model = model_of(
        nodes,
        [info("x", ["n", 2, 3])],
        [info("y", ["n", 4])],
        [("rest", np.array([-1])), ("w", floats(0, 6, 4))],
    )
    feeds = [{"x": floats(n, n, 2, 3)} for n in (1, 7, 2, 100)]
    check_run(model, *feeds, flags=("--input_shape=x:-1,2,3",))


def test_sizes_may_depend_on_the_data(check_run):
    nodes = [
        helper.make_node("Greater", ["x", "zero"], ["mask"]),
        helper.make_node("NonZero", ["mask"], ["where"]),
        helper.make_node("Transpose", ["where"], ["places"], perm=[1, 0]),
        helper.make_node("GatherND", ["x", "places"], ["y"]),
    ]
    model = model_of(
        nodes,
        [info("x", [4, 5])],
        [info("y", [None]), info("places", [None, 2], TensorProto.INT64)],
        [("zero", np.array(0, np.float32))],
    )
    feeds = [{"x": floats(n, 4, 5)} for n in range(3)]
    check_run(model, *feeds, {"x": -np.ones((4, 5), np.float32)})


def test_a_range_limits_what_is_accepted(check_run, tmp_path):
    model = model_of(
        [helper.make_node("Neg", ["x"], ["y"])], [info("x", ["n"])], [info("y", ["n"])]
    )
    check_run(model, {"x": floats(1, 3)}, flags=("--input_shape=x:2~8",))
    with ge.om.load(tmp_path / "model.om") as opened:
        assert opened.inputs[0].range == ((2, 8),)
        opened.run({"x": floats(1, 8)})
        for size in (1, 9):
            with pytest.raises(ge.errors.InputError, match="2~8"):
                opened.run({"x": floats(1, size)})


def test_an_operand_of_a_product_may_turn_out_to_be_a_vector(check_run):
    integers = TensorProto.INT64
    nodes = [
        helper.make_node("Reshape", ["x", "s"], ["a"]),
        helper.make_node("Reshape", ["x", "t"], ["b"]),
        helper.make_node("MatMul", ["a", "right"], ["y"]),
        helper.make_node("MatMul", ["left", "b"], ["z"]),
        helper.make_node("MatMul", ["a", "b"], ["product"]),
    ]
    model = model_of(
        nodes,
        [info("x", [6]), info("s", ["m"], integers), info("t", ["n"], integers)],
        [info(name, None) for name in ("y", "z", "product")],
        [("right", floats(0, 2, 6, 4)), ("left", floats(1, 2, 3, 6))],
    )
    x = floats(2, 6)
    feeds = [
        {"x": x, "s": np.array(s), "t": np.array(t)}
        for s in ([6], [1, 6], [1, 1, 6])
        for t in ([6], [6, 1], [1, 6, 1])
    ]
    check_run(model, *feeds, flags=("--input_shape=s:-1;t:-1",))
