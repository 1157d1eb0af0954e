"""Fixtures of the pass tests: ONNX models, compiled and run, against onnxruntime."""

import numpy as np
import onnxruntime
import pytest
from conformance.check import compile_model

import ge.om


@pytest.fixture
def check_fused(tmp_path):
    """Call as ``check_fused(model, operators)``.

    The OM must hold these operators (type to count; None: any), and give what onnxruntime gives
    for the model without any optimisation. ``rtol`` is relative to the greatest number of an
    output. Returns the graph of the OM.
    """

    def call(model, operators=None, *, feeds=None, flags=(), rtol=2e-6):
        source, output = tmp_path / "model.onnx", tmp_path / "model"
        source.write_bytes(model.SerializeToString())
        assert compile_model(source, output, list(flags)) is None
        feeds = random_feeds(model) if feeds is None else feeds
        expected = unoptimised(model, feeds)
        with ge.om.load(tmp_path / "model.om") as opened:
            graph = opened.graph
            assert operators is None or graph.operators() == operators
            results = opened.run(feeds)
        assert list(results) == list(expected)
        for name, wanted in expected.items():
            got = results[name]
            assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), name
            if wanted.size == 0:
                continue
            scale = np.abs(wanted[np.isfinite(wanted)], dtype=np.float64).max(initial=0)
            np.testing.assert_allclose(
                got.astype(np.float64), wanted.astype(np.float64), 0, rtol * scale, err_msg=name
            )
        return graph

    return call


def random_feeds(model):
    """Normally distributed numbers for every input of static shape."""
    rng = np.random.default_rng(1)
    feeds = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        dtype = {1: np.float32, 10: np.float16, 11: np.float64}[tensor.elem_type]
        shape = [dim.dim_value for dim in tensor.shape.dim]
        feeds[value.name] = rng.standard_normal(shape).astype(dtype)
    return feeds


def unoptimised(model, feeds):
    """Outputs by onnxruntime, which is to change nothing in the model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"]
    )
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds), strict=True))
