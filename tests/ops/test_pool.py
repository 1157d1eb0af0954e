"""Pooling."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, assert_close, check_refused, check_shapes, import_call, run
from ops.test_conv import node_of

EXAMPLES = settings(max_examples=30)  # every example is a session of onnxruntime

POOLS = ("MaxPoolV3", "MaxPool3D", "AvgPoolV2", "AvgPool3D")


@st.composite
def poolings(draw, op_type):
    spatial = draw(st.integers(1, 3))
    opset = draw(st.sampled_from([8, 10, 12, 19, 22]))
    kernel = draw(st.lists(st.integers(1, 3), min_size=spatial, max_size=spatial))
    attrs = {"kernel_shape": kernel}
    auto_pad = draw(st.sampled_from(["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]))
    same = auto_pad.startswith("SAME")
    dilations = [1] * spatial
    if opset >= (10 if op_type == "MaxPool" else 19) and not same and draw(st.booleans()):
        dilations = attrs["dilations"] = [draw(st.integers(1, 2)) for _ in kernel]
    if auto_pad != "NOTSET":
        attrs["auto_pad"] = auto_pad
    elif draw(st.booleans()):
        attrs["pads"] = [draw(st.integers(0, k - 1)) for k in kernel * 2]
    if draw(st.booleans()):  # onnxruntime fails for SAME where the stride is the longer one
        attrs["strides"] = [draw(st.integers(1, k if same else 3)) for k in kernel]
    if op_type == "AveragePool" and draw(st.booleans()):
        attrs["count_include_pad"] = 1
    # Before opset 22 onnx counts windows behind the tensor, which nobody computes.
    if opset >= 22 and draw(st.booleans()):
        attrs["ceil_mode"] = 1
    dims = [
        (k - 1) * d + 1 + draw(st.integers(0, 4)) for k, d in zip(kernel, dilations, strict=True)
    ]
    x = np.random.default_rng(0).standard_normal((1, 2, *dims), np.float32)
    return Call(op_type, [x], attrs, opset)


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
@EXAMPLES
@given(data=st.data())
def test_pooled_shapes(op_type, data):
    call = data.draw(poolings(op_type))
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
@EXAMPLES
@given(data=st.data())
def test_pooling_attributes_mean_the_same(op_type, data):
    call = data.draw(poolings(op_type))
    attrs = node_of(import_call(call), *POOLS)["attrs"]
    spatial = call.inputs[0].ndim - 2
    # A 1-D pooling has an axis W of length 1 behind its own.
    keep = slice(2, 2 + spatial)
    pads = attrs["pads"][: 2 * spatial]
    explicit = {
        "kernel_shape": attrs["ksize"][keep],
        "strides": attrs["strides"][keep],
        "pads": pads[0::2] + pads[1::2],
        "ceil_mode": int(attrs["ceil_mode"]),
    }
    if "dilation" in attrs:
        explicit["dilations"] = attrs["dilation"][keep]
    if op_type == "AveragePool":
        included = attrs.get("count_include_pad", not attrs.get("exclusive", True))
        explicit["count_include_pad"] = int(included)
    got = run(Call(op_type, call.inputs, explicit, 22))
    assert_close(got[0], run(call)[0], rtol=1e-4, atol=1e-4)


def test_a_window_behind_the_tensor_is_left_out():
    call = Call("MaxPool", [np.zeros((1, 1, 4, 4), np.float32)], opset=12)
    call.attrs.update(kernel_shape=[1, 1], strides=[2, 2], ceil_mode=1)
    assert import_call(call)["outputs"][0]["shape"] == list(run(call)[0].shape) == [1, 1, 2, 2]


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int8, np.uint8])
def test_maximum_of_other_dtypes(dtype):
    check_shapes(Call("MaxPool", [np.zeros((1, 1, 4, 4), dtype)], {"kernel_shape": [2, 2]}))


@pytest.mark.parametrize("op_type", ["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"])
@EXAMPLES
@given(data=st.data())
def test_global_pools(op_type, data):
    x = np.zeros(data.draw(gen.shapes(min_rank=3, max_rank=5, min_dim=1)), np.float32)
    known_rank = op_type == "GlobalMaxPool"
    hidden = data.draw(gen.hidden_dims([x]))
    if known_rank and hidden.get(0, ()) is None:
        hidden = {}
    check_shapes(Call(op_type, [x]), hidden=hidden)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_p_norm_pool_is_powers_around_a_sum(p):
    x = np.random.default_rng(0).standard_normal((1, 1, 6, 6), np.float32)
    call = Call("LpPool", [x], {"kernel_shape": [2, 2], "p": p, "pads": [0, 0, 1, 1]})
    imported = check_shapes(call)
    assert node_of(imported, "AvgPoolV2")["attrs"]["divisor_override"] == 1
    assert ("Pow" in [node["type"] for node in imported["nodes"]]) == (p != 1)


def pool(shape, op_type="MaxPool", **attrs):
    return Call(op_type, [np.zeros(shape, np.float32)], attrs, 22)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (pool((1, 1, 4, 4), kernel_shape=[9, 9]), ["[1,1,4,4]", "9"]),
        (pool((1, 1, 4, 4), kernel_shape=[2]), ["kernel_shape", "[2]"]),
        (pool((1, 1, 4, 4), kernel_shape=[0, 2]), ["kernel_shape", "[0,2]"]),
        (pool((1, 1, 4, 4)), ["kernel_shape", "missing"]),
        (pool((1, 1, 4, 4), kernel_shape=[2, 2], pads=[2, 0, 0, 0]), ["pads"]),
        (pool((1, 1, 0, 4), kernel_shape=[2, 2], pads=[1] * 4), ["[1,1,0,4]", "empty"]),
        (
            pool((1, 1, 8, 8), kernel_shape=[2, 2], auto_pad="SAME_UPPER", dilations=[2, 2]),
            ["auto_pad", "dilations"],
        ),
        (pool((1, 4), "GlobalMaxPool"), ["[1,4]"]),
        (pool((1, 1, 8, 8), "LpPool", kernel_shape=[2, 2], p=0), ["p is 0"]),
    ],
)
def test_wrong_poolings_are_refused(call, words):
    check_refused(call, *words)
