"""Fixtures of the command line tests: a small model, and atc run beside it."""

import onnx
import pytest
from cli.facts import FLAGS, GOOD
from onnx import TensorProto, helper


def tiny_model():
    """x[2,3] -> Relu -> y[2,3]."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"], name="act")], "g", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


@pytest.fixture(scope="session")
def flags():
    """Facts about ATC's flags, one dict each, in the order of its usage text."""
    return FLAGS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with net.onnx and debug.cfg in it."""
    path = tmp_path_factory.mktemp("cli")
    onnx.save(tiny_model(), path / "net.onnx")
    (path / "debug.cfg").write_text("op_debug_config=oom\n")
    return path


@pytest.fixture(scope="module")
def cli(run, atc, folder):
    """Call as ``cli(*words)``: runs atc with these words in `folder`."""
    return lambda *words, **how: run(atc, *words, cwd=how.pop("cwd", folder), **how)


@pytest.fixture(scope="module")
def build(cli):
    """Call as ``build(*words, flag=value)``: compiles, with flags changed or, by None, left out."""

    def run_build(*words, cwd=None, env=None, **changes):
        chosen = {name: value for name, value in {**GOOD, **changes}.items() if value is not None}
        how = {"env": env} | ({"cwd": cwd} if cwd else {})
        return cli(*(f"--{name}={value}" for name, value in chosen.items()), *words, **how)

    return run_build
