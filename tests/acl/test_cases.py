"""Every case of every program in C, each in a process of its own."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = [
    pytest.param(source.name, name, id=f"{source.stem}-{name}")
    for source in sorted(HERE.glob("*.c"))
    for name in re.findall(r"^CASE\((\w+)\)", source.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize(("source", "name"), CASES)
def test_case(run, acl_program, tmp_path, source, name):
    done = run(acl_program(source), name, cwd=tmp_path, env={"ASCEND_SOC_VERSION": "Ascend310P3"})
    assert (done.status, done.stdout, done.stderr) == (0, "", "")
