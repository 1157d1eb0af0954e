"""--output_type and --input_fp16_nodes."""

import numpy as np
import pytest
from passes.models import model, node


def net():
    nodes = [node("Relu", "x", "a"), node("Neg", "a", "b"), node("ArgMax", "a", "c", axis=0)]
    made = model(nodes, {"x": [3], "other": [3]}, ["a", "b", "c"])
    made.graph.output[2].type.tensor_type.elem_type = 7
    made.graph.node.append(node("Add", "x,other", "d"))
    made.graph.output.add().CopyFrom(made.graph.output[0])
    made.graph.output[3].name = "d"
    return made


FEEDS = {"x": np.float32([0.5, 3, -1]), "other": np.float32([1, 1, 1])}


def kinds(built, feeds=FEEDS):
    return {name.split(":")[-1]: str(value.dtype) for name, value in built.run(feeds).items()}


@pytest.mark.parametrize("mode", ["fp16", "origin"])
def test_outputs_have_the_dtypes_of_the_network(build, mode):
    built = build(net(), f"--precision_mode_v2={mode}")
    assert kinds(built) == {"a": "float32", "b": "float32", "c": "int64", "d": "float32"}


@pytest.mark.parametrize(
    ("word", "kind"),
    [("FP32", "float32"), ("FP16", "float16"), ("UINT8", "uint8"), ("INT8", "int8")],
)
@pytest.mark.parametrize("mode", ["fp16", "origin"])
def test_one_type_counts_for_all_outputs(build, word, kind, mode):
    built = build(net(), f"--output_type={word}", f"--precision_mode_v2={mode}")
    assert set(kinds(built).values()) == {kind}
    assert (
        next(iter(built.run(FEEDS).values())).tolist()
        == np.array([0.5, 3, 0]).astype(kind).tolist()
    )


def test_single_outputs_get_their_types(build):
    built = build(net(), "--out_nodes=b:0;a:0", "--output_type=a:0:FP16")
    assert kinds(built) == {"b": "float32", "a": "float16"}
    built = build(net(), "--out_nodes=b:0;a:0", "--output_type=a:0:FP16;b:0:INT8")
    assert kinds(built) == {"b": "int8", "a": "float16"}


def test_narrow_outputs_need_no_cast_back(build):
    assert "Cast" in build(net()).graph().operators()
    lean = model([node("Relu", "x", "y")], {"x": [3]}, ["y"])
    built = build(lean, "--output_type=FP16", "--input_fp16_nodes=x")
    assert built.graph().operators() == {"Relu": 1}


def test_types_without_kernels_are_refused(build):
    for word in ("HIF8", "HIF4"):
        assert "E10055" in build(net(), f"--output_type={word}", fails=True).text


@pytest.mark.parametrize("mode", ["fp16", "origin"])
def test_named_inputs_are_fed_as_float16(build, mode):
    built = build(net(), "--input_fp16_nodes=x", f"--precision_mode_v2={mode}")
    feeds = FEEDS | {"x": FEEDS["x"].astype(np.float16)}
    got = built.run(feeds)
    assert set(kinds(built, feeds).values()) == {"float32", "int64"}
    np.testing.assert_array_equal(list(got.values())[3], [1.5, 4, 0])


def test_all_wrong_names_are_reported_with_what_is_there(build):
    text = build(net(), "--input_fp16_nodes=y;a;othr", "--input_shape=z:3", fails=True).text
    for said in (
        "[y] named in [--input_fp16_nodes] is not in the model",
        "[a] named in [--input_fp16_nodes] is a node",
        "[othr] named in [--input_fp16_nodes]",
        "[z] named in [--input_shape]",
    ):
        assert said in text, said
    assert "Did you mean [other]?" in text
    assert "Inputs of the model are: x:3; other:3." in text
