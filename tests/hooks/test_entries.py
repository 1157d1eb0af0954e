"""Operators in Python by every way in: atc, pyatc, python3 -m ge.pyatc, --singleop, ge.aclop."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import onnx
import pytest
from hooks.networks import add_model
from hooks.vendor import PLAIN_ADD, add_vendor

from ge.om import load

WORDS = ("--framework=5", "--model=net.onnx", "--soc_version=Ascend310P3", "--output=net")
ORIGIN = "--precision_mode_v2=origin"
SAYS_WHERE = f"import sys\nprint('inside', sys.executable, flush=False)\n{PLAIN_ADD}"


@pytest.fixture
def vendor(tmp_path):
    onnx.save(add_model(alpha=2.0), tmp_path / "net.onnx")
    return add_vendor(tmp_path / "acme", SAYS_WHERE)


@pytest.fixture
def path_of(tmp_path):
    """Call as ``path_of(text)``: a PATH whose python3 is that shell script, or nothing at all."""

    def make(text=None):
        folder = tmp_path / "bin"
        folder.mkdir()
        if text is not None:
            (folder / "python3").write_text(f"#!/bin/sh\n{text}\n")
            (folder / "python3").chmod(0o755)
        return f"{folder}:/usr/sbin" if text is None else f"{folder}:/usr/bin:/bin"

    return make


@pytest.fixture
def compile_net(run, tmp_path, vendor, python, package):
    """Call as ``compile_net(program, *words, **env)``: a run of that entry on net.onnx."""

    def call(*program, words=(), **env):
        env = {"ASCEND_CUSTOM_OPP_PATH": vendor.path, "PYTHONPATH": package.parent, **env}
        return run(*program, *WORDS, *words, cwd=tmp_path, env=env)

    return call


def results_of(path):
    generator = np.random.default_rng(1)
    x, y = (generator.standard_normal((2, 3)).astype(np.float32) for _ in range(2))
    with load(path) as model:
        found = next(iter(model.run({"x": x, "y": y}).values()))
    return found, -(np.maximum(x, 0) + y * np.float32(2))


def python_of_path(python):
    return os.path.join(os.path.dirname(python), "python3")


def beside(python):
    """PATH with the interpreter of the tests first."""
    return {"PATH": f"{os.path.dirname(python)}:{os.environ['PATH']}"}


def test_native_program_finds_the_python_of_path(compile_net, atc, python, tmp_path):
    done = compile_net(atc, words=[ORIGIN], PYTHONPATH=None, **beside(python))
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == f"inside {python_of_path(python)}"
    found, expected = results_of(tmp_path / "net.om")
    np.testing.assert_array_equal(found, expected)


def test_all_entries_give_the_same_bytes(compile_net, atc, python, tmp_path):
    models = []
    for program in ([atc], [python, "-P", "-m", "ge.pyatc"]):
        done = compile_net(*program, **beside(python))
        assert (done.status, done.stderr) == (0, "")
        models.append((tmp_path / "net.om").read_bytes())
    assert models[0] == models[1]


def test_processes_of_the_native_program_know_the_package(compile_net, atc, python):
    env = {**beside(python), "TE_PARALLEL_COMPILER": "1", "PYTHONPATH": None}
    done = compile_net(atc, **env)
    assert (done.status, done.stderr) == (0, "")
    assert f"inside {python_of_path(python)}" in done.stdout


@pytest.mark.parametrize(
    ("script", "code", "shown"),
    [
        (None, "E40001", "PATH has no python3 that runs"),
        ("exit 1", "E40001", "PATH has no python3 that runs"),
        ("printf '3.10\\n/old/python3\\nlibpython3.10.so\\n'", "E40002", "3.10 of [/old/python3]"),
        ("printf '3.12\\n/static/python3\\nlibpython3.none.so\\n'", "E40001", "/static/python3"),
    ],
)
def test_python_that_cannot_be_used_is_one_error(compile_net, atc, path_of, script, code, shown):
    done = compile_net(atc, PATH=path_of(script))
    assert done.status != 0
    assert f"({code}): " in done.stdout
    assert shown in done.stdout
    assert "pyatc" in done.stdout


def test_native_program_without_operators_starts_no_python(run, atc, path_of, tmp_path):
    onnx.save(add_model(op_type="Add"), tmp_path / "net.onnx")
    path = path_of("echo started > started; exit 1")
    assert run(atc, *WORDS, cwd=tmp_path, env={"PATH": path}).status == 0
    assert not (tmp_path / "started").exists()


def test_fault_of_an_operator_is_in_the_error_block(compile_net, atc, python, vendor):
    path = vendor.write_file("add_dsl.py", "def add_dsl(*a, **k):\n    raise ValueError('no')\n")
    done = compile_net(atc, **beside(python))
    file = path.implementation / "add_dsl.py"
    assert done.status != 0
    assert "(E40021): Operator [add0] of type [AddDsl]" in done.stdout
    assert f"interpreter: {python_of_path(python)}" in done.stdout
    assert f'File "{file}", line 2, in add_dsl' in done.stdout
    assert done.stderr == ""


WAITS = "import time\ndef add_dsl(*a, **k):\n    open('here', 'w').close()\n    time.sleep(60)\n"


@pytest.mark.parametrize("entry", ["atc", "module"])
def test_interrupt_ends_an_operator_and_the_compile(atc, python, package, vendor, tmp_path, entry):
    vendor.write_file("add_dsl.py", WAITS)
    program = [atc] if entry == "atc" else [python, "-P", "-m", "ge.pyatc"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    environment |= {"ASCEND_CUSTOM_OPP_PATH": str(vendor.path), **beside(python)}
    environment["PYTHONPATH"] = str(package.parent)
    with subprocess.Popen(
        [*program, *WORDS], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        while not (tmp_path / "here").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stdout == "ATC has started, please wait.\n"
    assert not (tmp_path / "net.om").exists()


def test_exit_of_an_operator_is_an_error(compile_net, atc, python, vendor):
    vendor.write_file("add_dsl.py", "import sys\ndef add_dsl(*a, **k):\n    sys.exit(0)\n")
    done = compile_net(atc, **beside(python))
    assert done.status not in (0, 130)
    assert "must not end the program" in done.stdout


OP = {
    "op": "AddDsl",
    "name": "own",
    "input_desc": [{"format": "ND", "shape": [2, 3], "type": "float32"}] * 2,
    "output_desc": [{"format": "ND", "shape": [2, 3], "type": "float32"}],
    "attr": [{"name": "alpha", "type": "float", "value": 2.0}],
}


@pytest.mark.parametrize("entry", ["atc", "module"])
def test_single_operator_from_a_file(run, atc, python, package, vendor, tmp_path, entry):
    (tmp_path / "ops.json").write_text(json.dumps([OP]))
    program = [atc] if entry == "atc" else [python, "-P", "-m", "ge.pyatc"]
    done = run(
        *program,
        "--singleop=ops.json",
        "--output=out",
        "--soc_version=Ascend310P3",
        cwd=tmp_path,
        env={
            "ASCEND_CUSTOM_OPP_PATH": vendor.path,
            "PYTHONPATH": package.parent,
            **beside(python),
        },
    )
    assert (done.status, done.stderr) == (0, "")
    with load(tmp_path / "out" / "own.om") as model:
        x, y = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[1, 0, -1], [2, 3, 4]])
        names = [port.name for port in model.inputs]
        found = next(iter(model.run(dict(zip(names, (x, y), strict=True))).values()))
    np.testing.assert_array_equal(found, x + 2 * y)


def test_single_operator_of_a_program(vendor, monkeypatch):
    from ge import aclop

    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor.path))
    aclop.init("Ascend310P3")
    x, y = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[1, 0, -1], [2, 3, 4]])
    z = np.zeros_like(x)
    aclop.compile_and_execute("AddDsl", [x, y], [z], attrs={"alpha": 2.0})
    np.testing.assert_array_equal(z, x + 2 * y)


def test_fault_of_a_single_operator_of_a_program(vendor, monkeypatch):
    from ge import aclop

    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor.path))
    vendor.write_file("add_dsl.py", "def add_dsl(*a, **k):\n    raise ValueError('bad bits')\n")
    aclop.init("Ascend310P3")
    x = np.zeros((5, 7), np.float32)
    with pytest.raises(aclop.AclError, match=r"(?s)E40021.*bad bits"):
        aclop.compile_and_execute("AddDsl", [x, x], [np.zeros_like(x)])
    assert sys.modules.get("tbe") is None
