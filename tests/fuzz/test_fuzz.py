"""The fuzzer itself, with few cases."""

import os
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def fuzz(run, python, package):
    """Call as ``fuzz(*words)``: run the fuzzer on the installed package."""

    def call(*words):
        environment = {"PYTHONPATH": os.pathsep.join(map(str, (package.parent, TESTS)))}
        return run(python, "-P", "-m", "fuzz", *words, env=environment, timeout=300)

    return call


@pytest.mark.parametrize("kind", ["om", "onnx"])
def test_damaged_models_end_with_an_error_or_a_result(fuzz, tmp_path, kind):
    done = fuzz(
        "--seconds=250", "--cases=120", "--graphs=15", f"--kind={kind}", f"--keep={tmp_path}"
    )
    assert done.status == 0, [done.stdout, *(f.read_text() for f in tmp_path.glob("*.txt"))]
    ends = dict(re.findall(r"'(?:om|onnx): ([\w ]+)': (\d+)", done.stdout))
    assert int(ends["run"]) > 5  # some changes leave a model that runs
    assert int(ends.get("ModelFileError", 0)) + int(ends.get("refused", 0)) > 20


def test_a_case_at_which_a_process_dies_is_kept(fuzz, tmp_path, monkeypatch):
    monkeypatch.setenv("FUZZ_DIE_AT", "0")
    done = fuzz("--seconds=250", "--cases=1", "--graphs=1", "--kind=om", f"--keep={tmp_path}")
    assert done.status == 1
    assert (tmp_path / "1.om").exists()
    assert "status -" in (tmp_path / "1.txt").read_text()
