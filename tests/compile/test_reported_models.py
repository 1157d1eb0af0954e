"""Models that users had trouble with elsewhere: each compiles, or its message helps."""

import numpy as np
import onnx
import pytest
from compile.conftest import save
from onnx import helper


def test_name_of_another_standard_gets_a_hint(compile_om, tmp_path):
    node = helper.make_node("grid_sampler", ["x", "g"], ["y"], name="grid_sampler_3140")
    model = save(
        tmp_path / "m.onnx",
        [node],
        {"x": [1, 3, 8, 8], "g": [1, 4, 4, 2]},
        {"y": [1, 3, 4, 4]},
        opset=11,
    )
    done = compile_om(model, tmp_path / "out")
    assert done.status == 255
    assert "(E10501)" in done.stdout
    assert "grid_sampler_3140" in done.stdout
    assert "GridSample exists from opset 16" in done.stdout


@pytest.mark.parametrize("opset", [7, 11, 13, 20, 22])
def test_convolution_of_any_opset_compiles(compile_om, tmp_path, opset):
    model = save(
        tmp_path / "m.onnx",
        [helper.make_node("Conv", ["x", "w"], ["y"])],
        {"x": [1, 3, 8, 8]},
        {"y": [1, 4, 6, 6]},
        {"w": np.ones((4, 3, 3, 3), np.float32)},
        opset=opset,
        ir=10,
    )
    done = compile_om(model, tmp_path / "out")
    assert done.status == 0, done.stdout


def test_operator_newer_than_the_declared_opset(compile_om, tmp_path):
    model = save(
        tmp_path / "m.onnx",
        [helper.make_node("LayerNormalization", ["x", "s"], ["y"], name="ln")],
        {"x": [2, 8]},
        {"y": [2, 8]},
        {"s": np.ones(8, np.float32)},
        opset=11,
    )
    done = compile_om(model, tmp_path / "out")
    assert done.status == 255
    assert "exists from opset 17 on" in done.stdout
    assert "ai.onnx opset 11" in done.stdout
    assert "opset_version=17" in done.stdout
    assert "ln" in done.stdout
    assert "unsupported" not in done.stdout.lower()


def test_unused_foreign_opset_is_no_matter(relu_model, compile_om, tmp_path):
    model = onnx.load(relu_model)
    model.opset_import.append(helper.make_opsetid("custom.unused", 1))
    onnx.save(model, tmp_path / "m.onnx")
    done = compile_om(tmp_path / "m.onnx", tmp_path / "out")
    assert done.status == 0, done.stdout


@pytest.mark.parametrize("opset", [11, 13, 18, 19])
def test_resize_without_roi_compiles(compile_om, tmp_path, opset):
    node = helper.make_node(
        "Resize", ["x", "", "scales"], ["y"], mode="nearest",
        coordinate_transformation_mode="asymmetric", nearest_mode="floor",
    )  # fmt: skip
    model = save(
        tmp_path / "m.onnx",
        [node],
        {"x": [1, 3, 8, 8]},
        {"y": [1, 3, 16, 16]},
        {"scales": np.array([1, 1, 2, 2], np.float32)},
        opset=opset,
    )
    done = compile_om(model, tmp_path / "out")
    assert done.status == 0, done.stdout


def test_repeated_node_names_are_told_apart(compile_om, tmp_path):
    model = save(
        tmp_path / "m.onnx",
        [
            helper.make_node("Relu", ["x"], ["t"], name="add"),
            helper.make_node("Neg", ["t"], ["y"], name="add"),
        ],
        {"x": [4]},
        {"y": [4]},
    )
    done = compile_om(model, tmp_path / "out")
    assert done.status == 0, done.stdout
    assert "W10004" in done.stdout
    assert "add" in done.stdout


def test_nameless_nodes_compile_silently(compile_om, tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["t"]), helper.make_node("Neg", ["t"], ["y"])]
    model = save(tmp_path / "m.onnx", nodes, {"x": [4]}, {"y": [4]})
    done = compile_om(model, tmp_path / "out")
    assert done.status == 0
    assert "W1" not in done.stdout


def test_batch_baked_into_a_reshape(compile_om, tmp_path):
    model = save(
        tmp_path / "m.onnx",
        [helper.make_node("Reshape", ["x", "s"], ["y"], name="dfl/Reshape")],
        {"x": ["batch", 64, 100]},
        {"y": [1, 4, 16, 100]},
        {"s": np.array([1, 4, 16, 100], np.int64)},
    )
    done = compile_om(model, tmp_path / "out", "--input_shape=x:4,64,100")
    assert done.status == 255
    for word in ("dfl/Reshape", "batch", "4", "export"):
        assert word in done.stdout


def test_wrong_input_name_lists_the_real_ones(compile_om, tmp_path):
    model = save(
        tmp_path / "m.onnx",
        [helper.make_node("Relu", ["images"], ["y"])],
        {"images": ["n", 3, 640, 640]},
        {"y": ["n", 3, 640, 640]},
    )
    done = compile_om(model, tmp_path / "out", "--input_shape=input:1,3,640,640")
    assert done.status == 255
    assert "(E10016)" in done.stdout
    assert "images:n,3,640,640" in done.stdout
    assert "Did you mean [images]?" in done.stdout


def test_unknown_dims_are_named_with_commands_to_fix_them(compile_om, tmp_path):
    model = save(
        tmp_path / "m.onnx",
        [helper.make_node("Relu", ["Inputs"], ["y"])],
        {"Inputs": ["b", 3, "h", "w"]},
        {"y": ["b", 3, "h", "w"]},
    )
    done = compile_om(model, tmp_path / "out")
    assert done.status == 255
    assert "(E10001)" in done.stdout
    for text in ("(b)", "(h)", "(w)", "Inputs:1,3,224,224", "Inputs:-1,3,-1,-1", "--dynamic_dims"):
        assert text in done.stdout


def test_wrong_number_of_dims(relu_model, compile_om, tmp_path):
    done = compile_om(relu_model, tmp_path / "out", "--input_shape=x:1,3,8")
    assert done.status == 255
    assert "(E10049)" in done.stdout
    assert "x:1,3,8,8" in done.stdout


def test_everything_unsupported_is_told_in_one_run(compile_om, tmp_path):
    nodes = [
        helper.make_node("Nonsense", ["x"], ["a"], name="n1"),
        helper.make_node("Nonsense", ["a"], ["b"], name="n2"),
        helper.make_node("StringNormalizer", ["b"], ["c"], name="s"),
        helper.make_node("Gelu", ["c"], ["y"], name="g"),
    ]
    model = save(tmp_path / "m.onnx", nodes, {"x": [4]}, {"y": [4]}, opset=13)
    done = compile_om(model, tmp_path / "out")
    assert done.status == 255
    assert "Nonsense (2 nodes)" in done.stdout
    assert "n1, n2" in done.stdout
    assert "StringNormalizer (1 node): the operator is known, but not built yet" in done.stdout
    assert "Gelu (1 node): the operator exists from opset 20 on" in done.stdout
    assert not (tmp_path / "out.om").exists()


def test_out_nodes_choose_the_outputs(compile_om, run, atc, tmp_path):
    nodes = [
        helper.make_node("Relu", ["x"], ["t"], name="relu"),
        helper.make_node("Nonsense", ["t"], ["y"], name="tail"),
    ]
    model = save(tmp_path / "m.onnx", nodes, {"x": [4]}, {"y": [4]})
    for value in ("relu:0", "t"):
        done = compile_om(model, tmp_path / "out", f"--out_nodes={value}")
        assert done.status == 0, done.stdout
    done = compile_om(model, tmp_path / "out", "--out_nodes=relo:0")
    assert done.status == 255
    assert "Did you mean [relu]?" in done.stdout
