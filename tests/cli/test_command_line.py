"""The command line that a model holds, and what is recorded in it."""

import json
import os
import re
import shutil

import pytest
from cli.test_supported import RECORDED


def shown(cli, om):
    return cli("--mode=6", f"--om={om}").stdout


def test_paths_are_reduced_to_their_last_component(cli, build, folder):
    done = build(
        model=os.fspath(folder / "net.onnx"),
        output=os.fspath(folder / "deep" / "er" / "net"),
        debug_dir="/a/b/c/",
    )
    assert done.status == 0
    line = "atc --model=net.onnx --framework=5 --output=net --soc_version=Ascend310P3"
    assert f": {line} --precision_mode_v2=origin --debug_dir=c\n" in shown(cli, "deep/er/net.om")


def test_flags_stand_in_the_order_of_the_table(cli, build):
    assert build("--deterministic=1", "--aicore_num=4", input_format="ND").status == 0
    line = re.search(r": (atc .*)$", shown(cli, "out/net.om"), re.MULTILINE)[1]
    names = re.findall(r"--(\w+)=", line)
    assert names == [
        "model",
        "framework",
        "input_format",
        "output",
        "soc_version",
        "aicore_num",
        "precision_mode_v2",
        "deterministic",
    ]


def test_folders_do_not_reach_the_bytes(build, folder, tmp_path):
    assert build().status == 0
    shutil.copy(folder / "net.onnx", tmp_path / "net.onnx")
    assert build(output="else/where/net", cwd=tmp_path).status == 0
    assert (tmp_path / "else/where/net.om").read_bytes() == (folder / "out/net.om").read_bytes()


@pytest.mark.parametrize(
    ("output", "name"),
    [("net", "net"), ("a.b/net.v1.2", "net.v1"), ("my net", "my net"), (".om", "domi_default")],
)
def test_the_model_is_named_after_its_file(build, cli, folder, output, name):
    assert build(output=output).status == 0
    assert cli("--mode=1", f"--om={output}.om", "--json=name.json").status == 0
    assert json.loads((folder / "name.json").read_text())["name"] == name


@pytest.mark.parametrize(("flag", "value"), RECORDED.items(), ids=RECORDED)
def test_recorded_flags_reach_the_model_under_their_ge_name(build, folder, flags, flag, value):
    done = build(**{flag: value})
    assert done.status == 0, done.stdout
    (facts,) = (entry for entry in flags if entry["name"] == flag)
    model = (folder / "out/net.om").read_bytes()
    stored = os.path.basename(value.rstrip("/")) if "/" in value else value
    assert facts["ge_option"].encode() in model
    assert (stored.lower() if flag == "enable_attr_compression" else stored).encode() in model


def test_display_model_info_shows_what_mode_6_shows(cli, build):
    done = build(display_model_info="1")
    assert done.status == 0
    banner = re.compile(r"=+ Display Model Info start =+\n.*=+ Display Model Info end +=+\n", re.S)
    assert banner.search(done.stdout)[0] == banner.search(shown(cli, "out/net.om"))[0]


def test_log_lines_go_to_stderr_from_their_level_on(build):
    assert build(log="error").stderr == ""
    info, debug = build(log="info").stderr, build(log="debug").stderr
    assert "INFO compiling net.onnx for Ascend310P3" in info
    assert "DEBUG" not in info and "DEBUG" in debug
    assert "WARNING" in build(log="warning", weight="net.onnx").stderr
    assert "ERROR" in build(log="error", model="none").stderr
