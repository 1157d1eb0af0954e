"""The operator table below the C functions: hashes, number of builds, models of operators."""

import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
KEY = [f"{name}.cc" for name in ("aclop/hash", "aclop/key", "base/dtype", "base/format")]


@pytest.mark.parametrize(
    ("test", "sources"),
    [
        pytest.param("aclop_key_test", KEY, id="hashes_are_those_of_the_vendor"),
        pytest.param("aclop_runtime_test", [], id="builds_and_models"),
    ],
)
def test_core(run, acl_library, tmp_path, test, sources):
    program = tmp_path / test
    core = acl_library.with_name("libge_core.so")
    paths = [CORE / "tests" / f"{test}.cc", *(CORE / source for source in sources)]
    flags = ["-std=c++20", "-O1", f"-I{CORE}", f"-Wl,-rpath,{core.parent}", "-pthread"]
    subprocess.run(["c++", *flags, *paths, core, "-o", program], check=True)
    done = run(program, cwd=tmp_path)
    assert (done.status, done.stdout, done.stderr) == (0, "", "")
