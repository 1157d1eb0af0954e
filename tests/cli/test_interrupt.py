"""Ctrl-C during a compile: status 130, one line, nothing left."""

import os
import signal
import subprocess

import numpy as np
import onnx
import pytest
from cli.facts import GOOD
from onnx import TensorProto, helper, numpy_helper


@pytest.fixture(scope="module")
def slow_folder(tmp_path_factory):
    """A folder with net.onnx, which takes long enough to compile to be interrupted."""
    path = tmp_path_factory.mktemp("slow")
    size = 1500
    a = numpy_helper.from_array(np.ones((size, size), np.float64), "w0")
    nodes = [
        helper.make_node("MatMul", [f"w{i}", f"w{i}"], [f"w{i + 1}"], name=f"n{i}")
        for i in range(40)
    ]
    nodes.append(helper.make_node("Add", ["x", "w40"], ["y"], name="last"))
    x, y = (helper.make_tensor_value_info(n, TensorProto.DOUBLE, [size, size]) for n in "xy")
    graph = helper.make_graph(nodes, "g", [x], [y], [a])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path / "net.onnx")
    return path


def start(atc, folder, **how):
    words = [f"--{name}={value}" for name, value in GOOD.items()]
    return subprocess.Popen(
        [os.fspath(atc), *words, "--log=info"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )


def test_one_interrupt_stops_the_compile(atc, slow_folder):
    with start(atc, slow_folder) as process:
        assert "compiling" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "ATC run" not in out
    assert err == "interrupted\n"
    assert [path.name for path in slow_folder.iterdir()] == ["net.onnx"]


def test_an_ignored_interrupt_stays_ignored(atc, tmp_path, folder):
    (tmp_path / "net.onnx").write_bytes((folder / "net.onnx").read_bytes())
    ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)  # noqa: E731
    with start(atc, tmp_path, preexec_fn=ignore) as process:
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 0
