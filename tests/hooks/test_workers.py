"""Where kernels are built: in this process, in others, by an executor of the user."""

import concurrent.futures
import hashlib
import os
import re
import sys
import threading
from pathlib import Path

import onnx
import pytest
from hooks.networks import add_model
from hooks.vendor import PLAIN_ADD, add_vendor

import ge
from ge import errors

WHO = f"""
import os, threading
with open(WHERE, "a") as file:
    print(os.getpid(), threading.get_ident(), file=file)
{PLAIN_ADD}
"""


@pytest.fixture
def vendor(tmp_path, monkeypatch):
    """An operator that notes in which process and thread it is imported."""
    made = add_vendor(tmp_path / "acme", WHO.replace("WHERE", repr(str(tmp_path / "who"))))
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(made.path))
    monkeypatch.delenv("TE_PARALLEL_COMPILER", raising=False)
    return made


def compile_model(tmp_path, **more):
    """Where the operator was imported, and what the model is."""
    ge.compile(add_model(), tmp_path / "m.om", soc_version="Ascend310P3", **more).close()
    rows = {tuple(map(int, line.split())) for line in (tmp_path / "who").read_text().splitlines()}
    (tmp_path / "who").unlink()
    return rows, hashlib.sha256((tmp_path / "m.om").read_bytes()).hexdigest()


def test_operators_are_built_in_the_thread_of_the_compile(vendor, tmp_path):
    rows, _ = compile_model(tmp_path)
    assert rows == {(os.getpid(), threading.get_ident())}


def test_variable_asks_for_processes(vendor, tmp_path, monkeypatch):
    _, alone = compile_model(tmp_path)
    monkeypatch.setenv("TE_PARALLEL_COMPILER", "2")
    rows, digest = compile_model(tmp_path)
    assert os.getpid() not in {process for process, _ in rows}
    assert digest == alone


@pytest.mark.parametrize("text", ["0", "33", "many", "-1"])
def test_variable_that_is_no_such_number_is_warned_of(vendor, tmp_path, monkeypatch, text):
    monkeypatch.setenv("TE_PARALLEL_COMPILER", text)
    with ge.compile(add_model(), soc_version="Ascend310P3") as result:
        (warning,) = [warning for warning in result.warnings if warning.code == "W40012"]
    assert f"[{text}]" in warning.text
    assert "1 to 32" in warning.text


def test_executor_builds(vendor, tmp_path):
    _, alone = compile_model(tmp_path)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        rows, digest = compile_model(tmp_path, executor=pool)
    assert {process for process, _ in rows} == {os.getpid()}
    assert threading.get_ident() not in {thread for _, thread in rows}
    assert digest == alone


def test_variable_names_a_function_that_makes_an_executor(vendor, tmp_path, monkeypatch):
    monkeypatch.setenv("GE_COMPILE_EXECUTOR", "hooks.networks:thread_pool")
    rows, _ = compile_model(tmp_path)
    assert threading.get_ident() not in {thread for _, thread in rows}


def test_variable_that_names_no_function_is_refused(vendor, monkeypatch):
    monkeypatch.setenv("GE_COMPILE_EXECUTOR", "no_such_module:make")
    with pytest.raises(errors.CompileError, match=r"E40024.*(?s:.)*no_such_module:make"):
        ge.compile(add_model(), soc_version="Ascend310P3")


def test_worker_that_dies_is_one_error(vendor, monkeypatch):
    vendor.write_file("add_dsl.py", "import os\nos._exit(3)\n")
    monkeypatch.setenv("TE_PARALLEL_COMPILER", "1")
    with pytest.raises(errors.CompileError, match="worker process died") as raised:
        ge.compile(add_model(), soc_version="Ascend310P3")
    assert [problem.code for problem in raised.value.problems] == ["E40021"]
    assert str(vendor.implementation / "add_dsl.py") in raised.value.text


def test_operator_that_ends_its_worker_is_the_error_that_it_is_without_workers(vendor, monkeypatch):
    vendor.write_file("add_dsl.py", "def add_dsl(*args, **kw):\n    raise SystemExit(0)\n")
    texts = []
    for workers in ("", "1"):
        monkeypatch.setenv("TE_PARALLEL_COMPILER", workers)
        with pytest.raises(errors.HookError, match="must not end the program") as raised:
            ge.compile(add_model(), soc_version="Ascend310P3")
        texts.append(raised.value.text)
    assert texts[0] == texts[1]


def test_worker_that_is_killed_is_one_error_of_all_that_were_compiled(vendor, monkeypatch):
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    vendor.write_file("add_dsl.py", text)
    monkeypatch.setenv("TE_PARALLEL_COMPILER", "2")
    model = add_model(nodes=3, alpha=1.0)
    for i, node in enumerate(model.graph.node[1:4]):
        node.attribute[0].f = float(i)
    value = onnx.helper.make_tensor_value_info
    model.graph.value_info.extend(value(f"t{i}", 1, (2, 3)) for i in (1, 2, 3))
    with pytest.raises(errors.CompileError, match="worker process died") as raised:
        ge.compile(model, soc_version="Ascend310P3")
    assert len(raised.value.problems) == 1


def test_workers_come_back_after_one_died(vendor, tmp_path, monkeypatch):
    monkeypatch.setenv("TE_PARALLEL_COMPILER", "1")
    text = (vendor.implementation / "add_dsl.py").read_text()
    vendor.write_file("add_dsl.py", "import os\nos._exit(3)\n")
    with pytest.raises(errors.CompileError):
        ge.compile(add_model(), soc_version="Ascend310P3")
    vendor.write_file("add_dsl.py", text)
    compile_model(tmp_path)


def test_dask_compiles_operators_elsewhere(vendor, tmp_path, run, python, package):
    pytest.importorskip("distributed")
    page = (Path(__file__).parents[2] / "docs" / "python-hooks.md").read_text()
    (program,) = (code for code in re.findall(r"```python\n(.*?)```", page, re.S) if "dask" in code)
    (tmp_path / "program.py").write_text(program + "    import os\n    print(os.getpid())\n")
    onnx.save(add_model(), tmp_path / "net.onnx")
    folders = [package.parent, *map(Path, sys.path)]
    env = {
        "ASCEND_CUSTOM_OPP_PATH": vendor.path,
        "PYTHONPATH": ":".join(str(folder) for folder in folders if folder.is_absolute()),
    }
    done = run(python, "program.py", cwd=tmp_path, env=env)
    assert done.status == 0, done.stderr
    workers = {line.split()[0] for line in (tmp_path / "who").read_text().splitlines()}
    assert workers
    assert done.stdout.split()[-1] not in workers
    assert (tmp_path / "net.om").exists()
