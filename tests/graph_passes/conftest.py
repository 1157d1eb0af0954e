import textwrap

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import ge


def model_of(*nodes, constants=(), shape=(2, 3), inputs=("x",)):
    """An ONNX model of the nodes, whose output is y."""
    return helper.make_model(
        helper.make_graph(
            list(nodes),
            "g",
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in inputs],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [numpy_helper.from_array(np.asarray(value), name) for name, value in constants],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )


@pytest.fixture
def write_pass(tmp_path):
    """Write a pass file and return its path."""

    def write(text, name="my_pass.py"):
        path = tmp_path / "passes" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    return write


@pytest.fixture
def compile_with(monkeypatch, tmp_path):
    """Compile an ONNX model with passes; the result is closed at the end."""
    results = []

    def call(model, *paths, **flags):
        monkeypatch.setenv("ASCEND_GE_PY_PASS_PATH", ":".join(map(str, paths)))
        flags = {"precision_mode_v2": "origin", **flags}
        results.append(ge.compile(model, soc_version="Ascend310P3", **flags))
        return results[-1]

    yield call
    for result in results:
        result.close()


def counts(result):
    """How often each pass took effect."""
    return {row["name"]: row["count"] for row in result.report["passes"]}


def types(result):
    """Operator types of the compiled model."""
    return [node.type for node in result.model.graph.nodes]


def save(model, path):
    onnx.save(model, path)
    return path
