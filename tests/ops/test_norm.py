"""Normalisations and PRelu."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded, import_call
from ops.test_conv import node_of

EXAMPLES = settings(max_examples=30)  # every example is a session of onnxruntime

F32 = np.float32


def types(imported):
    return [node["type"] for node in imported["nodes"]]


@EXAMPLES
@given(data=st.data())
def test_batch_normalization(data):
    dims = data.draw(gen.shapes(min_rank=2, max_rank=5, min_dim=1))
    x = data.draw(gen.arrays(np.float32, dims))
    params = [np.ones(dims[1], F32)] * 4
    call = Call(
        "BatchNormalization",
        [x, *params],
        {"epsilon": 0.25},
        data.draw(st.sampled_from([7, 9, 14, 15])),
    )
    hidden = data.draw(gen.hidden_dims(call.inputs, keep=range(1, 5)))
    imported = check_shapes(call, constant=range(1, 5), hidden=hidden)
    assert node_of(imported, "BNInfer")["attrs"] == {"epsilon": 0.25}


def test_batch_normalization_of_a_list_has_one_channel():
    call = Call("BatchNormalization", [np.ones(4, F32)] + [np.ones(1, F32)] * 4, opset=15)
    check_shapes(call)


def test_parameters_may_have_another_dtype():
    call = Call("BatchNormalization", [np.ones((1, 2), np.float16)] + [np.ones(2, F32)] * 4)
    check_shapes(call)


@pytest.mark.parametrize(
    ("attrs", "opset", "outputs", "words"),
    [
        ({"training_mode": 1}, 15, 3, ["training_mode"]),
        ({"is_test": 0}, 6, 1, ["is_test"]),
        ({}, 9, 5, ["output 1"]),
    ],
)
def test_training_is_refused(attrs, opset, outputs, words):
    inputs = [np.ones((2, 3, 4), F32)] + [np.ones(3, F32)] * 4
    check_refused(Call("BatchNormalization", inputs, attrs, opset, outputs), *words)


@EXAMPLES
@given(data=st.data())
def test_instance_normalization(data):
    dims = data.draw(gen.shapes(min_rank=3, max_rank=5, min_dim=1))
    x, params = np.ones(dims, F32), np.ones(dims[1], F32)
    call = Call("InstanceNormalization", [x, params, params])
    hidden = data.draw(gen.hidden_dims(call.inputs, keep=(1, 2)))
    check_shapes(call, constant=(1, 2), hidden=hidden)


@pytest.mark.parametrize(("opset", "count"), [(18, 2), (21, 6)])
def test_group_normalization(opset, count):
    params = np.arange(count, dtype=F32)
    call = Call("GroupNormalization", [np.ones((2, 6, 4), F32), params, params], opset=opset)
    call.attrs.update(num_groups=2)
    imported = check_shapes(call, constant=(1, 2))
    gamma = node_of(imported, "GroupNorm")["inputs"][1]
    (scale,) = [node for node in imported["nodes"] if node["name"] == gamma.split(":")[0]]
    assert scale["outputs"][0]["shape"] == [6]


@pytest.mark.parametrize("size", [1, 3, 5])
def test_local_response_normalization(size):
    call = Call("LRN", [np.ones((1, 4, 3, 3), F32)], {"size": size, "alpha": 0.5})
    attrs = node_of(check_shapes(call), "LRN")["attrs"]
    assert attrs["depth_radius"] == size // 2
    assert attrs["alpha"] == pytest.approx(0.5 / size)


@pytest.mark.parametrize("p", [1, 2])
@EXAMPLES
@given(data=st.data())
def test_lp_normalization(p, data):
    shape = data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1))
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    x = data.draw(gen.arrays(dtype, shape))
    call = Call("LpNormalization", [x], {"p": p, "axis": data.draw(gen.axis_of(x.ndim))})
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])))


@st.composite
def layer_norms(draw):
    dims = draw(gen.shapes(min_rank=1, max_rank=4, min_dim=1))
    axis = draw(gen.axis_of(len(dims)))
    first = axis % len(dims)

    def param():
        tail = dims[draw(st.integers(0, first)) :]
        return np.ones([draw(st.sampled_from([1, d])) for d in tail], F32)

    inputs = [np.ones(dims, F32), param()]
    if draw(st.booleans()):
        inputs.append(param())
    return Call("LayerNormalization", inputs, {"axis": axis}, 17, draw(st.integers(1, 3)))


@EXAMPLES
@given(call=layer_norms())
def test_layer_normalization(call):
    imported = check_shapes(call, constant=range(1, len(call.inputs)))
    node = node_of(imported, "LayerNorm" if call.outputs == 1 else "LayerNormV3")
    rank = call.inputs[0].ndim
    assert node["attrs"]["begin_norm_axis"] == call.attrs["axis"] % rank
    begin = node["attrs"]["begin_params_axis"]
    for name in node["inputs"][1:]:
        (param,) = [n for n in imported["nodes"] if n["name"] == name.split(":")[0]]
        assert param["outputs"][0]["shape"] == list(call.inputs[0].shape[begin:])


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_statistics_are_float32(dtype):
    inputs = [np.ones((2, 3, 4), dtype), np.ones(4, dtype)]
    check_shapes(Call("LayerNormalization", inputs, opset=17, outputs=3))


def test_layer_normalization_of_unknown_dims():
    inputs = [np.ones((2, 3, 4), F32), np.ones(4, F32), np.ones(4, F32)]
    call = Call("LayerNormalization", inputs, {"axis": -1})
    check_shapes(call, constant=(1, 2), hidden={0: (0, 1)})


def test_parameters_that_repeat_along_unknown_dims():
    inputs = [np.ones((2, 3, 4), F32), np.ones(1, F32), np.ones((3, 1), F32)]
    check_shapes(Call("LayerNormalization", inputs, {"axis": -1}), hidden={0: (0, 1, 2)})
    check_shapes(Call("LayerNormalization", inputs[:2], {"axis": -1}), hidden={0: (0, 1, 2)})


def test_rms_normalization_gives_the_dtype_of_its_scale():
    x = np.array([[1, -2, 3], [0.5, 0, 4]], np.float16)
    call = Call("RMSNormalization", [x, np.array([1, 2, 0.5], F32)], {}, 23)
    wide = x.astype(F32)
    want = wide / np.sqrt(np.mean(wide * wide, -1, keepdims=True) + 1e-5) * call.inputs[1]
    (got,) = folded(call)
    assert got.dtype == F32
    np.testing.assert_allclose(got, want, 1e-5)


@pytest.mark.parametrize("shape", [(4,), (1,), (3, 4), (1, 4)])
def test_rms_normalization(shape):
    axis = -len(shape)
    inputs = [np.ones((2, 3, 4), F32), np.ones(shape, F32)]
    check_shapes(Call("RMSNormalization", inputs, {"axis": axis}, 23), constant=(1,))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            Call("LayerNormalization", [np.ones((2, 4), F32), np.ones(5, F32)]),
            ["gamma", "[5]", "[4]"],
        ),
        (
            Call("LayerNormalization", [np.ones((2, 4), F32), np.ones(4, F32)], {"axis": 2}),
            ["axis 2", "[2,4]"],
        ),
        (
            Call(
                "LayerNormalization",
                [np.ones((2, 4), F32), np.ones(4, F32)],
                {"axis": -(2**63)},
            ),
            ["axis", "[2,4]"],
        ),
        (
            Call("LayerNormalization", [np.ones(4, F32), np.ones(4, F32)], {"stash_type": 10}),
            ["stash_type 10"],
        ),
        (Call("LRN", [np.ones((1, 1, 2, 2), F32)], {"size": 2}), ["size 2", "odd"]),
        (
            Call("InstanceNormalization", [np.ones((1, 2, 2), F32), *[np.ones(3, F32)] * 2]),
            ["gamma", "[3]", "[2]"],
        ),
        (
            Call(
                "GroupNormalization",
                [np.ones((1, 4, 2), F32), *[np.ones(4, F32)] * 2],
                {"num_groups": 3},
                21,
            ),
            ["num_groups 3", "[1,4,2]"],
        ),
        (Call("LpNormalization", [np.ones(3, F32)], {"p": 3}), ["p is 3"]),
    ],
)
def test_wrong_normalizations_are_refused(call, words):
    check_refused(call, *words)


def test_layer_normalization_below_opset_17_names_the_opset():
    call = Call("LayerNormalization", [np.ones((2, 4), F32), np.ones(4, F32)], opset=11)
    check_refused(call, "LayerNormalization", "17", "11")


@EXAMPLES
@given(data=st.data())
def test_slope_of_prelu(data):
    dims = data.draw(gen.shapes(min_rank=1, max_rank=4, min_dim=1))
    tail = dims[data.draw(st.integers(0, len(dims))) :]
    slope = np.ones([data.draw(st.sampled_from([1, d])) for d in tail], F32)
    call = Call("PRelu", [np.ones(dims, F32), slope], opset=data.draw(st.sampled_from([7, 9, 16])))
    imported = check_shapes(call, constant=(1,))
    name = node_of(imported, "PRelu")["inputs"][1].split(":")[0]
    (weight,) = [node for node in imported["nodes"] if node["name"] == name]
    shape = weight["outputs"][0]["shape"]
    # What GE makes of the weight is what ONNX makes of the slope.
    if slope.size != 1:
        aligned = [1, *shape, *[1] * (len(dims) - 2)] if len(shape) == 1 < len(dims) else shape
        padded = [1] * (len(dims) - slope.ndim) + list(slope.shape)
        assert aligned == padded


def test_slope_per_channel_is_a_list_as_in_ge():
    call = Call("PRelu", [np.ones((1, 3, 4, 4), F32), np.ones((3, 1, 1), F32)])
    imported = import_call(call, constant=(1,))
    assert types(imported).count("Squeeze") == 0
    assert [3] in [node["outputs"][0]["shape"] for node in imported["nodes"] if node["outputs"]]


def test_slope_that_does_not_broadcast_is_refused():
    call = Call("PRelu", [np.ones((2, 3, 4), F32), np.ones((2, 1), F32)])
    check_refused(call, "[2,3,4]", "axis 1")
