"""What is wrong in a file of single operators: code, place and what to do."""

import json
import os
import re
import signal
import subprocess
import time

import hypothesis
import pytest
from cli.screen import error_block, mentions
from hypothesis import strategies as st
from singleop.words import add, op, tensor


def with_input(**changes):
    """A file whose first input differs; None takes a key away."""
    changed = {k: v for k, v in (tensor(2, 3) | changes).items() if v is not None}
    return [op("Add", [changed, tensor(2, 3)], [tensor(2, 3)])]


def with_output(**changes):
    return [op("Add", [tensor(2, 3)] * 2, [tensor(2, 3) | changes])]


def with_attr(*attr, **row):
    keys = dict(zip(("name", "type", "value"), attr, strict=True)) if attr else row
    return [add(attr=[keys])]


def const(values, dtype="int32", **more):
    return with_input(type=dtype, shape=[2], is_const=True, const_value=values, **more)


FIRST = "[0].input_desc[0]"
FAULTS = [
    # What is no operator
    ([5], "E10026", "[0]", "[5]"),
    (["op"], "E10026", "[0]", '["op"]'),
    ([{}], "E10026", "[0]", "[op] is missing"),
    ([add(op="")], "E10026", "[0]", "[op] is empty"),
    ({"first": add(), "second": 1}, "E10026", "second", "[1]"),
    ([add(op=3)], "E10032", "[0].op", "[3], not a text"),
    ([add(op=None)], "E10032", "[0].op", "[null]"),
    ([add(name=[])], "E10032", "[0].name", "a list"),
    ([add(input_desc={})], "E10032", "[0].input_desc", "an object, not a list"),
    ([add(attr="x")], "E10032", "[0].attr", "not a list"),
    ([add(compile_flag=2)], "E10032", "[0].compile_flag", "not 0 or 1"),
    ([add(compile_flag=True)], "E10032", "[0].compile_flag", "not a whole number"),
    # Types and formats
    (with_input(type="float17"), "E10027", f"{FIRST}.type", "(did you mean [float16]?)"),
    (with_input(type="half"), "E10027", f"{FIRST}.type", "float16"),
    (with_input(type="fp16"), "E10027", f"{FIRST}.type", "float16"),
    (with_input(type=["float16"]), "E10032", f"{FIRST}.type", "a list, not a text"),
    (with_input(type=None), "E10032", FIRST, "[type] is missing"),
    (with_input(format="NDD"), "E10027", f"{FIRST}.format", "(did you mean [nd]?)"),
    (with_input(format="C1HWNCoC0"), "E10027", f"{FIRST}.format", ""),
    (with_input(format=None), "E10032", FIRST, "[format] is missing"),
    (with_input(origin_format="x"), "E10027", f"{FIRST}.origin_format", ""),
    (with_input(type="UNDEFINED"), "E10027", FIRST, "RESERVED"),
    (with_input(format="RESERVED"), "E10027", FIRST, "UNDEFINED"),
    (with_input(name="x2"), "E13014", FIRST, "[x2], but here stands [x1]"),
    (with_output(type="UNDEFINED", format="RESERVED"), "E10027", "[0].output_desc[0]", "output"),
    # Shapes
    (with_input(shape=None), "E10032", FIRST, "[shape] is missing"),
    (with_input(shape=2), "E10032", f"{FIRST}.shape", "not a list"),
    (with_input(shape=[2, "3"]), "E10032", f"{FIRST}.shape[1]", '["3"], not a whole number'),
    (with_input(shape=[2, 1.5]), "E10032", f"{FIRST}.shape[1]", "[1.5]"),
    (with_input(shape=[2, 2**63]), "E10032", f"{FIRST}.shape[1]", "64 bits"),
    (with_input(shape=[2, -3]), "E13014", f"{FIRST}.shape[1]", "-3"),
    (with_input(shape=[-2, 3]), "E13014", f"{FIRST}.shape[0]", "unknown rank"),
    (with_input(origin_shape=[3, 2]), "E13014", f"{FIRST}.origin_shape", "not [shape]"),
    (with_input(shape_range=[[1, 2]]), "E13014", f"{FIRST}.shape_range", "0 dims of -1"),
    (with_input(shape=[-2], shape_range=[[1, 2]]), "E13014", f"{FIRST}.shape_range", ""),
    (with_input(shape=[-1, 3], shape_range=[[1]]), "E13014", f"{FIRST}.shape_range[0]", "LEAST"),
    (with_input(shape=[-1, 3], shape_range=[[3, 2]]), "E13014", f"{FIRST}.shape_range[0]", ""),
    (with_input(shape=[-1, 3], shape_range=[1]), "E10032", f"{FIRST}.shape_range[0]", "list"),
    # Constants
    (const([1]), "E13014", f"{FIRST}.const_value", "1 numbers"),
    (const([1, 2**31]), "E13014", f"{FIRST}.const_value[1]", "int32 cannot hold [2147483648]"),
    (const([1, 0.5]), "E13014", f"{FIRST}.const_value[1]", "0.5"),
    (const([-1, 0], "uint8"), "E13014", f"{FIRST}.const_value[0]", "uint8"),
    (const([1, 65520], "float16"), "E13014", f"{FIRST}.const_value[1]", "float16"),
    (const([2, 0], "bool"), "E13014", f"{FIRST}.const_value[0]", "bool"),
    (const([1, "2"]), "E10032", f"{FIRST}.const_value[1]", "not a number"),
    (const([1, True]), "E10032", f"{FIRST}.const_value[1]", "not a number"),
    (const([1, 2], "complex64"), "E13006", f"{FIRST}.const_value", "complex64"),
    (with_input(is_const=True), "E13014", f"{FIRST}.is_const", "[const_value]"),
    (with_input(is_const=1), "E10032", f"{FIRST}.is_const", "true or false"),
    (with_input(shape=[-1], is_const=True, const_value=[]), "E13014", f"{FIRST}.is_const", "shape"),
    # Attributes
    (with_attr("", "int", 1), "E10029", "[0].attr[0].name", "name"),
    (with_attr("axis", "integer", 1), "E13006", "[0].attr[0].type", "[integer]"),
    (with_attr("axis", "int", None), "E10030", "[0].attr[0].value", "[axis]"),
    (with_attr(name="axis", type="int"), "E10032", "[0].attr[0]", "[value] is missing"),
    (with_attr("axis", "int", "1"), "E10032", "[0].attr[0].value", "whole number"),
    (with_attr("axis", "bool", 1), "E10032", "[0].attr[0].value", "true or false"),
    (with_attr("axis", "float", 1e39), "E10032", "[0].attr[0].value", "float32"),
    (with_attr("axes", "list_int", 1), "E10032", "[0].attr[0].value", "not a list"),
    (with_attr("axes", "list_int", [1, "2"]), "E10032", "[0].attr[0].value[1]", "whole"),
    (with_attr("axes", "list_list_int", [[1], 2]), "E10032", "[0].attr[0].value[1]", "list"),
    (with_attr("to", "data_type", "DT_FLOAT17"), "E10032", "[0].attr[0].value", "DT_FLOAT"),
    (with_attr("to", "data_type", 5), "E10032", "[0].attr[0].value", "[5]"),
    ([add(attr=[3])], "E10032", "[0].attr[0]", "not an object"),
    ([add(attr=[{"name": "a", "type": "int", "value": 1}] * 2)], "E13014", "[0].attr[1].name", ""),
    # The file
    ([], "E10032", "ops.json:1", "no list that describes an operator"),
    ({}, "E10032", "ops.json:1", "no list"),
    ("3", "E10032", "ops.json:1", "no list"),
    ([{"compile_flag": 1}], "E10032", "ops.json:1", "no list"),
    ([add(name="one"), add(name="one")], "E13014", "[1].name", "[one.om]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("entries", "code", "place", "text"),
    FAULTS,
    ids=[f"{i}-{row[1]}" for i, row in enumerate(FAULTS)],
)
def test_fault_is_located(compile_ops, models, entries, code, place, text):
    done = compile_ops(entries)
    block = error_block(done.stdout)
    assert (done.status, block.code, block.others, models()) == (255, code, [], [])
    assert re.match(r"ops\.json:1(: |$)", block.lines[0])
    assert f"{place}: " in block.lines[0]
    assert text in block.lines[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1, column 1, where the text ends"),
        ("[\n  {", "line 2, column 4, where the text ends"),
        ('[\n{"op": "Add",}]', "line 2, column 14: no comma stands before a bracket"),
        ("[1,\n 2,\n]", "line 3, column 1: no comma stands before a bracket"),
        ("[\n // all\n]", "line 2, column 2: there are no comments in JSON"),
        ("[{'op': 1}]", "line 1, column 3: texts stand between double quotes"),
        ("[1] 2", "line 1, column 5"),
        ("not JSON", "line 1, column 2"),
        (b'[\n"\xff"]', "line 2, column 2"),
        ('[{"op": "Add",\n "op": "Sub"}]', 'line 1 has the key "op" twice'),
        ("[\n1e999]", "line 2 has a number that no type can hold"),
        ("[" * 100_000, "more than 64 deep at line 1"),
    ],
)
def test_what_is_no_json_is_located(compile_ops, text, reason):
    block = error_block(compile_ops(text).stdout)
    assert (block.code, block.others) == ("E10025", [])
    assert block.lines[0].startswith("The file [ops.json] of [--singleop] is not valid JSON: ")
    assert reason in block.lines[0]


def test_all_faults_of_a_file_are_reported_at_once(compile_ops, models):
    entries = [add(), *with_input(type="flot"), add(op=""), *with_attr("axis", "int", None)]
    block = error_block(compile_ops(entries).stdout)
    assert (block.code, len(block.others), models()) == ("E10027", 2, [])


def test_very_many_faults_are_counted(compile_ops):
    block = error_block(compile_ops(list(range(5000))).stdout)
    assert len(block.others) == 100
    assert "4900 more faults are not shown" in block.others[-1]


@hypothesis.given(
    st.integers(0, 5), st.sampled_from([None, 0, 2]), st.text(" \t\n", max_size=5), st.booleans()
)
@hypothesis.settings(
    max_examples=30, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
def test_line_of_a_fault_is_that_of_the_file(compile_ops, faulty, indent, space, in_number):
    entries = [add(name=f"op{i}") for i in range(6)]
    marked = -987654 if in_number else "flot"
    first = entries[faulty]["input_desc"][0] | ({} if in_number else {"type": marked})
    if in_number:
        first = first | {"shape": [2, marked]}
    entries[faulty]["input_desc"] = [first, tensor(2, 3)]
    text = space + json.dumps(entries, indent=indent)
    line = text[: text.index(str(marked))].count("\n") + 1
    block = error_block(compile_ops(text).stdout)
    assert block.lines[0].startswith(f"ops.json:{line}: [{faulty}].input_desc[0].")


@hypothesis.given(st.data())
@hypothesis.settings(
    max_examples=60, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
def test_damaged_files_are_reported(compile_ops, data):
    text = bytearray(json.dumps([add(), *const([1, 2])], indent=1).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    done = compile_ops(bytes(text))
    assert done.stderr == ""
    if done.status == 255:
        block = error_block(done.stdout)
        assert re.fullmatch(r"E(100(25|26|27|29|30|32)|130(06|14)|14001|10501)", block.code)
    else:
        assert done.status == 0


def test_one_that_fails_leaves_the_models_of_the_others(compile_ops, models):
    entries = [add(name="first"), add(op="Addd"), add(attr=[], input_desc=[]), add(name="last")]
    done = compile_ops(entries)
    block = error_block(done.stdout)
    assert (done.status, block.code) == (255, "E10501")
    assert block.lines[0].startswith("ops.json:1: [1]: Operator type [Addd] is not known")
    assert mentions(block, "[2]: Node [Add] of type [Add]: input 0 (x1) is missing")
    assert mentions(block, "[2]: Node [Add] of type [Add]: input 1 (x2) is missing")
    assert models() == ["first.om", "last.om"]


def test_a_run_without_any_model_leaves_no_folder(compile_ops, tmp_path):
    assert compile_ops([add(op="Addd")], "--output=out/deep/").status == 255
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--singleop=none.json"], "E10023"),
        (["--singleop=."], "E10023"),
        (["--output=ops.json"], "E10001"),
        (["--output=/proc/no/such"], "E10001"),
        (["--output=" + "a" * 5000], "E10021"),
        (["--output="], "E10054"),
        (["--soc_version=Ascend311"], "E20101"),
        (["--precision_mode=force_fp16", "--precision_mode_v2=fp16"], "E10056"),
        (["--external_weight=1"], "E10055"),
    ],
)
def test_flags_that_cannot_work(compile_ops, models, words, code):
    assert error_block(compile_ops([add()], *words).stdout).code == code
    assert models() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write anywhere")
def test_files_and_folders_without_permission(compile_ops, tmp_path):
    (tmp_path / "secret.json").touch(mode=0o000)
    assert error_block(compile_ops([add()], "--singleop=secret.json").stdout).code == "E10024"
    (tmp_path / "locked").mkdir(mode=0o500)
    block = error_block(compile_ops([add()], "--output=locked").stdout)
    assert (block.code, "locked" in block.lines[0]) == ("E10001", True)


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        (
            [add(input_descs=[])],
            "[0].input_descs] has no effect: nothing is called so here (did you mean [input_desc]",
        ),
        ([add(**{"a b": 1})], '[ops.json:1: [0]["a b"]] has no effect'),
        (with_input(const_value=[1]), "[0].input_desc[0].const_value] has no effect: [is_const]"),
        (with_output(is_const=False), "[0].output_desc[0].is_const] has no effect"),
        ([add(compile_flag=1), add()], "[0].op] has no effect: an entry with [compile_flag] 1"),
    ],
)
def test_what_changes_nothing_is_answered_with_a_warning(compile_ops, entries, text):
    done = compile_ops(entries)
    assert (done.status, text in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("--model=ops.json", "--model"),
        ("--input_shape=x:1", "--input_shape"),
        ("--topo_sorting_mode=0", "--topo_sorting_mode"),
        ("--oo_level=O1", "--oo_level"),
        ("--customize_dtypes=types.cfg", "--customize_dtypes"),
    ],
)
def test_flags_of_networks_are_answered_with_a_warning(compile_ops, tmp_path, word, name):
    (tmp_path / "types.cfg").write_text("other::InputDtype:float16\n")
    done = compile_ops([add()], word)
    assert (done.status, f"[{name}] has no effect" in done.stdout) == (0, True)


def test_an_interrupt_removes_the_models_that_were_written(atc, tmp_path):
    (tmp_path / "ops.json").write_text(json.dumps([add(name=f"op{i}") for i in range(20_000)]))
    words = ["--singleop=ops.json", "--output=out", "--soc_version=Ascend310P3"]
    with subprocess.Popen(
        [atc, *words], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        while not (tmp_path / "out/op0.om").exists():
            assert process.poll() is None
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b"interrupted\n"
    assert process.returncode == 130
    assert not (tmp_path / "out").exists()
