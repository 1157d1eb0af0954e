"""Conv, ConvTranspose and the integer convolutions."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ops.oracle import Call, assert_close, check_refused, check_shapes, import_call, run

EXAMPLES = settings(max_examples=30)  # every example is a session of onnxruntime

OPSETS = [7, 11, 17, 22]


def lists(length, low, high):
    return st.lists(st.integers(low, high), min_size=length, max_size=length)


@st.composite
def windows(draw, spatial, auto_pads=("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")):
    """Kernel, dims that it fits in, and ONNX attributes; onnxruntime has no SAME with dilation."""
    kernel = draw(lists(spatial, 1, 3))
    attrs = {"kernel_shape": kernel}
    auto_pad = draw(st.sampled_from(auto_pads))
    pads = [0] * (2 * spatial)
    dilations = [1] * spatial
    if auto_pad != "NOTSET":
        attrs["auto_pad"] = auto_pad
    elif draw(st.booleans()):
        pads = attrs["pads"] = draw(lists(2 * spatial, 0, 2))
    if not auto_pad.startswith("SAME") and draw(st.booleans()):
        dilations = attrs["dilations"] = draw(lists(spatial, 1, 2))
    if draw(st.booleans()):
        attrs["strides"] = draw(lists(spatial, 1, 3))
    dims = []
    for i, (k, d) in enumerate(zip(kernel, dilations, strict=True)):
        least = 1 if auto_pad.startswith("SAME") else (k - 1) * d + 1 - pads[i] - pads[i + spatial]
        dims.append(max(least, 1) + draw(st.integers(0, 4)))
    return kernel, dims, attrs


@st.composite
def convolutions(draw, spatial=None):
    spatial = spatial or draw(st.integers(1, 3))
    kernel, dims, attrs = draw(windows(spatial))
    batch, groups = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    channels, outputs = draw(st.integers(1, 2)), groups * draw(st.integers(1, 2))
    if groups != 1:
        attrs["group"] = groups
    rng = np.random.default_rng(0)
    x = rng.standard_normal((batch, groups * channels, *dims), np.float32)
    filter_ = rng.standard_normal((outputs, channels, *kernel), np.float32)
    bias = draw(st.sampled_from([None, rng.standard_normal(outputs, np.float32)]))
    inputs = [x, filter_] if bias is None else [x, filter_, bias]
    return Call("Conv", inputs, attrs, draw(st.sampled_from(OPSETS)))


@st.composite
def transposed_convolutions(draw):
    spatial = draw(st.integers(1, 3))
    kernel = draw(lists(spatial, 1, 3))
    strides, dilations = draw(lists(spatial, 1, 3)), draw(lists(spatial, 1, 2))
    attrs = {"kernel_shape": kernel, "strides": strides, "dilations": dilations}
    groups = draw(st.integers(1, 2))
    attrs["group"] = groups
    dims = draw(lists(spatial, 1, 4))
    if draw(st.booleans()):
        attrs["output_padding"] = [draw(st.integers(0, s - 1)) for s in strides]
    auto_pad = draw(st.sampled_from(["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]))
    natural = [
        (n - 1) * s + (k - 1) * d + 1 + p
        for n, s, k, d, p in zip(
            dims,
            strides,
            kernel,
            dilations,
            attrs.get("output_padding", [0] * spatial),
            strict=True,
        )
    ]
    if auto_pad != "NOTSET":
        attrs["auto_pad"] = auto_pad
    elif draw(st.booleans()):
        attrs["pads"] = [draw(st.integers(0, (n - 1) // 2)) for n in natural * 2]
    if "pads" not in attrs and draw(st.booleans()):
        attrs["output_shape"] = [draw(st.integers(max(1, n - 3), n)) for n in natural]
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 2 * groups, *dims), np.float32)
    filter_ = rng.standard_normal((2 * groups, draw(st.integers(1, 2)), *kernel), np.float32)
    return Call("ConvTranspose", [x, filter_], attrs, draw(st.sampled_from(OPSETS)))


def node_of(imported, *types):
    (node,) = [node for node in imported["nodes"] if node["type"] in types]
    return node


def explicit(call, imported, *types):
    """The call with the numbers of the GE node instead of its own attributes."""
    attrs = node_of(imported, *types)["attrs"]
    spatial = call.inputs[0].ndim - 2
    pads = attrs["pads"][-2 * spatial :]
    explicit_attrs = {
        "strides": attrs["strides"][-spatial:],
        "dilations": attrs["dilations"][-spatial:],
        "pads": pads[0::2] + pads[1::2],
        "group": attrs["groups"],
    }
    if "output_padding" in attrs:
        explicit_attrs["output_padding"] = attrs["output_padding"][-spatial:]
    return Call(call.op_type, call.inputs, explicit_attrs, 17)


@EXAMPLES
@given(call=convolutions(), data=st.data())
def test_convolution_shapes(call, data):
    hidden = data.draw(gen.hidden_dims(call.inputs, keep=(1, 2)))
    check_shapes(call, constant=range(1, len(call.inputs)), hidden=hidden)


@EXAMPLES
@given(call=convolutions())
def test_convolution_attributes_mean_the_same(call):
    imported = import_call(call, constant=(1, 2))
    got = run(explicit(call, imported, "Conv2D", "Conv3D"))
    assert_close(got[0], run(call)[0], rtol=1e-4, atol=1e-4)


def test_filter_stays_as_it_is():
    filter_ = np.arange(2 * 3 * 3 * 3, dtype=np.float32).reshape(2, 3, 3, 3)
    call = Call("Conv", [np.zeros((1, 3, 8, 8), np.float32), filter_])
    imported = import_call(call, constant=(1,))
    assert [node["type"] for node in imported["nodes"] if node["type"] != "NetOutput"] == [
        "Data",
        "Const",
        "Conv2D",
    ]
    assert node_of(imported, "Conv2D")["attrs"]["data_format"] == "NCHW"
    assert node_of(imported, "Const")["outputs"][0]["shape"] == [2, 3, 3, 3]


def test_padding_that_depends_on_unknown_dims_is_kept_by_name():
    x, filter_ = np.zeros((1, 1, 7, 7), np.float32), np.zeros((1, 1, 3, 3), np.float32)
    call = Call("Conv", [x, filter_], {"auto_pad": "SAME_LOWER", "strides": [2, 2]})
    imported = check_shapes(call, constant=(1,), hidden={0: (3,)})
    assert node_of(imported, "Conv2D")["attrs"]["auto_pad"] == "SAME_LOWER"


@EXAMPLES
@given(call=transposed_convolutions())
def test_transposed_convolution(call):
    imported = import_call(call, constant=(1,))
    expected = run(call)[0]
    assert imported["outputs"][0]["shape"] == list(expected.shape)
    got = run(explicit(call, imported, "Conv2DTranspose", "Conv3DTranspose"))
    assert_close(got[0], expected, rtol=1e-4, atol=1e-4)


@EXAMPLES
@given(call=transposed_convolutions(), data=st.data())
def test_transposed_convolution_of_unknown_dims(call, data):
    assume(not call.attrs.get("auto_pad", "").startswith("SAME"))  # onnx is wrong about these
    hidden = data.draw(gen.hidden_dims(call.inputs, keep=(1,)))
    check_shapes(call, constant=(1,), hidden=hidden)


def conv(x, filter_, bias=None, op_type="Conv", **attrs):
    inputs = [np.zeros(x, np.float32), np.zeros(filter_, np.float32)]
    if bias is not None:
        inputs.append(np.zeros(bias, np.float32))
    return Call(op_type, inputs, attrs)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (conv((1, 3, 8, 8), (4, 2, 3, 3)), ["[1,3,8,8]", "[4,2,3,3]", "channels"]),
        (conv((1, 4, 8, 8), (3, 2, 3, 3), group=2), ["[3,2,3,3]", "groups 2"]),
        (conv((1, 1, 2, 8), (1, 1, 3, 3)), ["[1,1,2,8]", "3"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), (2,)), ["bias", "[2]", "[1]"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), kernel_shape=[2, 2]), ["kernel_shape", "[2,2]"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), strides=[1]), ["strides", "1 entries"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), strides=[0, 1]), ["stride", "0"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), dilations=[2**62, 1]), ["dilation", str(2**62)]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), pads=[2**63 - 1] * 4), ["pad", str(2**63 - 1)]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), pads=[-1, 0, 0, 0]), ["pad", "-1"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), auto_pad="BOTH"), ["auto_pad", "BOTH"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), auto_pad="VALID", pads=[1] * 4), ["pads", "VALID"]),
        (conv((1, 1, 8, 8), (1, 1, 3, 3), group=0), ["groups", "0"]),
        (conv((1, 8), (1, 8)), ["[1,8]"]),
        (conv((1, 1, 2, 2, 2, 2), (1, 1, 1, 1, 1, 1)), ["spatial axes"]),
        (
            conv((1, 1, 3, 3), (1, 1, 3, 3), op_type="ConvTranspose", output_padding=[1, 1]),
            ["output_padding", "[1,1]"],
        ),
        (
            conv((1, 1, 3, 3), (1, 1, 3, 3), op_type="ConvTranspose", output_shape=[12, 5]),
            ["output_shape", "12", "[1,1,3,3]"],
        ),
        (
            conv((1, 1, 3, 3), (1, 1, 3, 3), op_type="ConvTranspose", pads=[5] * 4),
            ["[1,1,3,3]", "5"],
        ),
        (conv((1, 2, 3, 3), (1, 1, 3, 3), op_type="ConvTranspose"), ["2", "[1,1,3,3]"]),
    ],
)
def test_wrong_convolutions_are_refused(call, words):
    check_refused(call, "node", *words)


def test_a_missing_filter_is_refused():
    check_refused(Call("Conv", [np.zeros((1, 1, 4, 4), np.float32), None]), "input 1", "missing")


@pytest.mark.parametrize("zero_points", [False, True])
def test_integer_convolution(zero_points):
    x, filter_ = np.zeros((1, 2, 5, 5), np.uint8), np.zeros((3, 2, 3, 3), np.int8)
    inputs = [x, filter_]
    if zero_points:
        inputs += [np.array(3, np.uint8), np.array([1, 2, 3], np.int8)]
    call = Call("ConvInteger", inputs, {"pads": [1] * 4})
    imported = import_call(call, constant=range(1, len(inputs)))
    (output,) = imported["outputs"]
    assert (output["dtype"], output["shape"]) == ("int32", [1, 3, 5, 5])


def test_quantized_convolution():
    scale, zero = np.array(0.5, np.float32), np.array(1, np.uint8)
    scales, zeros = np.array([0.5, 0.25], np.float32), np.zeros(2, np.int8)
    x, filter_ = np.ones((1, 1, 5, 5), np.uint8), np.ones((2, 1, 3, 3), np.int8)
    bias = np.zeros(2, np.int32)
    call = Call("QLinearConv", [x, scale, zero, filter_, scales, zeros, scale, zero, bias])
    check_shapes(call, constant=range(1, 9))
