"""Quantised networks in 16-bit floats, against onnxruntime and NumPy in float32."""

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnxruntime.quantization import QuantFormat, QuantType, quantize_dynamic, quantize_static
from passes.models import model, node

import ge

HALF_STEP = 2.0**-11  # of a float16, relative


def reference(net, feeds):
    """What onnxruntime gives for the network as it is, or in the file `net`."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    content = net if isinstance(net, str) else net.SerializeToString()
    return onnxruntime.InferenceSession(content, options).run(None, feeds)


def typed(net, **dtypes):
    """`net` with other types of inputs and outputs."""
    for value in [*net.graph.input, *net.graph.output]:
        if value.name in dtypes:
            value.type.tensor_type.elem_type = dtypes[value.name]
    return net


def dynamically_quantised(scale):
    """x quantised at run time, times a matrix whose elements are multiples of `scale`."""
    rng = np.random.default_rng(0)
    constants = {"w": rng.integers(0, 255, (512, 8), np.uint8), "wz": np.uint8(3), "ws": scale}
    nodes = [
        node("DynamicQuantizeLinear", "x", "q,xs,xz"),
        node("MatMulInteger", "q,w,xz,wz", "sums"),
        node("Cast", "sums", "wide", to=1),
        node("Mul", "xs,ws", "scale"),
        node("Mul", "wide,scale", "y"),
    ]
    return model(nodes, {"x": [4, 512]}, ["y"], constants)


@pytest.mark.parametrize("scale", [np.float32(3e-5), np.geomspace(1e-6, 1e-2, 8, dtype=np.float32)])
def test_neither_sums_nor_products_of_scales_are_rounded(build, scale):
    net = dynamically_quantised(scale)
    x = np.random.default_rng(1).integers(0, 256, (4, 512)).astype(np.float32) / 16
    got = build(net).run({"x": x})["y"]
    np.testing.assert_allclose(got, reference(net, {"x": x})[0], rtol=1e-6)


def test_requantised_sums_are_those_of_float32(build):
    """QLinearMatMul: as exact in the default precision as in that of the network."""
    rng = np.random.default_rng(2)
    constants = {
        "xs": np.float32(0.02),
        "xz": np.uint8(120),
        "w": rng.integers(-127, 128, (300, 16), np.int8),
        "ws": rng.uniform(1e-4, 1e-3, 16).astype(np.float32),
        "wz": np.zeros(16, np.int8),
        "ys": np.float32(0.01),
        "yz": np.uint8(128),
    }
    nodes = [node("QLinearMatMul", "x,xs,xz,w,ws,wz,ys,yz", "y")]
    net = typed(model(nodes, {"x": [64, 300]}, ["y"], constants), x=2, y=2)
    feeds = {"x": rng.integers(0, 256, (64, 300), np.uint8)}
    np.testing.assert_array_equal(build(net).run(feeds)["y"], reference(net, feeds)[0])


@st.composite
def dequantised(draw):
    dtype = np.dtype(draw(st.sampled_from(["int8", "uint8", "int16", "uint16", "int32"])))
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    q = np.array(draw(st.lists(st.integers(low, high), min_size=4, max_size=4)), dtype)
    exponents = st.floats(-9, 2)
    count = draw(st.sampled_from([1, 4]))
    scales = [10 ** draw(exponents) for _ in range(count)]
    zero = draw(st.integers(max(low, -(2**15)), min(high, 2**15))) if dtype != np.int32 else 0
    return q, np.float32(scales), np.full(count, zero, dtype), draw(st.booleans())


@settings(max_examples=40)
@given(case=dequantised())
def test_dequantised_numbers_are_rounded_only_where_they_are_used(case):
    q, scale, zero, is_constant = case
    constants = {"s": scale, "z": zero} if is_constant else {"z": zero}
    nodes = [
        node("DequantizeLinear", "q,s,z", "d", axis=0),
        node("Clip", "d,low,high", "y"),  # computes in float16
    ]
    limits = {"low": np.float32(-60000), "high": np.float32(60000)}
    inputs = {"q": [4]} if is_constant else {"q": [4], "s": list(scale.shape)}
    net = model(nodes, inputs, ["y"], constants | limits, opset=21)
    net = typed(net, q={"int8": 3, "uint8": 2, "int16": 5, "uint16": 4, "int32": 6}[q.dtype.name])
    feeds = {"q": q} if is_constant else {"q": q, "s": scale}
    with ge.compile(net, soc_version="Ascend310P3") as built:
        got = built.model.run(feeds)["y"]
    wide = (q.astype(np.float64) - zero) * scale
    np.testing.assert_allclose(got, wide.clip(-60000, 60000), rtol=3 * HALF_STEP, atol=2.0**-24)


def test_a_picture_of_bytes_becomes_float16(build):
    nodes = [
        node("Cast", "x", "wide", to=1),
        node("Mul", "wide,k", "scaled"),
        node("Neg", "scaled", "y"),
    ]
    net = typed(model(nodes, {"x": [4]}, ["y"], {"k": np.float32(1 / 255)}), x=2)
    assert build(net).dtypes()["scaled"] == "float16"


def integer_sums(*behind):
    nodes = [node("MatMulInteger", "a,b", "sums"), node("Cast", "sums", "wide", to=1), *behind]
    return typed(model(nodes, {"a": [1, 64], "b": [64, 1]}, ["y"]), a=3, b=3)


ONES = {"a": np.full((1, 64), 127, np.int8), "b": np.full((64, 1), 127, np.int8)}


def test_sums_that_a_function_brings_back_stay_in_float32(build):
    built = build(integer_sums(node("Neg", "wide", "less"), node("Sigmoid", "less", "y")))
    assert built.run(ONES)["y"] == 0
    assert built.dtypes()["less"] == "float32"
    assert "W10007" not in built.text


def test_sums_that_nothing_scales_are_warned_of(build):
    built = build(integer_sums(node("Relu", "wide", "r"), node("Cos", "r", "y")))
    assert "W10007" in built.text
    assert "(65504): r." in built.text


def classifier():
    rng = np.random.default_rng(4)
    constants = {
        "f1": rng.standard_normal((8, 1, 5, 5), np.float32) / 5,
        "f2": rng.standard_normal((16, 8, 3, 3), np.float32) / 9,
        "w": rng.standard_normal((16, 10), np.float32),
        "b": rng.standard_normal(10, np.float32) / 4,
    }
    nodes = [
        node("Conv", "x,f1", "c1"),
        node("Relu", "c1", "r1"),
        node("Conv", "r1,f2", "c2", strides=[2, 2]),
        node("Relu", "c2", "r2"),
        node("GlobalAveragePool", "r2", "p"),
        node("Flatten", "p", "v"),
        node("MatMul", "v,w", "m"),
        node("Add", "m,b", "y"),
    ]
    return model(nodes, {"x": [1, 1, 20, 20]}, ["y"], constants)


class Pictures:
    def __init__(self):
        self.left = iter(pictures())

    def get_next(self):
        return next(self.left, None)


def pictures():
    rng = np.random.default_rng(6)
    return [{"x": rng.uniform(0, 1, (1, 1, 20, 20)).astype(np.float32)} for _ in range(4)]


def static(form, weights, **others):
    return lambda source, result: quantize_static(
        source, result, Pictures(), quant_format=form, weight_type=weights, **others
    )


PRODUCTS = {"op_types_to_quantize": ["Conv", "MatMul"]}
RECIPES = {
    "dynamic": lambda source, result: quantize_dynamic(source, result),
    "dynamic, bytes": lambda source, result: quantize_dynamic(
        source, result, weight_type=QuantType.QUInt8
    ),
    "QDQ": static(QuantFormat.QDQ, QuantType.QInt8),
    "QDQ, each channel": static(QuantFormat.QDQ, QuantType.QInt8, per_channel=True),
    "QDQ, 16 bits": static(QuantFormat.QDQ, QuantType.QInt8, activation_type=QuantType.QUInt16),
    "QLinear": static(QuantFormat.QOperator, QuantType.QInt8, per_channel=True, **PRODUCTS),
    "QLinear, bytes": static(
        QuantFormat.QOperator, QuantType.QUInt8, activation_type=QuantType.QUInt8, **PRODUCTS
    ),
}


@pytest.mark.parametrize("recipe", RECIPES)
def test_quantised_networks_give_the_classes_of_onnxruntime(tmp_path, recipe):
    onnx.save(classifier(), tmp_path / "float.onnx")
    path = str(tmp_path / "quantised.onnx")
    RECIPES[recipe](str(tmp_path / "float.onnx"), path)
    for mode in ("fp16", "mixed_float16", "cube_fp16in_fp32out"):
        with ge.compile(path, soc_version="Ascend310P3", precision_mode_v2=mode) as built:
            for feeds in pictures():
                wanted = reference(path, feeds)[0]
                got = built.model.run(feeds)["y"]
                # A number that lies near a half becomes the level beside it, here and there.
                np.testing.assert_allclose(got, wanted, atol=np.abs(wanted).max() / 50)
                assert got.argmax() == wanted.argmax()
