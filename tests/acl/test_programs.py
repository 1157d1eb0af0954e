"""Whole programs in C++ against the installed headers and library, without Python."""

import re
from pathlib import Path

import pytest


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])
def test_a_program_for_a_device_runs_unmodified(run, acl_program, tmp_path, soc):
    config = tmp_path / "acl.json"
    config.write_text(f'{{"soc_version": "{soc}"}}')
    done = run(acl_program("operator_sample.cc"), config)
    assert (done.status, done.stdout) == (0, f"{soc}\n4 2 10 5\n4 2 10 5\n")


def test_what_is_compiled_is_found_and_run_without_allocations(run, acl_program):
    done = run(acl_program("no_allocations.cc"), env={"ASCEND_SOC_VERSION": "Ascend310P3"})
    assert (done.status, done.stdout) == (0, "compile 0 handle 0 execute 0, result 3\n")


def test_the_program_of_the_documentation(run, acl_program, tmp_path):
    page = Path(__file__).parents[2] / "docs" / "aclop-c.md"
    (tmp_path / "page.c").write_text(re.search(r"```c\n(.*?)```", page.read_text(), re.S)[1])
    done = run(acl_program(tmp_path / "page.c"), env={"ASCEND_SOC_VERSION": "Ascend310P3"})
    assert (done.status, done.stdout) == (0, "11 ... 66\n")
