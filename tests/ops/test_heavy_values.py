"""Values of convolutions, matrix products and pooling, folded by the plain kernels."""

import ml_dtypes
import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, assert_close, check_folds, folded, run
from ops.test_conv import convolutions, transposed_convolutions
from ops.test_pool import poolings

EXAMPLES = settings(max_examples=30)  # every example is a session of onnxruntime
BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.float16), BF16)
# Sums in another order, of numbers about 1.
LOOSE = {"rtol": 1e-4, "atol": 1e-5}


def typed(call, dtype):
    """The call with its floats rounded to ``dtype``."""
    call.inputs[:] = [x.astype(dtype) for x in call.inputs]
    return call


def check_typed(call, dtype):
    """Folded values agree with onnxruntime's float32 ones to the precision of ``dtype``."""
    wide = typed(call, dtype)
    (got,) = folded(wide)
    assert got.dtype == dtype
    (expected,) = run(
        Call(call.op_type, [x.astype(np.float32) for x in wide.inputs], call.attrs, call.opset)
    )
    close = {BF16: 1e-2, np.dtype(np.float16): 2e-3}.get(np.dtype(dtype), 1e-4)
    assert_close(got.astype(np.float32), expected, rtol=close, atol=close / 2)


@EXAMPLES
@given(call=convolutions())
def test_convolution(call):
    check_folds(call, **LOOSE)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@settings(max_examples=10)
@given(call=convolutions())
def test_convolution_of_every_float(dtype, call):
    check_typed(call, dtype)


@EXAMPLES
@given(call=transposed_convolutions())
def test_transposed_convolution(call):
    check_folds(call, **LOOSE)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@settings(max_examples=10)
@given(call=transposed_convolutions())
def test_transposed_convolution_of_every_float(dtype, call):
    check_typed(call, dtype)


@pytest.mark.parametrize("groups", [1, 3, 12])
@pytest.mark.parametrize("channels", [12, 36])
def test_convolution_of_many_channels(groups, channels):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, channels, 9, 11), np.float32)
    filter_ = rng.standard_normal((24, channels // groups, 3, 5), np.float32)
    attrs = {"group": groups, "strides": [2, 1], "dilations": [1, 2], "pads": [1, 3, 0, 2]}
    check_folds(Call("Conv", [x, filter_], attrs), rtol=1e-4, atol=1e-4)


def test_pointwise_convolution_of_many_channels():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 300, 5, 7), np.float32)
    filter_ = rng.standard_normal((70, 300, 1, 1), np.float32)
    check_folds(Call("Conv", [x, filter_]), rtol=1e-4, atol=1e-4)


@EXAMPLES
@given(data=st.data())
def test_integer_convolution(data):
    x = data.draw(gen.arrays(np.uint8, (1, 2, 5, 4)))
    filter_ = data.draw(gen.arrays(np.uint8, (5, 2, 3, 2)))
    zero = data.draw(gen.arrays(np.uint8, ()))
    check_folds(Call("ConvInteger", [x, filter_, zero]))


def matrices(draw, dtype):
    m, n, k = draw(st.tuples(*[st.integers(0, 20)] * 3))
    batch_a, batch_b = draw(gen.broadcastable(2, max_rank=2, max_dim=3))
    rng = np.random.default_rng(draw(st.integers(0, 100)))
    shapes = (*batch_a, m, k), (*batch_b, k, n)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return [rng.integers(info.min, info.max, s, dtype, endpoint=True) for s in shapes]
    return [rng.standard_normal(s).astype(dtype) for s in shapes]


@pytest.mark.parametrize("dtype", [*gen.NUMBERS, BF16], ids=str)
@given(data=st.data())
def test_matrix_product(dtype, data):
    a, b = matrices(data.draw, dtype)
    (got,) = folded(Call("MatMul", [a, b]))
    with np.errstate(all="ignore"):
        summed = np.dtype(np.int32) if dtype.itemsize == 1 else dtype  # as the GE type has it
        wide = summed if dtype.kind in "iu" else np.float64
        expected = np.matmul(a.astype(wide), b.astype(wide))
    assert got.shape == expected.shape
    assert got.dtype == summed
    if dtype.kind in "iu":
        np.testing.assert_array_equal(got, expected)
    else:
        close = {BF16: 1e-2, np.dtype(np.float16): 2e-3, np.dtype(np.float64): 1e-12}
        bound = np.abs(a.astype(wide)) @ np.abs(b.astype(wide)) * close.get(dtype, 1e-6)
        assert (np.abs(got.astype(wide) - expected) <= bound + 1e-7).all()


@EXAMPLES
@given(data=st.data())
def test_gemm(data):
    m, n, k = data.draw(st.tuples(*[st.integers(1, 40)] * 3))
    t1, t2 = data.draw(st.booleans()), data.draw(st.booleans())
    rng = np.random.default_rng(0)
    a = rng.standard_normal((k, m) if t1 else (m, k), np.float32)
    b = rng.standard_normal((n, k) if t2 else (k, n), np.float32)
    check_folds(Call("Gemm", [a, b], {"transA": int(t1), "transB": int(t2)}), **LOOSE)


@pytest.mark.parametrize("m, n, k", [(1, 700, 301), (3, 100, 77), (90, 1, 513), (250, 31, 600)])
@pytest.mark.parametrize("transposed", [False, True])
def test_long_matrix_product(m, n, k, transposed):
    rng = np.random.default_rng(0)
    a = rng.standard_normal((m, k), np.float32)
    b = rng.standard_normal((n, k) if transposed else (k, n), np.float32)
    check_folds(Call("Gemm", [a, b], {"transB": int(transposed)}), rtol=1e-4, atol=1e-4)


@EXAMPLES
@given(data=st.data())
def test_integer_matrix_product(data):
    a = data.draw(gen.arrays(np.int8, (3, 5)))
    b = data.draw(gen.arrays(np.int8, (5, 7)))
    zero = data.draw(gen.arrays(np.int8, ()))
    check_folds(Call("MatMulInteger", [a, b, zero]))


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
@EXAMPLES
@given(data=st.data())
def test_pooling(op_type, data):
    check_folds(data.draw(poolings(op_type)), **LOOSE)


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@settings(max_examples=10)
@given(data=st.data())
def test_pooling_of_every_float(op_type, dtype, data):
    check_typed(data.draw(poolings(op_type)), dtype)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_pooling_of_integers(dtype):
    info = np.iinfo(dtype)
    x = np.random.default_rng(0).integers(info.min, info.max, (1, 2, 6, 7), dtype)
    check_folds(Call("MaxPool", [x], {"kernel_shape": [2, 3], "pads": [1, 1, 0, 2]}))


def test_a_maximum_is_nan_where_its_window_has_one():
    x = np.array([[[1, 2, np.nan, 0, 5, 6, -np.inf]]], np.float32)
    (got,) = folded(Call("MaxPool", [x], {"kernel_shape": [2]}))
    np.testing.assert_array_equal(got, [[[2, np.nan, np.nan, 5, 6, 6]]])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("op_type", ["GlobalAveragePool", "GlobalLpPool"])
@pytest.mark.parametrize("shape", [(2, 3, 5), (1, 2, 3, 7), (1, 2, 2, 3, 4)])
def test_global_pooling(op_type, shape, dtype):
    x = np.random.default_rng(0).standard_normal(shape)
    check_typed(Call(op_type, [x]), dtype)


@pytest.mark.parametrize("stride", [100, 2**31 - 1])
def test_a_stride_beyond_the_axis_leaves_one_window(stride):
    x = np.arange(2 * 5 * 7, dtype=np.float32).reshape(1, 2, 5, 7)
    attrs = {"kernel_shape": [3, 3], "strides": [2, stride]}
    check_folds(Call("MaxPool", [x], attrs))


@pytest.mark.parametrize("p", [1, 3])
def test_global_pooling_with_other_norms(p):
    x = np.random.default_rng(0).standard_normal((1, 2, 3, 7)).astype(np.float32)
    check_folds(Call("GlobalLpPool", [x], {"p": p}), **LOOSE)
