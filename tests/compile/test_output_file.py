"""The output file: complete or absent, and the same bytes wherever it is made."""

import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from compile.conftest import save
from onnx import helper

FLAGS = ["--framework=5", "--soc_version=Ascend310P3", "--precision_mode_v2=origin"]


@pytest.fixture(scope="session")
def slow_model(tmp_path_factory):
    """A model whose compile takes long enough to be hit by a signal: 40,000 nodes."""
    nodes = [helper.make_node("Add", [f"t{i}", "one"], [f"t{i + 1}"]) for i in range(40_000)]
    return save(
        tmp_path_factory.mktemp("slow") / "chain.onnx",
        nodes,
        {"t0": [1, 64]},
        {"t40000": [1, 64]},
        {"one": np.ones(64, np.float32)},
    )


def listing(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def test_bytes_do_not_depend_on_folder_or_word_order(conv_model, compile_om, tmp_path, run, atc):
    compile_om(conv_model, tmp_path / "a" / "net")
    other = tmp_path / "somewhere else"
    other.mkdir()
    shutil.copy(conv_model, other / "conv.onnx")
    done = run(
        atc, "--output=net", "--precision_mode_v2=origin", "--model", "conv.onnx",
        "-soc-version=Ascend310P3", "--framework", "5", cwd=other, env={"TZ": "Asia/Tokyo"},
    )  # fmt: skip
    assert done.status == 0, done.stdout
    assert (other / "net.om").read_bytes() == (tmp_path / "a" / "net.om").read_bytes()


def test_the_three_entries_write_the_same_bytes(
    conv_model, tmp_path, run, atc, pyatc, python, package
):
    entries = {"atc": [atc], "pyatc": [pyatc], "module": [python, "-P", "-m", "ge.pyatc"]}
    for name, words in entries.items():
        (tmp_path / name).mkdir()
        flags = [f"--model={conv_model}", *FLAGS, f"--output={tmp_path}/{name}/net"]
        done = run(*words, *flags, env={"PYTHONPATH": package.parent})
        assert done.status == 0, done.stdout
    files = {(tmp_path / name / "net.om").read_bytes() for name in entries}
    assert len(files) == 1


@pytest.mark.parametrize("name", ["with space", "模型", "ünï+@=:~", "net.om"])
def test_any_file_name_works(relu_model, compile_om, tmp_path, name):
    done = compile_om(relu_model, tmp_path / "new folder" / name)
    assert done.status == 0, done.stdout
    assert listing(tmp_path / "new folder") == [name + ".om"]


def test_an_existing_model_is_replaced(relu_model, conv_model, compile_om, tmp_path):
    assert compile_om(conv_model, tmp_path / "net").status == 0
    before = (tmp_path / "net.om").stat().st_size
    assert compile_om(relu_model, tmp_path / "net").status == 0
    assert (tmp_path / "net.om").stat().st_size < before
    assert [name for name in listing(tmp_path) if "tmp" in name] == []


def test_a_failed_compile_keeps_the_old_model(relu_model, compile_om, tmp_path):
    assert compile_om(relu_model, tmp_path / "net").status == 0
    before = (tmp_path / "net.om").read_bytes()
    done = compile_om(relu_model, tmp_path / "net", "--input_shape=wrong:1,3,8,8")
    assert done.status == 255
    assert (tmp_path / "net.om").read_bytes() == before


def test_a_failed_compile_leaves_no_new_folder(relu_model, compile_om, tmp_path):
    done = compile_om(relu_model, tmp_path / "new" / "net", "--input_shape=wrong:1,3,8,8")
    assert done.status == 255
    assert not (tmp_path / "new").exists()


def test_a_full_disk_leaves_nothing(conv_model, atc, tmp_path):
    out = tmp_path / "out"
    out.mkdir()

    def small_files_only():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    done = subprocess.run(
        [atc, f"--model={conv_model}", *FLAGS, f"--output={out}/net"],
        preexec_fn=small_files_only,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 255
    assert "E13004" in done.stdout
    assert listing(out) == []


@pytest.fixture
def as_user(atc, relu_model):
    """Call as ``as_user(output, cwd)``: compiles relu_model as a user who is not root.

    ``as_user.folder`` is a folder that everyone may write in.
    """
    ids = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        shutil.copy(relu_model, folder / "relu.onnx")

        def call(output, cwd):
            words = [atc, f"--model={folder}/relu.onnx", *FLAGS, f"--output={output}"]
            try:
                return subprocess.run(
                    words, cwd=cwd, capture_output=True, text=True, check=False, **ids
                )
            except PermissionError:
                pytest.skip("only root reaches the program: waits for a public folder")

        call.folder = folder
        yield call


def test_a_read_only_folder_is_reported(as_user):
    read_only = as_user.folder / "ro"
    read_only.mkdir(mode=0o555)
    done = as_user(read_only / "net", cwd=as_user.folder)
    assert done.returncode == 255
    assert "Permission denied" in done.stdout
    assert listing(read_only) == []


def test_the_current_folder_need_not_be_writable(as_user):
    read_only = as_user.folder / "ro"
    read_only.mkdir(mode=0o555)
    done = as_user(as_user.folder / "net", cwd=read_only)
    assert done.returncode == 0, done.stdout
    assert listing(as_user.folder) == ["net.om", "relu.onnx", "ro"]


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4])
def test_a_killed_compile_leaves_nothing(slow_model, atc, tmp_path, delay):
    process = subprocess.Popen(
        [atc, f"--model={slow_model}", *FLAGS, f"--output={tmp_path}/net"],
        stdout=subprocess.DEVNULL,
    )
    time.sleep(delay)
    process.kill()
    process.wait(timeout=10)
    assert listing(tmp_path) in ([], ["net.om"])
    if (tmp_path / "net.om").exists():  # it was done before the signal
        assert (tmp_path / "net.om").stat().st_size > 1_000_000


@pytest.mark.parametrize("entry", ["atc", "pyatc", "module"])
def test_an_interrupted_compile_ends_with_130(slow_model, atc, pyatc, python, tmp_path, entry):
    words = {"atc": [atc], "pyatc": [pyatc], "module": [python, "-P", "-m", "ge.pyatc"]}[entry]
    process = subprocess.Popen(
        [*words, f"--model={slow_model}", *FLAGS, f"--output={tmp_path}/net"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    process.stdout.readline()  # the start line: the run has begun
    time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    if process.returncode != 0:  # else it was done before the signal
        assert process.returncode == 130
        assert "Traceback (most" not in output
        assert listing(tmp_path) == []
