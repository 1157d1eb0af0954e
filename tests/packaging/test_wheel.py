"""The wheel: its tags and metadata, and that one file serves every CPython."""

import email
import re
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "data" / "om"


@pytest.fixture
def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def test_tags_say_one_build_for_every_cpython_from_3_11_on(wheel):
    assert re.fullmatch(r"pyatc-[\d.]+-cp311-abi3-linux_\w+\.whl", wheel.name)


def test_metadata_names_version_licence_and_python(metadata, wheel):
    assert metadata["Version"] == wheel.name.split("-")[1]
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert all("extra ==" in word for word in metadata.get_all("Requires-Dist"))


def test_wheel_has_the_shell_wrapper_and_no_console_script(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert not [name for name in names if name.endswith("entry_points.txt")]
    assert [name.rpartition("/")[2] for name in names if ".data/" in name] == ["pyatc"]


def test_only_the_package_ge_is_installed(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.startswith("pyatc-")} == {"ge"}


def test_modules_use_the_stable_abi_only(run, python, wheel):
    done = run(python, "-P", "-m", "abi3audit", "--strict", "--report", wheel)
    assert done.status == 0, done.stdout + done.stderr
    assert '"non_abi3_symbols": []' in done.stdout


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_same_wheel_runs_on(run, install, interpreter, tmp_path, version):
    python = install(interpreter(version), tmp_path / "environment")
    wrapper = run(python.parent / "pyatc", "--help", cwd=tmp_path)
    module = run(python, "-P", "-m", "ge.pyatc", "--help", cwd=tmp_path)
    assert (wrapper.status, wrapper.stderr) == (module.status, module.stderr) == (0, "")
    assert wrapper.stdout == module.stdout.replace("python3 -m ge.pyatc", "pyatc")
    sample = SAMPLES / "gemm_singleop.om"
    shown = run(python, "-P", "-m", "ge.om", "inspect", sample, "--graph", cwd=tmp_path)
    assert (shown.status, shown.stderr) == (0, "")
    assert "GEMM_in_0  float16 [16,16]" in shown.stdout


def test_wheel_has_every_python_file_and_stub(wheel):
    source = {path.relative_to(ROOT).as_posix() for path in (ROOT / "ge").rglob("*.py*")}
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in source if "__pycache__" not in name} <= set(archive.namelist())
