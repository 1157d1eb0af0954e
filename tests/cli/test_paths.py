"""Paths: what the system takes works; what cannot work is said before the compile."""

import os

import pytest
from cli.screen import error_block, mentions


@pytest.mark.parametrize(
    "name", ["a b", "数据", "a:b", "a+b@c=d~e", "-x", "net.v1.om", "\udcff", "a\\b", "tab\there"]
)
def test_any_name_of_the_system_works(build, folder, name):
    target = folder / "names" / name
    target.mkdir(parents=True, exist_ok=True)
    model = target / f"{name}.onnx"
    model.write_bytes((folder / "net.onnx").read_bytes())
    done = build(model=os.fspath(model), output=os.fspath(target / name))
    assert done.status == 0, done.stdout
    assert (target / f"{name}.om").is_file()


def test_the_suffix_is_always_appended(build, folder):
    assert build(output="twice.om").status == 0
    assert (folder / "twice.om.om").is_file()


def test_missing_folders_are_created(build, folder):
    assert build(output="one/two/../three/net").status == 0
    assert (folder / "one/three/net.om").is_file()


def test_a_failed_compile_leaves_no_folder(build, folder):
    done = build(output="gone/deep/net", out_nodes="no_such_tensor")
    assert done.status == 255
    assert not (folder / "gone").exists()


def test_a_failed_compile_leaves_the_folders_that_were_there(build, folder):
    (folder / "kept").mkdir()
    assert build(output="kept/net", out_nodes="no_such_tensor").status == 255
    assert list((folder / "kept").iterdir()) == []


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("out/dir/", "E10022"),
        ("/", "E10022"),
        ("a" * 5000, "E10021"),
        ("a" * 4097, "E10021"),
        ("a" * 300, "E10001"),
        ("net.onnx/net", "E10001"),
        ("/proc/no/such/net", "E10001"),
    ],
)
def test_outputs_that_cannot_work(build, output, code):
    block = error_block(build(output=output).stdout)
    assert block.code == code
    assert "--output" in block.lines[0]


def test_a_folder_in_place_of_the_output_is_refused(build, folder):
    (folder / "taken.om").mkdir()
    assert mentions(error_block(build(output="taken").stdout), "[--output]", "folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused(build, folder):
    (folder / "locked").mkdir(mode=0o555)
    assert mentions(error_block(build(output="locked/net").stdout), "[--output]", "Permission")


def test_a_dangling_link_in_place_of_a_folder_is_refused(build, folder):
    os.symlink("nowhere", folder / "link")
    assert mentions(error_block(build(output="link/net").stdout), "[--output]", "dangling")


@pytest.mark.parametrize(
    ("model", "reason"),
    [("none.onnx", "No such file"), (".", "folder"), ("/dev/null", "regular"), ("", "required")],
)
def test_models_that_cannot_be_read(build, model, reason):
    assert mentions(error_block(build(model=model).stdout), "[--model]", reason)


@pytest.mark.parametrize(
    "flag",
    [
        "weight",
        "op_precision_mode",
        "cal_conf",
        "op_name_map",
        "insert_op_conf",
        "compress_weight_conf",
        "keep_dtype",
        "raw_ge_options",
    ],
)
def test_files_of_other_flags_are_checked(build, flag):
    block = error_block(build(**{flag: "none"}).stdout)
    assert (block.code, f"Value [none] of [--{flag}]" in block.lines[0]) == ("E10001", True)


def test_every_unreadable_file_is_reported(build):
    block = error_block(build(model="a", weight="b", keep_dtype="c").stdout)
    for flag, path in [("model", "a"), ("weight", "b"), ("keep_dtype", "c")]:
        assert mentions(block, f"Value [{path}] of [--{flag}]")


def test_mode_1_creates_the_folder_of_the_json(build, cli, folder):
    assert build().status == 0
    assert cli("--mode=1", "--om=out/net.om", "--json=js/on/net.json").status == 0
    assert (folder / "js/on/net.json").is_file()


def test_mode_1_leaves_no_folder_after_a_failure(cli, folder):
    assert cli("--mode=1", "--om=net.onnx", "--json=no/net.json").status == 255
    assert not (folder / "no").exists()
