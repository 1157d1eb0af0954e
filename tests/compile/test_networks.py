"""Trained networks become OM files that Netron opens, with the source's interface and weights."""

import hashlib
import json

import numpy as np
import onnx
import onnxruntime
import pytest
from compile.conftest import SHAPES, shape_flag
from om.netron_reader import read_with_netron
from onnx import numpy_helper

SHOWN_AS = {
    "float32": "float32",
    "float16": "float16",
    "int64": "int64",
    "int32": "int32",
    "uint8": "uint8",
    "bool": "boolean",
}
NETWORKS = [
    "basic_pitch",
    "magika_v3_3",
    "mtcnn_onet",
    "mtcnn_pnet",
    "mtcnn_rnet",
    "oww_alexa",
    "oww_embedding",
    "oww_hey_jarvis",
    "oww_hey_marvin",
    "oww_hey_mycroft",
    "oww_melspectrogram",
    "ppocr_v2_cls",
    "ppocr_v4_det",
    "ppocr_v4_rec",
    "silero_vad_v4",
    "silero_vad_v6",
    "silero_vad_v6_16k_op15",
    "silero_vad_v6_16k_sequence",
    "silero_vad_v6_ifless",
    "silero_vad_v6_static",
    "yolov8n_nudenet",
]


@pytest.fixture(scope="session", params=NETWORKS)
def compiled(request, models, compile_om, tmp_path_factory):
    """(name, source model, OM path) of each network."""
    source = models(request.param)
    output = tmp_path_factory.mktemp("om") / request.param
    done = compile_om(source, output, *shape_flag(request.param))
    assert done.status == 0, done.stdout + done.stderr
    return request.param, onnx.load(source), output.with_suffix(".om")


def tensors_of(graph):
    """Constants of a Netron graph: (sha256, bytes) pairs."""
    return {
        (value["tensor"]["sha256"], value["tensor"]["bytes"])
        for node in graph["nodes"]
        for port in node["inputs"]
        for value in port["values"]
        if value["tensor"]
    }


def test_inputs_keep_names_dtypes_and_shapes(compiled):
    name, model, om = compiled
    initializers = {tensor.name for tensor in model.graph.initializer}
    data = {n["name"]: n for n in read_with_netron(om)["graphs"][0]["nodes"] if n["type"] == "Data"}
    expected = [i for i in model.graph.input if i.name not in initializers]
    assert list(data) == [info.name for info in expected]
    for info in expected:
        dims = SHAPES.get(name, {}).get(info.name)
        if dims is None:
            dims = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        shown = data[info.name]["outputs"][0]["values"][0]["type"]
        assert shown["shape"] == dims
        numpy_type = onnx.helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
        assert shown["dtype"] == SHOWN_AS[numpy_type.name]


def test_every_large_weight_is_stored_unchanged(compiled):
    _, model, om = compiled
    stored = set()
    for graph in read_with_netron(om)["graphs"]:
        stored |= tensors_of(graph)
    read = {name for node in model.graph.node for name in node.input}
    for tensor in model.graph.initializer:
        if tensor.name not in read:
            continue
        data = numpy_helper.to_array(tensor).tobytes()
        if len(data) > 64 * 1024:
            assert (hashlib.sha256(data).hexdigest(), len(data)) in stored, tensor.name


def test_outputs_have_the_shapes_of_onnxruntime(compiled):
    name, model, om = compiled
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    feeds = {}
    for info in session.get_inputs():
        dims = SHAPES.get(name, {}).get(info.name, info.shape)
        dtype = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32}
        feeds[info.name] = np.zeros(dims, dtype[info.type])
        if info.name == "sr":
            feeds[info.name] = np.array(16000, np.int64)
    results = session.run(None, feeds)
    net_output = next(
        n for n in read_with_netron(om)["graphs"][0]["nodes"] if n["type"] == "NetOutput"
    )
    shown = [value["type"] for port in net_output["inputs"] for value in port["values"]]
    assert [SHOWN_AS[result.dtype.name] for result in results] == [s["dtype"] for s in shown]
    for result, type_ in zip(results, shown, strict=True):
        assert len(type_["shape"]) == result.ndim
        for dim, real in zip(type_["shape"], result.shape, strict=True):
            assert dim in (real, -1)


def test_json_view_has_the_nodes_that_netron_sees(compiled, run, atc, tmp_path):
    _, _, om = compiled
    done = run(atc, "--mode=1", f"--om={om}", f"--json={tmp_path}/model.json")
    assert done.status == 0, done.stdout
    view = json.loads((tmp_path / "model.json").read_text())
    seen = read_with_netron(om)["graphs"]
    assert [graph["name"] for graph in view["graph"]] == [graph["name"] for graph in seen]
    for graph, netron in zip(view["graph"], seen, strict=True):
        ops = [(op["name"], op["type"]) for op in graph["op"] if op["type"] != "Const"]
        assert ops == [(node["name"], node["type"]) for node in netron["nodes"]]


def test_facts_of_the_model_match_the_file(compiled, run, atc):
    _, _, om = compiled
    done = run(atc, "--mode=6", f"--om={om}")
    assert done.status == 0
    assert "soc_version[Ascend310P3], framework_type[Onnx]" in done.stdout
