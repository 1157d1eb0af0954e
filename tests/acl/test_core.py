"""The operator table below the C functions: hashes, number of builds, models of operators."""

import pytest

KEY = ["aclop/hash", "aclop/key", "base/dtype", "base/format"]


@pytest.mark.parametrize(
    ("test", "sources"),
    [
        pytest.param("aclop_key_test", KEY, id="hashes_are_those_of_the_vendor"),
        pytest.param("aclop_runtime_test", [], id="builds_and_models"),
    ],
)
def test_core(run, acl_library, cxx_program, tmp_path, test, sources):
    core = acl_library.with_name("libge_core.so")
    options = [core, f"-Wl,-rpath,{core.parent}"]
    done = run(cxx_program(f"tests/{test}", *sources, options=options), cwd=tmp_path)
    assert (done.status, done.stdout, done.stderr) == (0, "", "")
