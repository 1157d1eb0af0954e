"""Values of the normalisations and PRelu."""

import ml_dtypes
import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import BF16, Call, assert_close, check_folds, folded, run

EXAMPLES = settings(max_examples=20)  # every example is a session of onnxruntime
F32 = np.float32
DTYPES = [np.float32, np.float16, np.float64]


def noise(data, shape, dtype, low=-4, high=4):
    """Numbers without structure: what cancels out differs from one implementation to the next."""
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    return rng.uniform(low, high, shape).astype(dtype)


def check_close(call, atol):
    """Folded values against those of the same call in float64, by onnx's reference."""
    wide = [x.astype(np.float64).astype(F32) for x in call.inputs]
    expected = run(Call(call.op_type, wide, call.attrs, call.opset, call.outputs))
    for got, right in zip(folded(call), expected, strict=True):
        np.testing.assert_allclose(got.astype(F32), right, rtol=4 * atol, atol=atol)


@EXAMPLES
@given(data=st.data())
def test_batch_normalization(data):
    dims = data.draw(gen.shapes(min_rank=2, max_rank=5, min_dim=1))
    x = noise(data, dims, data.draw(st.sampled_from(DTYPES)))
    scale, offset, mean = (noise(data, dims[1], x.dtype) for _ in range(3))
    variance = noise(data, dims[1], x.dtype, 0.5, 2)
    call = Call("BatchNormalization", [x, scale, offset, mean, variance], {"epsilon": 0.25}, 15)
    check_folds(call, atol=1e-2 if x.dtype == np.float16 else 4e-6)


def test_half_batch_normalization_with_float_parameters():
    x = np.array([[1, 2, 3]], np.float16)
    params = [np.array(p, F32) for p in ([1, 2, 3], [0, 0.5, 1], [1, 1, 1], [1, 4, 9])]
    call = Call("BatchNormalization", [x, *params], {"epsilon": 0.0}, 15)
    (got,) = folded(call)
    np.testing.assert_array_equal(got, np.array([[0, 1.5, 3]], np.float16))


@EXAMPLES
@given(data=st.data())
def test_instance_normalization(data):
    dims = data.draw(gen.shapes(min_rank=3, max_rank=5, min_dim=1))
    x = noise(data, dims, F32)
    call = Call("InstanceNormalization", [x, noise(data, dims[1], F32), noise(data, dims[1], F32)])
    check_folds(call, atol=2e-5)


@pytest.mark.parametrize("dtype", [np.float16, BF16])
def test_narrow_instance_normalization(dtype):
    x = np.linspace(-3, 5, 24).reshape(2, 3, 4).astype(dtype)
    params = [np.array(p, dtype) for p in ([1, 2, 0.5], [0, 1, -1])]
    check_close(Call("InstanceNormalization", [x, *params], opset=22), 1e-2)


@EXAMPLES
@given(data=st.data())
def test_group_normalization(data):
    groups, members = data.draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    channels = groups * members
    x = noise(data, (2, channels, *data.draw(gen.shapes(max_rank=2, min_dim=1))), F32)
    inputs = [x, noise(data, channels, F32), noise(data, channels, F32)]
    call = Call("GroupNormalization", inputs, {"num_groups": groups}, 21)
    check_folds(call, rtol=1e-4, atol=1e-4)


@EXAMPLES
@given(data=st.data())
def test_layer_normalization(data):
    dims = data.draw(gen.shapes(min_rank=1, max_rank=4, min_dim=1, max_dim=5))
    axis = data.draw(gen.axis_of(len(dims)))
    tail = dims[axis % len(dims) :]
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    inputs = [noise(data, dims, dtype), noise(data, tail, dtype)]
    if data.draw(st.booleans()):
        inputs.append(noise(data, tail, dtype))
    outputs = data.draw(st.integers(1, 3))
    call = Call("LayerNormalization", inputs, {"axis": axis, "epsilon": 1e-2}, 17, outputs)
    check_folds(call, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shape", [(4,), (1,), (3, 4), (2, 3, 4), (3, 1)])
def test_parameters_of_layer_normalization_repeat(shape):
    x = np.linspace(-2, 3, 24).reshape(2, 3, 4).astype(F32) ** 2
    scale = np.linspace(1, 2, np.prod(shape)).reshape(shape).astype(F32)
    call = Call("LayerNormalization", [x, scale, scale - 1], {"axis": -1}, 17)
    (got,) = folded(call)
    centred = x - x.mean(-1, keepdims=True)
    expected = centred / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + scale - 1
    assert_close(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float16, BF16])
def test_narrow_layer_normalization(dtype):
    x = np.linspace(-3, 5, 96).reshape(2, 48).astype(dtype)
    params = [np.linspace(1, 2, 48).astype(dtype)] * 2
    check_close(Call("LayerNormalization", [x, *params]), 2e-2)


def test_statistics_of_a_long_row_keep_their_digits():
    x = (1000 + np.random.default_rng(0).random((1, 8000))).astype(F32)
    ones = np.ones(8000, F32)
    call = Call("LayerNormalization", [x, ones, ones * 0], {"epsilon": 0.0}, 17, 3)
    _, mean, rstd = folded(call)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(mean[0, 0], wide.mean(), rtol=1e-7)
    np.testing.assert_allclose(rstd[0, 0], 1 / wide.std(), rtol=1e-4)


@EXAMPLES
@given(data=st.data())
def test_rms_normalization(data):
    dims = data.draw(gen.shapes(min_rank=1, max_rank=4, min_dim=1, max_dim=5))
    axis = data.draw(gen.axis_of(len(dims)))
    dtype = data.draw(st.sampled_from([np.float32, np.float16, ml_dtypes.bfloat16]))
    x, scale = noise(data, dims, dtype), noise(data, dims[axis % len(dims) :], dtype)
    call = Call("RMSNormalization", [x, scale], {"axis": axis, "epsilon": 1e-2}, 23)
    (got,) = folded(call)
    wide, factor = x.astype(np.float64), scale.astype(np.float64)
    axes = tuple(range(axis % len(dims), len(dims)))
    expected = wide / np.sqrt((wide**2).mean(axes, keepdims=True) + 1e-2) * factor
    tolerance = {2: 2e-2, 4: 1e-6}[x.dtype.itemsize]
    np.testing.assert_allclose(got.astype(np.float64), expected, tolerance, tolerance)


@pytest.mark.parametrize("size", [1, 3, 7])
@pytest.mark.parametrize("beta", [0.75, 0.5, 1.3])
def test_local_response_normalization(size, beta):
    x = np.random.default_rng(size).uniform(-2, 2, (2, 5, 2, 3)).astype(F32)
    call = Call("LRN", [x], {"size": size, "alpha": 0.5, "beta": beta, "bias": 1.5})
    check_folds(call, atol=1e-6)


@EXAMPLES
@given(data=st.data())
def test_prelu(data):
    dtype = data.draw(st.sampled_from([*DTYPES, np.int32, np.uint64]))
    dims = data.draw(gen.shapes(min_rank=1, max_rank=4, min_dim=1))
    tail = dims[data.draw(st.integers(0, len(dims))) :]
    x = data.draw(gen.arrays(dtype, dims, special=True))
    slope = data.draw(gen.arrays(dtype, [data.draw(st.sampled_from([1, d])) for d in tail]))
    check_folds(Call("PRelu", [x, slope], opset=16))
