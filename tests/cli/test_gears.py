"""Gears, ranges and hint shapes: ATC's checks, then the word that they are not supported yet."""

import pytest
from cli.screen import error_block, mentions

BATCH = "dynamic_batch_size"
IMAGE = "dynamic_image_size"
DIMS = "dynamic_dims"


@pytest.mark.parametrize(
    ("flag", "gears", "shape", "code"),
    [
        (BATCH, "1,2", "", "E10004"),
        (BATCH, "1,2", "x:1~2,3", "E10040"),
        (BATCH, "1,2", "x:-1,3;s:", "E10012"),
        (BATCH, "1,2", "x:-1,3,-1", "E10018"),
        (BATCH, "1,2", "x:2,-1", "E10031"),
        (BATCH, "1,a", "x:-1,3", "E10003"),
        (BATCH, "1,-2", "x:-1,3", "E10003"),
        (BATCH, "1,99999999999999999999", "x:-1,3", "E10003"),
        (BATCH, "8", "x:-1,3", "E10035"),
        (BATCH, "8,8", "x:-1,3", "E10039"),
        (IMAGE, "8,8;9,9", "x:1,3,2,2", "E10019"),
        (IMAGE, "8,8;9,9", "x:-1,3,-1,-1", "E10019"),
        (IMAGE, "8,8;9,9", "x:1,3,-1,2", "E10019"),
        (IMAGE, "8,8;9,9", "x:1,3,-1,-1;y:-1", "E10019"),
        (IMAGE, "8,8,8;9,9", "x:1,3,-1,-1", "E10020"),
        (IMAGE, "8,8", "x:1,3,-1,-1", "E10035"),
        (IMAGE, "8,8;8,8", "x:1,3,-1,-1", "E10039"),
        (DIMS, "1;2", "x:1,3", "E10001"),
        (DIMS, "1;b", "x:-1,3", "E10001"),
        (DIMS, ";", "x:-1,3", "E10058"),
        (DIMS, "1,2;3", "x:-1,-1", "E10003"),
        (DIMS, "1,2", "x:-1,-1", "E10035"),
        (DIMS, "1,2;1,2", "x:-1,-1", "E10039"),
    ],
)
def test_faults_of_gears(build, flag, gears, shape, code):
    assert error_block(build(**{flag: gears, "input_shape": shape}).stdout).code == code


@pytest.mark.parametrize(
    ("flag", "gears", "shape"),
    [
        (BATCH, "1,2", "x:-1,3;y:2,-1"),
        (BATCH, "1,2,", "x:-1,3"),
        (IMAGE, "8,8;9,9;", "x:1,3,-1,-1;y:1"),
        (IMAGE, "8, 8; 9,9", "x:1,3,-1,-1"),
        (DIMS, "1,2;3,4;", "x:-1,3;y:-1"),
    ],
)
def test_good_gears_are_not_supported_yet(build, flag, gears, shape):
    block = error_block(build(**{flag: gears, "input_shape": shape}).stdout)
    assert (block.code, block.others) == ("E10055", [])
    assert f"--{flag}={gears} is not supported yet" in block.lines[0]


def test_layout_of_image_gears(build):
    how = {IMAGE: "8,8;9,9", "input_shape": "x:1,3,-1,-1"}
    assert error_block(build(**how, input_format="ND").stdout).code == "E10003"


def test_the_axis_that_does_not_fit_is_named(build):
    block = error_block(build(**{IMAGE: "8,8;9,9", "input_shape": "In:-1,3,-1,-1"}).stdout)
    assert mentions(block, "[In]", "[-1,3,-1,-1]", "axis 0")


@pytest.mark.parametrize(
    ("flag", "gears", "shape", "advice"),
    [
        (BATCH, "8", "a:-1,3,224,224;b:-1,5", '--input_shape="a:8,3,224,224;b:8,5"'),
        (IMAGE, "7,9", "a:1,3,-1,-1;b:4", '--input_shape="a:1,3,7,9;b:4"'),
        (DIMS, "4,5,6", "a:-1,2;b:-1,-1", '--input_shape="a:4,2;b:5,6"'),
    ],
)
def test_a_single_gear_is_answered_with_the_static_shape(build, flag, gears, shape, advice):
    block = error_block(build(**{flag: gears, "input_shape": shape}).stdout)
    assert mentions(block, "Solution:", advice)


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({BATCH: "1,2", IMAGE: "1,1;2,2"}, [BATCH, IMAGE]),
        ({BATCH: "1,2", IMAGE: "1,1;2,2", DIMS: "1;2"}, [BATCH, IMAGE, DIMS]),
        ({DIMS: "1;2", "input_shape_range": "x:[1~2,3]"}, ["input_shape_range", DIMS]),
    ],
)
def test_ways_to_be_dynamic_exclude_each_other(build, changes, flags):
    block = error_block(build(**changes, input_shape="x:-1,3").stdout)
    assert mentions(block, "exclude each other", *(f"[--{flag}]" for flag in flags))


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("x:[1~8,3,-1]", True),
        ("x:[1~8];y:[2];", True),
        ("[1~8,3],[1]", True),
        ("x:[1~-1]", True),
        ("x", False),
        ("x:1~8", False),
        ("x:[1~8", False),
        ("x:[1~8]]", False),
        ("x:[1~2~3]", False),
        ("x:[-2]", False),
        ("x:[a]", False),
        ("x:[]", False),
        (":[1]", False),
        ("[1][2]", False),
        ("[1],", False),
        ("x:[99999999999999999999]", False),
    ],
)
def test_shape_ranges(build, text, good):
    block = error_block(build(input_shape_range=text).stdout)
    assert block.code == ("E10055" if good else "E10048")


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("0:[1,3];1:[]", True),
        (" 0 : [ 1 , 3 ] ; ", True),
        ("x:[1]", False),
        ("-1:[1]", False),
        ("0:1,3", False),
        ("0:[1];0:[2]", False),
        ("0:[1,-3]", False),
        ("0:[1,,3]", False),
        ("0:[1]:2", False),
        ("0:[", False),
        ("0:]", False),
    ],
)
def test_hint_shapes(build, text, good):
    block = error_block(build(input_hint_shape=text).stdout)
    assert block.code == ("E10055" if good else "E10014")


def test_hint_shapes_do_not_go_with_gears(build):
    block = error_block(
        build(**{BATCH: "1,2", "input_shape": "x:-1,3", "input_hint_shape": "0:[1,3]"}).stdout
    )
    assert (block.code, "--dynamic_batch_size" in block.lines[0]) == ("E10001", True)
