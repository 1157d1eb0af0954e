"""SmallVector and NameMap, through a C++ program that compares them with the standard ones."""

import shutil
import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "core"


def test_own_containers_do_what_the_standard_ones_do(tmp_path):
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    program = tmp_path / "containers_test"
    command = [compiler, "-std=c++20", "-O1", f"-I{CORE}", CORE / "tests/containers_test.cc"]
    subprocess.run([*command, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
