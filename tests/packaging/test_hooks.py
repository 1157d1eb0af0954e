"""Operators in Python under every interpreter, from one wheel."""

import functools

import onnx
import pytest
from hooks.networks import add_model
from hooks.vendor import PLAIN_ADD, add_vendor

WORDS = ("--framework=5", "--model=net.onnx", "--soc_version=Ascend310P3", "--output=net")
VERSIONS = ["3.11", "3.12", "3.13"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    onnx.save(add_model(alpha=2.0), folder / "net.onnx")
    add_vendor(folder / "acme", f"import sys\nprint('inside', sys.executable)\n{PLAIN_ADD}")
    return folder


@pytest.fixture(scope="module")
def compile_by(run, install, interpreter, tmp_path_factory, place):
    """Call as ``compile_by(version)``: interpreter, lines of stdout, and bytes of the model."""

    @functools.cache
    def call(version):
        python = install(interpreter(version), tmp_path_factory.mktemp(version) / "environment")
        env = {"ASCEND_CUSTOM_OPP_PATH": place / "acme"}
        done = run(python.parent / "pyatc", *WORDS, cwd=place, env=env)
        assert (done.status, done.stderr) == (0, "")
        return str(python), done.stdout.splitlines(), (place / "net.om").read_bytes()

    return call


@pytest.fixture(scope="module")
def model_of_3_11(compile_by):
    return compile_by("3.11")[2]


@pytest.mark.parametrize("version", VERSIONS)
def test_operator_runs_in_the_interpreter_that_was_started(compile_by, model_of_3_11, version):
    python, lines, model = compile_by(version)
    assert f"inside {python}" in lines
    assert model == model_of_3_11


def test_wrapper_takes_another_interpreter_and_its_workers(run, environment, interpreter, place):
    chosen = interpreter("3.12")
    env = {"ASCEND_CUSTOM_OPP_PATH": place / "acme", "PYTHON": chosen, "TE_PARALLEL_COMPILER": "1"}
    done = run(environment / "bin" / "pyatc", *WORDS, cwd=place, env=env)
    assert (done.status, done.stderr) == (0, "")
    assert f"inside {chosen}" in done.stdout
