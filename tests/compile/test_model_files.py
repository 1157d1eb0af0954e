"""What an ONNX file may hold besides nodes: external data, typed fields, functions, odd order."""

import hashlib

import numpy as np
import onnx
import pytest
from compile.conftest import save
from om.netron_reader import read_with_netron
from onnx import TensorProto, helper, numpy_helper

WEIGHT = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)


@pytest.fixture
def external_model(tmp_path):
    """MatMul whose weight stands in weights/w.bin, at offset 4096."""
    tensor = TensorProto(name="w", data_type=1, dims=WEIGHT.shape, data_location=1)
    place = {"location": "weights/w.bin", "offset": "4096", "length": str(WEIGHT.nbytes)}
    for key, value in place.items():
        tensor.external_data.add(key=key, value=value)
    model = save(
        tmp_path / "m.onnx",
        [helper.make_node("MatMul", ["x", "w"], ["y"], name="mm")],
        {"x": [1, 64]},
        {"y": [1, 64]},
    )
    loaded = onnx.load(model)
    loaded.graph.initializer.append(tensor)
    model.write_bytes(loaded.SerializeToString())
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "w.bin").write_bytes(bytes(4096) + WEIGHT.tobytes())
    return model


def set_place(model, key, value):
    loaded = onnx.load(model, load_external_data=False)
    for entry in loaded.graph.initializer[0].external_data:
        if entry.key == key:
            entry.value = value
    model.write_bytes(loaded.SerializeToString())


def test_external_data_is_stored_unchanged(external_model, compile_om, tmp_path):
    done = compile_om(external_model, tmp_path / "out")
    assert done.status == 0, done.stdout
    om = (tmp_path / "out.om").read_bytes()
    assert WEIGHT.tobytes() in om


def test_missing_external_file_is_named_with_its_tensor(external_model, compile_om, tmp_path):
    (tmp_path / "weights" / "w.bin").unlink()
    done = compile_om(external_model, tmp_path / "out")
    assert done.status == 255
    assert "weights/w.bin" in done.stdout
    assert "[w]" in done.stdout


def test_short_external_file_is_refused(external_model, compile_om, tmp_path):
    (tmp_path / "weights" / "w.bin").write_bytes(bytes(5000))
    done = compile_om(external_model, tmp_path / "out")
    assert done.status == 255
    assert "5000" in done.stdout


@pytest.mark.parametrize("key", ["offset", "length"])
@pytest.mark.parametrize("value", ["-4", "4096 bytes", "0x10", "99999999999999999999999"])
def test_a_place_that_is_no_number_is_refused(external_model, compile_om, tmp_path, key, value):
    set_place(external_model, key, value)
    done = compile_om(external_model, tmp_path / "out")
    assert done.status == 255
    assert f"[{value}]" in done.stdout
    assert "[w]" in done.stdout
    assert not (tmp_path / "out.om").exists()


@pytest.mark.parametrize("location", ["../secret.bin", "/etc/hostname", "weights/../../secret.bin"])
def test_external_data_stays_in_the_folder_of_the_model(
    external_model, compile_om, tmp_path, location
):
    set_place(external_model, "location", location)
    done = compile_om(external_model, tmp_path / "out")
    assert done.status == 255
    assert "leaves the folder of the model" in done.stdout


def test_a_link_out_of_the_folder_is_refused(
    external_model, compile_om, tmp_path, tmp_path_factory
):
    outside = tmp_path_factory.mktemp("outside") / "w.bin"
    (tmp_path / "weights" / "w.bin").rename(outside)
    (tmp_path / "weights" / "w.bin").symlink_to(outside)
    done = compile_om(external_model, tmp_path / "out")
    assert done.status == 255
    assert "outside the folder of the model" in done.stdout


def test_typed_fields_hold_the_same_values_as_raw_data(compile_om, tmp_path):
    values = WEIGHT[:8, :8]
    digest = hashlib.sha256(values.tobytes()).hexdigest()
    for name, tensor in {
        "raw": numpy_helper.from_array(values, "w"),
        "typed": helper.make_tensor("w", TensorProto.FLOAT, values.shape, values.ravel()),
    }.items():
        model = onnx.load(
            save(
                tmp_path / f"{name}.onnx",
                [helper.make_node("MatMul", ["x", "w"], ["y"])],
                {"x": [1, 8]},
                {"y": [1, 8]},
            )
        )
        model.graph.initializer.append(tensor)
        onnx.save(model, tmp_path / f"{name}.onnx")
        done = compile_om(tmp_path / f"{name}.onnx", tmp_path / name)
        assert done.status == 0, done.stdout
        assert digest in {
            value["tensor"]["sha256"]
            for node in read_with_netron(tmp_path / f"{name}.om")["graphs"][0]["nodes"]
            for port in node["inputs"]
            for value in port["values"]
            if value["tensor"]
        }


def test_functions_are_inlined_with_their_attributes(compile_om, tmp_path):
    scaled = helper.make_node("LeakyRelu", ["a"], ["b"], name="leaky")
    scaled.attribute.add(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT)
    function = helper.make_function(
        "own", "Twice", ["a"], ["c"],
        [scaled, helper.make_node("Add", ["b", "b"], ["c"], name="add")],
        [helper.make_opsetid("", 13)], ["slope"],
    )  # fmt: skip
    model = onnx.load(
        save(
            tmp_path / "m.onnx",
            [helper.make_node("Twice", ["x"], ["y"], name="call", domain="own", slope=0.25)],
            {"x": [4]},
            {"y": [4]},
        )
    )
    model.functions.append(function)
    model.opset_import.append(helper.make_opsetid("own", 1))
    onnx.save(model, tmp_path / "m.onnx")
    done = compile_om(tmp_path / "m.onnx", tmp_path / "out")
    assert done.status == 0, done.stdout
    nodes = {n["name"]: n for n in read_with_netron(tmp_path / "out.om")["graphs"][0]["nodes"]}
    assert nodes["call/leaky"]["attributes"]["negative_slope"] == pytest.approx(0.25)
    assert nodes["call/add"]["type"] == "Add"


def test_nodes_out_of_order_are_sorted(compile_om, tmp_path):
    nodes = [
        helper.make_node("Neg", ["t"], ["y"], name="second"),
        helper.make_node("Relu", ["x"], ["t"], name="first"),
    ]
    model = save(tmp_path / "m.onnx", nodes, {"x": [4]}, {"y": [4]})
    done = compile_om(model, tmp_path / "out")
    assert done.status == 0, done.stdout
    names = [n["name"] for n in read_with_netron(tmp_path / "out.om")["graphs"][0]["nodes"]]
    assert names.index("first") < names.index("second")


def test_a_cycle_is_an_error(compile_om, tmp_path):
    nodes = [
        helper.make_node("Add", ["x", "b"], ["a"], name="one"),
        helper.make_node("Neg", ["a"], ["b"], name="two"),
    ]
    done = compile_om(save(tmp_path / "m.onnx", nodes, {"x": [4]}, {"a": [4]}), tmp_path / "out")
    assert done.status == 255
    assert "depends on its own output" in done.stdout
