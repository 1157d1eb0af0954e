"""Whole programs in C++ against the installed headers and library, without Python."""

import json
import re
from pathlib import Path

import pytest


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])
def test_a_program_for_a_device_runs_unmodified(run, acl_program, tmp_path, soc):
    config = tmp_path / "acl.json"
    config.write_text(f'{{"soc_version": "{soc}"}}')
    done = run(acl_program("operator_sample.cc"), config)
    assert (done.status, done.stdout) == (0, f"{soc}\n4 2 10 5\n4 2 10 5\n")


def test_a_matrix_product_from_a_model(run, acl_program, atc, tmp_path):
    matrix = {"format": "ND", "shape": [16, 16], "type": "float16"}
    scalar = {**matrix, "shape": []}
    flag = {"type": "bool", "value": False}
    attrs = [{"name": name, **flag} for name in ("transpose_a", "transpose_b")]
    inputs = [matrix, matrix, matrix, scalar, scalar]
    gemm = {"op": "GEMM", "input_desc": inputs, "output_desc": [matrix], "attr": attrs}
    (tmp_path / "gemm.json").write_text(json.dumps([gemm]))
    (tmp_path / "acl.json").write_text('{"soc_version": "Ascend310P3"}')
    words = ["--singleop=gemm.json", "--output=op_models", "--soc_version=Ascend310P3"]
    assert run(atc, *words, cwd=tmp_path).status == 0
    done = run(acl_program("gemm_sample.cc"), "acl.json", "op_models", cwd=tmp_path)
    assert (done.status, done.stdout) == (0, "0 wrong\n0 wrong\n")


def test_a_stream_waits_for_another(run, acl_program):
    done = run(acl_program("stream_sample.cc"), env={"ASCEND_SOC_VERSION": "Ascend310P3"})
    assert (done.status, done.stdout) == (0, "0 wrong\n")


def test_a_cache_that_cannot_be_written_is_a_line_on_stderr(run, acl_program, tmp_path):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "ops"
    done = run(acl_program("cache_warning.cc"), folder, env={"ASCEND_SOC_VERSION": "Ascend310P3"})
    assert (done.status, done.stdout) == (0, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("[WARNING] compiled operators are not kept in the cache folder [")


def test_what_is_compiled_is_found_and_run_without_allocations(run, acl_program):
    done = run(acl_program("no_allocations.cc"), env={"ASCEND_SOC_VERSION": "Ascend310P3"})
    assert (done.status, done.stdout) == (0, "compile 0 handle 0 execute 0, result 3\n")


def test_the_program_of_the_documentation(run, acl_program, tmp_path):
    page = Path(__file__).parents[2] / "docs" / "aclop-c.md"
    (tmp_path / "page.c").write_text(re.search(r"```c\n(.*?)```", page.read_text(), re.S)[1])
    done = run(acl_program(tmp_path / "page.c"), env={"ASCEND_SOC_VERSION": "Ascend310P3"})
    assert (done.status, done.stdout) == (0, "11 ... 66\n")
