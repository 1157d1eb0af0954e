"""--soc_version and the flags that depend on the chip."""

import pytest
from cli.screen import error_block, mentions


@pytest.mark.parametrize("soc", ["Ascend310", "Ascend310P3", "Ascend910", "Ascend910B4-1"])
def test_names_of_socs_are_taken(build, soc):
    done = build(soc_version=soc)
    assert (done.status, "W10002" in done.stdout) == (0, False)


@pytest.mark.parametrize(
    ("soc", "meant"),
    [
        ("ascend310p3", "Ascend310P3"),
        ("Ascend310P", None),
        ("Ascend301P3", "Ascend310P3"),
        ("Ascend910B5", "Ascend910B"),
        ("ASCEND910A", "Ascend910A"),
    ],
)
def test_other_names_are_refused(build, soc, meant):
    block = error_block(build(soc_version=soc).stdout)
    assert block.code == "E20101"
    if meant:
        assert f"did you mean [{meant}" in block.lines[0]
        assert mentions(block, "Solution:", "Ascend310B1", "Ascend910_9392")


@pytest.mark.parametrize(
    ("family", "members"),
    [
        ("Ascend310P", ["Ascend310P1", "Ascend310P3", "Ascend310P5", "Ascend310P7"]),
        ("Ascend310B", ["Ascend310B1", "Ascend310B4"]),
        ("Ascend910_93", ["Ascend910_9362", "Ascend910_9392"]),
    ],
)
def test_a_family_is_answered_with_its_members(build, family, members):
    block = error_block(build(soc_version=family).stdout)
    assert block.code == "E20101"
    assert mentions(block, "family", *(f"[{member}]" for member in members))


def test_ascend910b_is_taken_with_a_hint(build):
    done = build(soc_version="Ascend910B")
    assert done.status == 0
    assert "Soc_Version_Hint(W10002)" in done.stdout
    assert "[Ascend910B1]" in done.stdout


@pytest.mark.parametrize(
    ("mode", "soc", "good"),
    [
        ("30", "Ascend035A", True),
        ("30", "Ascend310", False),
        ("0", "Ascend035", False),
        ("3", "Ascend035B", False),
    ],
)
def test_nano_chips_and_mode_30_go_together(build, mode, soc, good):
    block = error_block(build(mode=mode, soc_version=soc).stdout)
    assert block.code == "E10055"
    assert mentions(block, "needs --") is not good


@pytest.mark.parametrize(
    ("count", "code"),
    [
        ("8", ""),
        ("8|", ""),
        ("1|7", ""),
        ("9", "E20103"),
        ("99999999999999999999", "E20101"),
        ("0", "E20101"),
        ("08", "E20101"),
        ("-1", "E20101"),
        ("a", "E20101"),
        ("1|2|3", "E20101"),
        ("|2", "E20101"),
    ],
)
def test_core_counts(build, count, code):
    done = build(aicore_num=count)
    assert (error_block(done.stdout).code if done.status else "") == code


@pytest.mark.parametrize(("soc", "status"), [("Ascend310P3", 0), ("Ascend310", 255)])
def test_virtual_devices(build, soc, status):
    assert build(virtual_type="1", soc_version=soc).status == status


@pytest.mark.parametrize(
    ("framework", "layout", "code"),
    [
        ("5", "NHWC", "E10001"),
        ("5", "nchw", "E10001"),
        ("0", "NCDHW", "E10001"),
        ("3", "CHWN", "E10001"),
        ("1", "NZ", "E10061"),
    ],
)
def test_layouts_of_a_framework(build, framework, layout, code):
    block = error_block(build(framework=framework, input_format=layout, weight="net.onnx").stdout)
    assert block.code == code


@pytest.mark.parametrize("layout", ["NCHW", "ND", "NCDHW"])
def test_layouts_of_onnx(build, layout):
    assert build(input_format=layout).status == 0
