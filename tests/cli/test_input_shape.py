"""The text of --input_shape: all faults at once, each with a caret below its place."""

import itertools
import re

import pytest
from cli.screen import error_block
from hypothesis import given
from hypothesis import strategies as st


def excerpts(block):
    """(text, part above the caret) of every caret in the block."""
    lines = [*block.lines, *block.others]
    found = []
    for text, marks in itertools.pairwise(lines):
        if re.fullmatch(r" *\^~*", marks):
            found.append((text, text[marks.index("^") : len(marks)]))
    return found


@pytest.mark.parametrize(
    ("shape", "code", "part"),
    [
        ("x:1.1,3", "E10002", "1.1"),
        ("x:1,3a", "E10002", "3a"),
        ("x:1,+3", "E10002", "+3"),
        ("1,3,224,224", "E10002", "1,3,224,224"),
        (":2,3", "E10002", ":2,3"),
        ("x:2,3;;y:1", "E10002", ""),
        ("x:2,,3", "E10014", ""),
        ("x:2,3,", "E10014", ""),
        ("x:2,-", "E10014", "-"),
        ("x:2,3;x:2,3", "E10014", "x"),
        ("x:99999999999999999999,3", "E10013", "99999999999999999999"),
        ("x:9223372036854775808", "E10013", "9223372036854775808"),
        ("x:0,3", "E10011", "0"),
        ("x:2,-3", "E10011", "-3"),
        ("x:-1,-3", "E10048", "-3"),
        ("x:1~2~3", "E10048", "1~2~3"),
        ("x:5~2", "E10048", "5~2"),
        ("x:~2", "E10048", "~2"),
    ],
)
def test_one_fault(build, shape, code, part):
    block = error_block(build(input_shape=shape).stdout)
    assert (block.code, block.others) == (code, [])
    ((text, marked),) = excerpts(block)
    assert text.strip() == shape
    assert marked.strip() == part or (part == "" and len(marked) <= 1)


def test_all_faults_of_a_text_are_reported_from_left_to_right(build):
    block = error_block(build(input_shape="x:1.1,0;y;z:99999999999999999999").stdout)
    assert block.code == "E10002"
    assert [part for _, part in excerpts(block)] == ["1.1", "0", "y", "99999999999999999999"]


def test_carets_stand_below_wide_characters(build):
    block = error_block(build(input_shape="输入:2,x").stdout)
    marks = next(line for line in block.lines if line.strip() == "^")
    assert marks.index("^") == len("输入") * 2 + len(":2,")


def test_a_long_text_is_cut_around_the_fault(build):
    names = ";".join(f"input_{i}:1,2" for i in range(200))
    ((text, part),) = excerpts(
        error_block(build(input_shape=f"{names};bad;{names[:-4]}:3").stdout)
    )[:1]
    assert part == "bad"
    assert len(text) < 100


def test_a_blank_text_is_refused(build):
    assert error_block(build(input_shape=" ").stdout).code == "E10001"


@pytest.mark.parametrize("shape", ["x:2,3", "x:2,3;", " x : 2 , 3 ", "x:02,3", ""])
def test_spellings_of_the_right_shape_compile(build, shape):
    assert build(input_shape=shape).status == 0


def test_the_last_colon_ends_the_name(build):
    block = error_block(build(input_shape="scope/x:0:2,3").stdout)
    assert block.code == "E10016"
    assert "[scope/x:0]" in block.lines[0]


def test_a_minus_one_in_a_name_is_no_unknown_dim(build):
    assert error_block(build(input_shape="conv-1:2,0").stdout).code == "E10011"
    assert error_block(build(input_shape="conv-1:2,3").stdout).code == "E10016"


@pytest.mark.parametrize("shape", ["x:-1,3", "x:1~4,3", "x:1~-1,3", "-1,3", "x:-1,0"])
def test_dims_may_be_left_open(build, shape):
    assert build(input_shape=shape).status == 0


def test_shapes_without_names_are_no_more_than_the_inputs(build):
    assert error_block(build(input_shape="-1,3;2").stdout).code == "E10016"


def is_dynamic(text):
    dims = [item.rpartition(":")[2] for item in text.split(";")]
    return any("~" in part or "-1" in part for part in dims)


def faults_of(text):
    """The codes of the faults of a shape text, by the rules of ATC's documentation."""
    dynamic = is_dynamic(text)
    if not text.strip(" \t"):
        return ["E10001"]
    codes, seen = [], set()
    for item in re.sub(";$", "", text).split(";"):
        name, colon, dims = (part.strip(" \t") for part in item.rpartition(":"))
        if not colon and dynamic and ":" not in text:
            codes += dims_faults(dims, dynamic)
        elif not colon or not name:
            codes.append("E10002")
        else:
            codes += ["E10014"] * (name in seen)
            seen.add(name)
            codes += dims_faults(dims, dynamic)
    return codes


def dims_faults(text, dynamic):
    if not text:
        return []
    return [fault for dim in text.split(",") for fault in dim_faults(dim.strip(" \t"), dynamic)]


def dim_faults(dim, dynamic):
    number = r"\d+"
    if "~" in dim:
        ends = re.fullmatch(rf"({number})[ \t]*~[ \t]*({number}|-1)", dim, re.ASCII)
        if not ends:
            return ["E10048"]
        low, high = map(int, ends.groups())
        too_large = (low >= 2**63) + (high >= 2**63)
        return ["E10013"] * too_large or ["E10048"] * (-1 != high < low)
    if dim in ("", "-"):
        return ["E10014"]
    if not re.fullmatch(f"-?{number}", dim, re.ASCII):
        return ["E10002"]
    value = int(dim)
    if not -(2**63) <= value < 2**63:
        return ["E10013"]
    if value > 0 or (dynamic and value in (0, -1)):
        return []
    return ["E10048" if dynamic else "E10011"]


NEARLY_SHAPES = st.lists(
    st.sampled_from(
        ["x", "y", ":", ":", ",", ",", ";", "1", "3", "-1", "0", "~", " ", ".", "é", "-"]
    )
    | st.integers(-5, 2**66).map(str),
    max_size=9,
).map("".join)


@given(NEARLY_SHAPES.filter(lambda text: text))
def test_faults_are_those_of_an_independent_reader(build, text):
    expected = faults_of(text)
    done = build(input_shape=text)
    if done.status == 0:
        assert expected == []
        return
    block = error_block(done.stdout)
    if expected:
        assert block.code == expected[0]
        assert len(excerpts(block)) == len(expected) - expected.count("E10001")
    else:
        assert block.code in {"E10016", "E10049", "E14001", "E10001"}, (
            block
        )  # known to the model only
