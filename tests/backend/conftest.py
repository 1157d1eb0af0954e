"""Fixtures of the host engine's tests."""

import numpy as np
import onnx
import onnxruntime
import pytest
from compile.conftest import compile_command

import ge.om


def clear_names(graph):
    """Take away the names of nodes: onnxruntime refuses two of one name."""
    for node in graph.node:
        node.name = ""
        for attribute in node.attribute:
            if attribute.HasField("g"):
                clear_names(attribute.g)


@pytest.fixture
def check_run(run, atc, tmp_path):
    """Call as ``check_run(model, feeds, *flags)``.

    Compiles the ONNX model, runs the OM and compares with onnxruntime. Memory that is overwritten
    as soon as the plan says that it is free must not change a bit. Several feeds run on one
    opened model. Returns the results of the last feed.
    """

    def call(model, *feeds, flags=(), rtol=1e-5, atol=1e-6):
        source = tmp_path / "model.onnx"
        onnx.save(model, source)
        done = run(*compile_command(atc, source, tmp_path / "model"), *flags)
        assert done.status == 0, done.stdout
        clear_names(model.graph)
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"]
        )
        results = ()
        with ge.om.load(tmp_path / "model.om") as opened:
            for feed in feeds:
                results = opened.run(feed)
                poisoned, _ = opened._run(feed.items(), None, profile=False, poison=True)
                assert [np.asarray(b).tobytes() for b in poisoned] == [
                    r.tobytes() for r in results.values()
                ]
                names = [output.name for output in session.get_outputs()]
                expected = dict(zip(names, session.run(names, feed), strict=True))
                assert list(results) == list(expected)
                for name, value in expected.items():
                    assert results[name].dtype == value.dtype
                    np.testing.assert_allclose(results[name], value, rtol, atol, err_msg=name)
        return results

    return call
