"""Convolutions of bytes in a model: the integers of onnxruntime, whatever runs them."""

import numpy as np
import onnxruntime
from conformance.check import compile_model
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

import ge.om

EXAMPLES = settings(max_examples=40, deadline=None)


@st.composite
def convolutions(draw, channels):
    """ONNX attributes, the filter and zero points of a convolution."""
    groups = draw(st.sampled_from([g for g in (1, 1, 2, channels) if channels % g == 0]))
    outputs = groups * draw(st.sampled_from([1, 2, 8, 16] if groups < 4 else [1, 2]))
    kernel = draw(st.tuples(*[st.integers(1, 3)] * 2))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    attrs = {
        "group": groups,
        "strides": draw(st.tuples(*[st.integers(1, 2)] * 2)),
        "dilations": draw(st.tuples(*[st.integers(1, 2)] * 2)),
        "pads": draw(st.tuples(*[st.integers(0, 2)] * 4)),
    }
    dtype = draw(st.sampled_from([np.int8, np.int8, np.uint8]))
    info = np.iinfo(dtype)
    filter_ = rng.integers(info.min, info.max, (outputs, channels // groups, *kernel), dtype)
    zero = draw(st.sampled_from([None, dtype(0), dtype(5)]))
    return attrs, filter_, zero, draw(st.sampled_from([None, 0, 3, 255]))


@st.composite
def networks(draw):
    """x -> ConvInteger -> bits 8 to 15 -> ConvInteger -> y."""
    channels = draw(st.sampled_from([1, 3, 4, 8, 16]))
    shape = (draw(st.integers(1, 2)), channels, *draw(st.tuples(*[st.integers(14, 24)] * 2)))
    nodes, constants = [], {"shift": np.array(256, np.int32)}
    value = "x"
    for layer in range(2):
        attrs, filter_, zero, x_zero = draw(convolutions(channels))
        channels = filter_.shape[0]
        constants[f"w{layer}"] = filter_
        inputs = [value, f"w{layer}", "", ""]
        if x_zero is not None:
            constants[f"xz{layer}"], inputs[2] = np.array(x_zero, np.uint8), f"xz{layer}"
        if zero is not None:
            constants[f"wz{layer}"], inputs[3] = np.array(zero), f"wz{layer}"
        while not inputs[-1]:
            inputs.pop()
        nodes.append(helper.make_node("ConvInteger", inputs, [f"y{layer}"], **attrs))
        value = f"y{layer}"
        if layer == 0:
            nodes += [
                helper.make_node("Abs", [value], ["abs"]),
                helper.make_node("Div", ["abs", "shift"], ["high"]),
                helper.make_node("Mod", ["high", "shift"], ["low"]),
                helper.make_node("Cast", ["low"], ["bytes"], to=TensorProto.UINT8),
            ]
            value = "bytes"
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, shape)],
        [helper.make_tensor_value_info(name, TensorProto.INT32, None) for name in ("y0", "y1")],
        [numpy_helper.from_array(v, name) for name, v in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    return model, rng.integers(0, 256, shape, np.uint8)


@EXAMPLES
@given(network=networks())
def test_sums_are_exact(tmp_path_factory, network):
    model, x = network
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    expected = session.run(None, {"x": x})
    folder = tmp_path_factory.mktemp("network")
    (folder / "net.onnx").write_bytes(model.SerializeToString())
    assert compile_model(folder / "net.onnx", folder / "net", []) is None
    with ge.om.load(folder / "net.om") as opened:
        for threads in 1, 3:
            results = opened.run({"x": x}, threads=threads).values()
            for got, wanted in zip(results, expected, strict=True):
                np.testing.assert_array_equal(got, wanted)
        poisoned, _ = opened._run([("x", x)], 1, profile=False, poison=True)
    for got, wanted in zip(poisoned, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(got), wanted)
