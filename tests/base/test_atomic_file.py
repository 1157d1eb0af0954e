"""AtomicFile, through a C++ program that makes its system calls fail one by one."""

import shutil
import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "core"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    built = tmp_path_factory.mktemp("program") / "atomic_file_test"
    names = ("atomic_file", "file", "status", "syscalls")
    sources = [CORE / "tests/atomic_file_test.cc", *(CORE / f"base/{name}.cc" for name in names)]
    subprocess.run([compiler, "-std=c++20", f"-I{CORE}", *sources, "-o", built], check=True)
    return built


def test_no_failed_call_leaves_anything_behind(program, tmp_path):
    done = subprocess.run([program, tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
