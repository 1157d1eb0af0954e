"""--fusion_switch_file, --optimization_switch, --oo_level and --oo_*: which passes run."""

import json

import numpy as np
import onnx
import pytest
from cli.screen import error_block
from onnx import TensorProto, helper, numpy_helper

import ge.om

FUSED = {"Conv2D": 1}
PLAIN = {"Conv2D": 1, "BNInfer": 1, "Identity": 1}


@pytest.fixture(scope="module", autouse=True)
def network(folder):
    """conv.onnx: a convolution, an Identity, a batch normalisation."""
    rng = np.random.default_rng(5)
    constants = {"w": rng.standard_normal((4, 3, 3, 3)), "v": rng.random(4) + 0.5}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv"),
        helper.make_node("Identity", ["c"], ["i"], name="same"),
        helper.make_node("BatchNormalization", ["i", "v", "v", "v", "v"], ["y"], name="norm"),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 6, 6])],
        [numpy_helper.from_array(a.astype(np.float32), name) for name, a in constants.items()],
    )
    imports = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=8), folder / "conv.onnx")


@pytest.fixture
def operators(build, folder):
    """Call as ``operators(file=text, flag=value)``: what the OM of conv.onnx computes with."""

    def call(*, file=None, **flags):
        if file is not None:
            (folder / "switch.cfg").write_text(file)
            flags["fusion_switch_file"] = "switch.cfg"
        done = build(model="conv.onnx", output="conv", input_format="NCHW", **flags)
        assert done.status == 0, done.stdout
        with ge.om.load(folder / "conv.om") as model:
            return model.graph.operators()

    return call


def as_json(**parts):
    return json.dumps({"Switch": parts})


@pytest.mark.parametrize(
    "file",
    [
        "ConvBatchnormFusionPass:off\nIdentityPass:off\n",
        "\r\n ConvBatchnormFusionPass : off \r\nFuseConvBias:on\nRemoveIdentity:off",
        as_json(GraphFusion={"ConvBatchnormFusionPass": "off", "RemoveIdentity": "off"}),
        as_json(GraphFusion={"ALL": "off", "IdentityPass": "off"}, UBFusion={"ALL": "off"}),
    ],
)
def test_a_file_turns_passes_off(operators, file):
    assert operators(file=file) == PLAIN


@pytest.mark.parametrize(
    "file",
    [
        "SoftmaxFusionPass:off",
        as_json(GraphFusion={"ALL": "off", "ConvBatchnormFusionPass": "on"}),
        as_json(UBFusion={"ALL": "off", "TbeEltwiseFusionPass": "off"}),
        as_json(GraphFusion={"ALL": "on"}),
        as_json(),
    ],
)
def test_a_file_leaves_the_other_passes_on(operators, file):
    assert operators(file=file) == FUSED


def test_without_a_switch_all_passes_run(operators):
    assert operators() == FUSED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ConvBatchnormFusionPass:off;RemoveIdentity:off", PLAIN),
        ("RemoveIdentity:off;RemoveIdentity:on;", FUSED),
        ("forbidden_close_pass:on;ConvBatchnormFusionPass:on", FUSED),
    ],
)
def test_optimization_switch_names_passes(operators, text, expected):
    assert operators(optimization_switch=text) == expected


def test_optimization_switch_beats_the_file(operators):
    file = "ConvBatchnormFusionPass:off\nRemoveIdentity:off"
    switch = "FuseConvBatchNorm:on;RemoveIdentity:on"
    assert operators(file=file, optimization_switch=switch) == FUSED


@pytest.mark.parametrize("item", ["NoSuchPass:off", "FuseConvBias:yes", "FuseConvBias", ":on"])
def test_an_item_without_effect_is_answered_with_a_warning(build, item):
    done = build(optimization_switch=f"{item};FuseConvBias:off")
    assert done.status == 0
    assert "W10001): [--optimization_switch] has no effect: [" in done.stdout


def test_level_1_leaves_fusions_out_but_for_the_bias(operators):
    assert operators(oo_level="O1") == PLAIN
    assert operators(oo_level="O1", optimization_switch="IdentityPass:on") == {
        "Conv2D": 1,
        "BNInfer": 1,
    }
    assert operators(oo_level="O3") == FUSED


@pytest.mark.parametrize(
    ("file", "code", "words"),
    [
        ("", "E21001", "it is empty"),
        (" \n", "E21001", "it is empty"),
        ("ConvBatchnormFusionPass", "E20003", "a line is RULE:on or RULE:off"),
        ("ConvBatchnormFusionPass:of", "E20003", "a switch is on or off"),
        ("ConvBatchnormFusionPass:off\nConvBatchnormFusionPass:on", "E20003", "switched twice"),
        ("ConvBatchNormFusionPass:off", "E20003", "did you mean [ConvBatchnormFusionPass]?"),
        ('{"Switch": {"GraphFusion": {"ALL": "off"}}', "E20003", "not valid JSON at byte"),
        ('{"Switch": []}', "E20003", "its one key is Switch"),
        ('{"switch": {}}', "E20003", "its one key is Switch"),
        (as_json(Fusion={}), "E20003", "[Fusion]"),
        (as_json(GraphFusion=[]), "E20003", "[GraphFusion]"),
        (as_json(GraphFusion={"ALL": "maybe"}), "E20003", "[ALL:maybe]"),
        (as_json(GraphFusion={"ALL": 1}), "E20003", "[ALL:1]"),
        (as_json(UBFusion={"NoSuchRule": "off"}), "E20003", "no pass has this name"),
        ('{"Switch": {"GraphFusion": {"ALL": "on", "ALL": "on"}}}', "E20003", "switched twice"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(build, folder, file, code, words):
    (folder / "bad.cfg").write_text(file)
    block = error_block(build(fusion_switch_file="bad.cfg").stdout)
    assert block.code == code
    assert words in block.lines[0]
    assert "--fusion_switch_file" in block.lines[0]


def test_a_file_that_is_not_there(build):
    assert error_block(build(fusion_switch_file="none.cfg").stdout).code == "E21001"


def test_all_faults_of_a_file_are_reported(build, folder):
    (folder / "bad.cfg").write_text("NoSuchPass:off\nALL:maybe\nFuseConvBias")
    block = error_block(build(fusion_switch_file="bad.cfg").stdout)
    assert (block.code, len(block.others)) == ("E20003", 2)


def test_without_folding_floats_stay_and_shapes_are_known(build, folder):
    nodes = [
        helper.make_node("Add", ["a", "a"], ["b"]),
        helper.make_node("Mul", ["a", "b"], ["y"]),
        helper.make_node("Add", ["s", "s"], ["t"]),
        helper.make_node("Reshape", ["x", "t"], ["r"]),
        helper.make_node("Relu", ["r"], ["z"]),
    ]
    constants = {"a": np.full(40, 3, np.float32), "s": np.array([2, 8])}
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
        [onnx.ValueInfoProto(name=name) for name in ("z", "y")],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "fold.onnx")
    results = {}
    for value in ("true", "false"):
        done = build(model="fold.onnx", output="fold", oo_constant_folding=value)
        assert done.status == 0, done.stdout
        with ge.om.load(folder / "fold.om") as opened:
            results[value] = opened.graph.operators()
            assert [port.shape for port in opened.outputs] == [(4, 16), (40,)]
            y = opened.run({"x": np.zeros((1, 64), np.float32)})["y"]
            np.testing.assert_array_equal(y, np.full(40, 18, np.float32))
    assert "Mul" not in results["true"]
    assert results["false"] == {"Add": 1, "Mul": 1, "Relu": 1, "Reshape": 1}


@pytest.mark.parametrize(("value", "has_if"), [("true", False), ("false", True)])
def test_an_if_with_a_constant_condition(build, folder, value, has_if):
    branches = {
        f"{name}_branch": helper.make_graph(
            [helper.make_node(op_type, ["x"], [name])],
            name,
            [],
            [onnx.ValueInfoProto(name=name)],
        )
        for name, op_type in (("then", "Relu"), ("else", "Neg"))
    }
    graph = helper.make_graph(
        [helper.make_node("If", ["c"], ["y"], **branches)],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])],
        [onnx.ValueInfoProto(name="y")],
        [numpy_helper.from_array(np.array(False), "c")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "if.onnx")
    assert build(model="if.onnx", output="if", oo_dead_code_elimination=value).status == 0
    with ge.om.load(folder / "if.om") as opened:
        assert ("If" in opened.graph.operators()) is has_if
        y = opened.run({"x": np.array([-1, 0, 2], np.float32)})["y"]
    np.testing.assert_array_equal(y, np.array([1, 0, -2], np.float32))
