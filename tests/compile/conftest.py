"""Fixtures of the end-to-end tests: small models, one compile command, the corpus of networks."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

SHAPES = json.loads((Path(__file__).parents[1] / "data" / "input_shapes.json").read_text())


def shape_flag(name):
    """The --input_shape words for a network of the corpus, an empty list when it is static."""
    shapes = SHAPES.get(name, {})
    items = (f"{input}:{','.join(map(str, dims))}" for input, dims in shapes.items())
    return [f"--input_shape={';'.join(items)}"] if shapes else []


def compile_command(atc, model, output, *flags):
    """The words that compile ``model`` without lowering anything."""
    target = ["--framework=5", "--soc_version=Ascend310P3", "--precision_mode_v2=origin"]
    return [atc, f"--model={model}", *target, f"--output={output}", *flags]


@pytest.fixture(scope="session")
def compile_om(run, atc):
    """Call as ``compile_om(model, output, *flags, cwd=, env=)``; returns how atc ended."""

    def call(model, output, *flags, **options):
        return run(*compile_command(atc, model, output, *flags), **options)

    return call


def save(path, nodes, inputs, outputs, initializers=(), opset=13, ir=8, **graph):
    """Write an ONNX model of ``nodes``; inputs and outputs are name -> (dims) or (dtype, dims)."""

    def info(name, spec):
        dtype, dims = spec if isinstance(spec[0], int) and isinstance(spec[-1], list) else (1, spec)
        return helper.make_tensor_value_info(name, dtype, dims)

    model = helper.make_model(
        helper.make_graph(
            nodes,
            "g",
            [info(*item) for item in inputs.items()],
            [info(*item) for item in outputs.items()],
            [numpy_helper.from_array(value, name) for name, value in dict(initializers).items()],
            **graph,
        ),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=ir,
    )
    onnx.save(model, path)
    return path


@pytest.fixture
def relu_model(tmp_path):
    """A model of one Relu on [1,3,8,8]."""
    return save(
        tmp_path / "relu.onnx",
        [helper.make_node("Relu", ["x"], ["y"], name="relu")],
        {"x": [1, 3, 8, 8]},
        {"y": [1, 3, 8, 8]},
    )


@pytest.fixture
def conv_model(tmp_path):
    """Conv with a filter of 1.2 MB, bias, Relu."""
    rng = np.random.default_rng(7)
    return save(
        tmp_path / "conv.onnx",
        [
            helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv", pads=[1, 1, 1, 1]),
            helper.make_node("Relu", ["c"], ["y"], name="relu"),
        ],
        {"x": [1, 64, 16, 16]},
        {"y": [1, 512, 16, 16]},
        {
            "w": rng.standard_normal((512, 64, 3, 3), dtype=np.float32),
            "b": rng.standard_normal(512, dtype=np.float32),
        },
    )
