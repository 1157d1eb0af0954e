"""DUMP_GE_GRAPH: the graph at the stages of a compile, read by other parsers than ours."""

import os

import numpy as np
import onnx
import pytest
from compile.conftest import compile_command, save
from google.protobuf import text_format
from om.om_files import message, read_om
from onnx import TensorProto, helper

STAGES = [
    "PreRunBegin",
    "AfterInfershape",
    "PreRunAfterOptimizeOriginalGraph",
    "AfterPrecisionRefine",
    "PreRunAfterOptimizeGraphBeforeBuild",
    "Build",
    "PreRunAfterBuild",
]
MARKED = [STAGES[i] for i in (0, 1, 2, 4, 5)]


@pytest.fixture
def network(tmp_path):
    """A product, a Swish written out and a branch."""
    info = helper.make_tensor_value_info
    then = helper.make_graph(
        [helper.make_node("Relu", ["y"], ["a"])], "yes", [], [info("a", TensorProto.FLOAT, None)]
    )
    other = helper.make_graph(
        [helper.make_node("Exp", ["y"], ["b"])], "no", [], [info("b", TensorProto.FLOAT, None)]
    )
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], name="product"),
        helper.make_node("Sigmoid", ["m"], ["s"], name="sigmoid"),
        helper.make_node("Mul", ["m", "s"], ["y"], name="mul"),
        helper.make_node("If", ["flag"], ["z"], name="if", then_branch=then, else_branch=other),
    ]
    w = np.arange(3 * 40_000, dtype=np.float32).reshape(3, 40_000)  # converted when written
    inputs = {"x": [2, 3], "flag": (TensorProto.BOOL, [1])}
    return save(tmp_path / "net.onnx", nodes, inputs, {"z": [2, 40_000]}, {"w": w})


@pytest.fixture
def dumped(run, atc, network, tmp_path):
    """Call as ``dumped(**variables)``: how atc ended, and the files by their names."""

    def call(*flags, **variables):
        env = {"DUMP_GRAPH_PATH": tmp_path / "dumps", **variables}
        done = run(*compile_command(atc, network, tmp_path / "net", *flags), env=env)
        folder = tmp_path / "dumps"
        files = sorted(folder.iterdir()) if folder.exists() else []
        return done, {path.name: path for path in files}

    return call


def as_onnx(path):
    return text_format.Parse(path.read_text(), onnx.ModelProto())


def as_model_def(path):
    return text_format.Parse(path.read_text(), message("ModelDef"))


def attribute(node, name):
    return next(helper.get_attribute_value(a) for a in node.attribute if a.name == name)


def names(stages):
    files = []
    for i, stage in enumerate(stages):
        files.append(f"ge_onnx_{i:08}_graph_0_{stage}.pbtxt")
        files.append(f"ge_proto_{i:08}_graph_0_{stage}.txt")
    return sorted(files)


@pytest.mark.parametrize(
    ("level", "stages"),
    [
        (None, MARKED),
        ("1", STAGES),
        ("2", MARKED),
        ("3", STAGES[-1:]),
        ("4", STAGES[:1]),
        ("Infershape|AfterBuild", [STAGES[1], STAGES[-1]]),
    ],
)
def test_the_level_chooses_stages(dumped, level, stages):
    done, files = dumped(DUMP_GE_GRAPH="2", DUMP_GRAPH_LEVEL=level)
    assert (done.status, sorted(files)) == (0, names(stages))


def test_onnx_form_follows_the_compile(dumped):
    _, files = dumped(DUMP_GE_GRAPH="1", DUMP_GRAPH_LEVEL="1", DUMP_GRAPH_FORMAT="onnx")
    graphs = [as_onnx(path).graph for path in files.values()]
    assert len(graphs) == len(STAGES)
    kinds = [[node.op_type for node in graph.node] for graph in graphs]
    assert "ge:Sigmoid" in kinds[0]
    assert "ge:Swish" not in kinds[0]
    assert "ge:Swish" in kinds[2]
    assert "ge:Sigmoid" not in kinds[2]
    for graph in graphs:
        made = {name for node in graph.node for name in node.output}
        assert {name for node in graph.node for name in node.input} <= made
        product = next(node for node in graph.node if "MatMul" in node.op_type)
        assert list(attribute(product, "input_desc_shape:0")) == [2, 3]
        assert attribute(product, "output_desc_dtype:0") == b"DT_FLOAT"
        constant = next(node for node in graph.node if node.name == product.input[1][:-2])
        value = onnx.numpy_helper.to_array(attribute(constant, "value"))
        np.testing.assert_array_equal(value, np.arange(120_000).reshape(3, 40_000))
        branch = next(node for node in graph.node if node.op_type == "ge:If")
        inner = [n.op_type for i in (0, 1) for n in attribute(branch, f"subgraph:{i}").node]
        assert {"ge:Relu", "ge:Exp"} <= set(inner)


def test_the_detail_says_what_is_left_out(dumped):
    sizes = []
    for detail in "123":
        _, files = dumped(DUMP_GE_GRAPH=detail, DUMP_GRAPH_LEVEL="4")
        (form, proto) = files.values()
        attrs = {a.name for node in as_onnx(form).graph.node for a in node.attribute}
        assert ("value" in attrs) == (detail == "1")
        assert ("input_desc_shape:0" in attrs) == (detail != "3")
        data = [op.attr["value"].t.data for op in as_model_def(proto).graph[0].op]
        assert any(data) == (detail == "1")
        sizes.append(form.stat().st_size)
    assert sizes == sorted(sizes, reverse=True)


def test_proto_form_of_the_last_stage_is_the_definition_in_the_file(dumped, tmp_path):
    _, files = dumped(DUMP_GE_GRAPH="2", DUMP_GRAPH_LEVEL="3", DUMP_GRAPH_FORMAT="ge_proto")
    (dump,) = map(as_model_def, files.values())
    written = read_om(tmp_path / "net.om").model_def()
    assert [graph.SerializeToString(deterministic=True) for graph in dump.graph] == [
        graph.SerializeToString(deterministic=True) for graph in written.graph
    ]


def test_constants_of_the_last_stage_are_those_of_the_weights(dumped, tmp_path):
    _, files = dumped(
        "--precision_mode_v2=fp16",
        DUMP_GE_GRAPH="1",
        DUMP_GRAPH_LEVEL="3",
        DUMP_GRAPH_FORMAT="ge_proto",
    )
    (dump,) = map(as_model_def, files.values())
    weights = read_om(tmp_path / "net.om").partition(1)
    tensors = [op.attr["value"].t for op in dump.graph[0].op if op.type == "Const"]
    assert any(tensor.desc.dtype == 2 for tensor in tensors)  # float16
    for tensor in tensors:
        start = tensor.desc.data_offset
        assert tensor.data == weights[start : start + len(tensor.data)]
        assert len(tensor.data) == tensor.desc.size


def test_the_model_has_the_same_bytes_with_and_without_dumps(dumped, tmp_path):
    dumped()
    before = (tmp_path / "net.om").read_bytes()
    dumped(DUMP_GE_GRAPH="1", DUMP_GRAPH_LEVEL="1")
    assert (tmp_path / "net.om").read_bytes() == before


def test_without_the_switch_nothing_is_dumped(dumped, tmp_path):
    done, files = dumped(DUMP_GRAPH_LEVEL="nonsense")
    assert (done.status, files) == (0, {})
    assert not (tmp_path / "dumps").exists()


def test_the_folder_is_that_of_the_variable_then_the_work_folder(dumped, tmp_path):
    dumped(DUMP_GE_GRAPH="3", DUMP_GRAPH_PATH=None, ASCEND_WORK_PATH=tmp_path / "work")
    assert sorted(os.listdir(tmp_path / "work")) == ["FE", *names(MARKED)]


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"DUMP_GE_GRAPH": "4"}, ["[4] of [DUMP_GE_GRAPH]", "1 (all)"]),
        ({"DUMP_GRAPH_LEVEL": "0"}, ["[0] of [DUMP_GRAPH_LEVEL]", "PreRunBegin"]),
        ({"DUMP_GRAPH_FORMAT": "onnx|json"}, ["[json] of [DUMP_GRAPH_FORMAT]", "ge_proto"]),
        ({"DUMP_GRAPH_FORMAT": "readable"}, ["DUMP_GRAPH_FORMAT=readable is not supported yet"]),
        ({"DUMP_GRAPH_PATH": "/dev/null/x"}, ["[/dev/null/x] of [DUMP_GRAPH_PATH]"]),
    ],
)
def test_values_that_mean_nothing_are_refused_before_the_compile(
    dumped, tmp_path, variables, words
):
    done, files = dumped(**{"DUMP_GE_GRAPH": "1", **variables})
    assert (done.status, files) == (255, {})
    assert all(word in done.stdout for word in words), done.stdout
    assert not (tmp_path / "net.om").exists()
