"""--modify_mixlist, --keep_dtype, --customize_dtypes."""

import json

import numpy as np
import pytest
from passes.models import model, node

MIXED = "--precision_mode_v2=mixed_float16"


def net():
    return model(
        [
            node("MatMul", "x,w", "mm"),
            node("Relu", "mm", "r"),
            node("ReduceMax", "r", "y", axes=[1]),
        ],
        {"x": [2, 4]},
        ["y"],
        {"w": np.eye(4, dtype=np.float32)},
        opset=13,
    )


@pytest.fixture
def file(tmp_path):
    """Call as ``file(flag, content)``; returns the word for the command line."""

    def call(flag, content):
        path = tmp_path / f"{flag}.txt"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return f"--{flag}={path}"

    return call


def test_white_black_and_gray_operators(build, file):
    assert set(build(net(), MIXED).dtypes().values()) == {"float16", "float32"}
    assert build(net(), MIXED).dtypes()["r"] == "float16"  # gray: as its producer
    black = file("modify_mixlist", {"black-list": {"to-add": ["BatchMatMulV2"]}})
    dtypes = build(net(), MIXED, black).dtypes()
    assert (dtypes["mm"], dtypes["r"]) == ("float32", "float32")
    white = file(
        "modify_mixlist",
        {
            "black-list": {"to-add": ["BatchMatMulV2"]},
            "white-list": {"to-remove": ["BatchMatMulV2"], "to-add": ["Relu"]},
        },
    )
    dtypes = build(net(), MIXED, white).dtypes()
    assert (dtypes["mm"], dtypes["r"]) == ("float32", "float16")


def test_what_is_only_removed_becomes_gray(build, file):
    """A gray matrix product is lowered for its own sake, where its producer says nothing."""
    flag = file("modify_mixlist", {"white-list": {"to-remove": ["BatchMatMulV2"]}})
    assert build(net(), MIXED, flag).dtypes()["mm"] == "float16"


@pytest.mark.parametrize("op_type", ["Add", "Mul"])
def test_a_gray_operator_of_two_kinds_of_operands_reads_them_in_float32(build, file, op_type):
    """Ascend910_95 has kernels for a float16 and a float32 operand."""
    nodes = [
        node("MatMul", "x,w", "narrow"),
        node("Softmax", "x", "wide", axis=-1),
        node(op_type, "narrow,wide", "y"),
    ]
    wide = file(
        "modify_mixlist",
        {
            "black-list": {"to-add": ["SoftmaxV2"]},
            "white-list": {"to-remove": [op_type, "SoftmaxV2"]},
        },
    )
    weights = {"w": np.eye(4, dtype=np.float32)}
    built = build(model(nodes, {"x": [2, 4]}, ["y"], weights), MIXED, wide, soc="Ascend910_95")
    dtypes = built.dtypes()
    assert [dtypes[name] for name in ("narrow", "wide", "y")] == ["float16", "float32", "float32"]
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    soft = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    wanted = x + soft if op_type == "Add" else x * soft
    np.testing.assert_allclose(built.run({"x": x})["y"], wanted, 1e-6)


def test_lists_are_those_of_the_soc(build):
    """Pow is black on Ascend910B and gray on Ascend310P."""
    power = model(
        [node("MatMul", "x,x", "mm"), node("Pow", "mm,k", "p"), node("Relu", "p", "y")],
        {"x": [2, 2]},
        ["y"],
        {"k": np.float32(0.5)},
    )
    assert build(power, MIXED).dtypes()["p"] == "float16"
    assert build(power, MIXED, soc="Ascend910B1").dtypes()["p"] == "float32"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no JSON"),
        ("[]", "no object"),
        ({}, "no object"),
        ({"blck-list": {}}, "did you mean [black-list]"),
        ({"black-list": []}, "no object with to-add"),
        ({"black-list": {"to_add": []}}, "did you mean [to-add]"),
        ({"black-list": {"to-add": "Add"}}, "no array"),
        ({"black-list": {"to-add": [1]}}, "holds 1"),
        ({"black-list": {"to-add": ["Add"]}, "white-list": {"to-add": ["Add"]}}, "added twice"),
        ({"black-list": {"to-add": ["Add"], "to-remove": ["Add"]}}, "and removed from it"),
        ('{"black-list": {}, "black-list": {"to-add": ["Add"]}}', "[black-list] stands twice"),
    ],
)
def test_faults_of_the_mix_list(build, file, content, said):
    text = build(net(), MIXED, file("modify_mixlist", content), fails=True).text
    assert "(E21002)" in text
    assert said in text


def test_all_faults_of_the_files_are_told_at_once(build, file):
    mix = file("modify_mixlist", {"black-list": {"to-add": [1, 2]}, "green-list": {}})
    keep = file("keep_dtype", "OpType::\n")
    custom = file("customize_dtypes", "a\nb::InputDtype:float17\n")
    text = build(net(), MIXED, mix, keep, custom, fails=True).text
    for said in ("holds 1", "holds 2", "green-list", "[OpType::]", "[a] of", "[float17] of"):
        assert said in text, said


def test_kept_nodes_have_the_dtypes_of_the_network(build, file):
    by_name = build(net(), file("keep_dtype", "\nr\n\n")).dtypes()
    assert (by_name["mm"], by_name["r"]) == ("float16", "float32")
    by_type = build(net(), file("keep_dtype", "OpType::BatchMatMulV2")).dtypes()
    assert (by_type["mm"], by_type["r"]) == ("float32", "float16")


def test_lines_that_meet_no_node_are_warned_of(build, file):
    built = build(net(), file("keep_dtype", "nobody\nOpType::Cos\nr"))
    assert "the network has no node nobody" in built.text
    assert "the network has no operator of type Cos" in built.text


def test_types_that_can_be_none_are_faults(build, file):
    for line in ("OpType::", "OpType::relu", "OpType::Mat Mul"):
        assert "(E10003)" in build(net(), file("keep_dtype", line), fails=True).text


def test_keeping_says_nothing_where_all_is_kept(build, file):
    flag = file("keep_dtype", "nobody")
    built = build(net(), flag, "--precision_mode_v2=origin")
    assert "nobody" not in built.text.split("keep_dtype.txt")[-1]


def test_custom_dtypes_beat_mode_and_keep_dtype(build, file):
    custom = file("customize_dtypes", "r::InputDtype:float16,OutputDtype:FLOAT16")
    keep = file("keep_dtype", "r")
    dtypes = build(net(), custom, keep).dtypes()
    assert dtypes["r"] == "float16"
    dtypes = build(net(), custom, "--precision_mode_v2=origin").dtypes()
    assert (dtypes["mm"], dtypes["r"]) == ("float32", "float16")


@pytest.mark.parametrize(
    "line",
    ["OpType::Relu:InputDtype:float32", "r::OutputDtype:float", "r::InputDtype:,OutputDtype:float"],
)
def test_forms_of_a_line(build, file, line):
    assert build(net(), file("customize_dtypes", line)).dtypes()["r"] == "float32"


def test_the_result_of_a_view_may_be_asked_for(build, file):
    nodes = [node("Relu", "x", "r"), node("Reshape", "r,s", "v"), node("Neg", "v", "y")]
    view = model(nodes, {"x": [2, 4]}, ["y"], {"s": np.array([8])})
    for word in ("float32", "float16"):
        custom = file("customize_dtypes", f"v::OutputDtype:{word}")
        assert build(view, custom).dtypes()["v"] == word


def test_a_name_beats_a_type_and_the_first_line_the_second(build, file):
    lines = [
        "OpType::Relu:InputDtype:float16",
        "r::InputDtype:float32",
        "r::InputDtype:float16",
    ]
    assert build(net(), file("customize_dtypes", "\n".join(lines))).dtypes()["r"] == "float32"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "E20101"),
        ("# comment", "E20101"),
        ("r", "E20101"),
        ("r:InputDtype:float16", "E20101"),
        ("::InputDtype:float16", "E20101"),
        ("OpType::Relu::InputDtype:float16", "E20101"),
        ("r::InputDtype:float16OutputDtype:float16", "E20101"),
        ("r::InputDtype:half", "E20003"),
    ],
)
def test_faults_of_a_line(build, file, line, code):
    content = line + "\nmm::InputDtype:float16\n"
    assert f"({code})" in build(net(), file("customize_dtypes", content), fails=True).text


def test_bytes_of_a_file_that_is_no_text_do_not_reach_the_terminal(build, file):
    text = build(net(), file("customize_dtypes", "\x1b[31mr\0\r"), fails=True).text
    assert "[\\x1b[31mr\\x00" in text
    assert "\x1b" not in text


def test_a_missing_file_is_named(build, tmp_path):
    text = build(net(), f"--customize_dtypes={tmp_path / 'none'}", fails=True).text
    assert "(E20101)" in text


def test_a_dtype_that_the_operator_cannot_have_fails_with_its_name(build, file):
    text = build(net(), file("customize_dtypes", "r::InputDtype:double"), fails=True).text
    assert "(E14001)" in text
    assert "Node [r] of type [Relu]" in text
    text = build(net(), file("customize_dtypes", "r::InputDtype:,float16"), fails=True).text
    assert "input 1, which it does not have" in text
