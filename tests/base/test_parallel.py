"""ParallelFor, through a C++ program."""

import shutil
import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "core"


def test_what_a_body_throws_arrives_at_the_caller(tmp_path):
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    program = tmp_path / "parallel_test"
    sources = [CORE / "tests/parallel_test.cc", CORE / "base/parallel.cc"]
    command = [compiler, "-std=c++20", "-pthread", f"-I{CORE}", *sources, "-o", program]
    subprocess.run(command, check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
