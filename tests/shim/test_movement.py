"""Reductions, index functions, movement of elements and matrix products: each against NumPy."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

F16, F32, I32 = np.float16, np.float32, np.int32
DTYPES = st.sampled_from((F16, F32, I32))


def draw_array(data, shape, dtype=None, low=-8, high=8):
    return data.draw(strategies.arrays(dtype or data.draw(DTYPES), shape, low, high))


def draw_axes(data, rank):
    axes = data.draw(st.lists(st.integers(0, rank - 1), min_size=1, unique=True))
    return [axis - rank if data.draw(st.booleans()) else axis for axis in axes]


def near(left, right):
    assert (left.dtype, left.shape) == (right.dtype, right.shape)
    limit = 4e-3 if left.dtype == F16 else 1e-5
    np.testing.assert_allclose(left.astype("f8"), right.astype("f8"), rtol=limit, atol=limit)


REDUCTIONS = {
    "reduce_sum": np.sum,
    "reduce_max": np.max,
    "reduce_min": np.min,
    "reduce_prod": np.prod,
    "reduce_mean": np.mean,
}


@pytest.mark.parametrize("name", REDUCTIONS)
@strategies.few
@given(data=st.data(), keepdims=st.booleans())
def test_reductions(tbe, name, data, keepdims):
    shape = data.draw(strategies.shapes(min_rank=1, min_dim=1, max_rank=3))
    x = draw_array(data, shape, low=-2, high=2)
    if name == "reduce_mean" and x.dtype == I32:
        x = x.astype(F32)
    axes = draw_axes(data, len(shape))
    result = tbe.compute(lambda a: getattr(tbe.dsl, name)(a, axes, keepdims), x)
    wide = x.astype(np.float64) if x.dtype != I32 else x
    expected = REDUCTIONS[name](wide, axis=tuple(axes), keepdims=keepdims)
    near(result, np.asarray(expected).astype(x.dtype))


@strategies.few
@given(data=st.data())
def test_reductions_of_truth_values_stay_int8(tbe, data):
    x = data.draw(strategies.arrays(np.int8, (2, 3), 0, 1))
    for name, reference in (("reduce_all", np.all), ("reduce_any", np.any)):
        result = tbe.compute(lambda a, n=name: getattr(tbe.dsl, n)(a, 1), x)
        np.testing.assert_array_equal(result, reference(x, axis=1).astype(np.int8))


def test_float16_sums_are_rounded_once(tbe):
    x = np.full(4096, 1.0, F16)
    assert tbe.compute(lambda a: tbe.dsl.reduce_sum(a, 0), x) == 4096


@strategies.few
@given(data=st.data())
def test_old_sum_and_tuple_sum(tbe, data):
    x, y = (draw_array(data, (3, 4), F32) for _ in range(2))
    old = tbe.module("te.lang.cce")
    near(tbe.compute(lambda a: old.sum(a, axis=-1), x), x.sum(-1))
    sums = tbe.compute(lambda a, b: tbe.dsl.tuple_sum([a, b], [0], True), x, y)
    for result, given_array in zip(sums, (x, y), strict=True):
        near(result, given_array.sum(0, keepdims=True))


@strategies.few
@given(data=st.data())
def test_broadcast(tbe, data):
    shape, result = data.draw(strategies.broadcastable(max_rank=3))
    full = np.broadcast_shapes(shape, result)
    x = draw_array(data, shape)
    np.testing.assert_array_equal(
        tbe.compute(lambda a: tbe.dsl.broadcast(a, full), x), np.broadcast_to(x, full)
    )
    filled = tbe.compute(
        lambda a: tbe.dsl.vadd(a, tbe.dsl.broadcast(tbe.tvm.const(2, a.dtype), a.shape)), x
    )
    np.testing.assert_array_equal(filled, x + x.dtype.type(2))


@strategies.few
@given(data=st.data())
def test_transpose_slice_concat_split(tbe, data):
    shape = data.draw(strategies.shapes(min_rank=1, max_rank=3, min_dim=1))
    x, y = (draw_array(data, shape, F16) for _ in range(2))
    order = data.draw(st.permutations(range(len(shape))))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    begin = [data.draw(st.integers(0, dim - 1)) for dim in shape]
    end = [data.draw(st.integers(low, dim)) for low, dim in zip(begin, shape, strict=True)]
    d = tbe.dsl
    np.testing.assert_array_equal(
        tbe.compute(lambda a: d.transpose(a, order), x), x.transpose(order)
    )
    part = tuple(slice(low, high) for low, high in zip(begin, end, strict=True))
    np.testing.assert_array_equal(tbe.compute(lambda a: d.slice(a, begin, end), x), x[part])
    joined = np.concatenate([x, y, x], axis)
    np.testing.assert_array_equal(tbe.compute(lambda a, b: d.concat([a, b, a], axis), x, y), joined)
    sizes = [shape[axis]] * 3
    parts = tbe.compute(lambda a: d.split(a, axis, sizes)[1], joined)
    for result, expected in zip(parts, (x, y, x), strict=True):
        np.testing.assert_array_equal(result, expected)


@strategies.few
@given(data=st.data())
def test_gather(tbe, data):
    x = draw_array(data, (3, 4, 2))
    axis = data.draw(st.integers(0, 2))
    indices = data.draw(strategies.arrays(I32, (2, 2), 0, x.shape[axis] - 1))
    np.testing.assert_array_equal(
        tbe.compute(lambda a, i: tbe.dsl.gather(a, i, axis), x, indices), x.take(indices, axis)
    )
    rows = data.draw(strategies.arrays(I32, (3, 2), 0, 3))
    np.testing.assert_array_equal(
        tbe.compute(lambda a, i: tbe.dsl.gather(a, i, 1, batch_dims=1), x, rows),
        np.stack([one[row] for one, row in zip(x, rows, strict=True)]),
    )
    tuples = data.draw(strategies.arrays(I32, (4, 2), 0, 2))
    np.testing.assert_array_equal(
        tbe.compute(lambda a, i: tbe.dsl.gather_nd(a, i), x, tuples), x[tuples[:, 0], tuples[:, 1]]
    )
    pairs = data.draw(strategies.arrays(I32, (3, 2, 2), 0, 1))
    np.testing.assert_array_equal(
        tbe.compute(lambda a, i: tbe.dsl.gather_nd(a, i, 1), x, pairs),
        np.stack([one[i[:, 0], i[:, 1]] for one, i in zip(x, pairs, strict=True)]),
    )


SCATTERS = {"add": np.add.at, "sub": np.subtract.at, "max": np.maximum.at, "min": np.minimum.at}
SCATTERS["mul"] = np.multiply.at


@pytest.mark.parametrize("reduction", SCATTERS)
@strategies.few
@given(data=st.data())
def test_scatter(tbe, reduction, data):
    axis = data.draw(st.integers(0, 1))
    x = draw_array(data, (3, 4), I32)
    indices = data.draw(strategies.arrays(I32, (2,), 0, x.shape[axis] - 1))
    update = draw_array(data, (2, 4) if axis == 0 else (3, 2), I32)
    expected = x.copy()
    SCATTERS[reduction](expected, (slice(None),) * axis + (indices,), update)
    result = tbe.compute(
        lambda v, i, u: tbe.dsl.scatter(v, i, u, reduction, axis), x, indices, update
    )
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("reduction", SCATTERS)
@strategies.few
@given(data=st.data())
def test_scatter_nd(tbe, reduction, data):
    x = draw_array(data, (3, 4, 2), I32)
    tuples = data.draw(strategies.arrays(I32, (5, 2), 0, 2))
    update = draw_array(data, (5, 2), I32)
    expected = x.copy()
    SCATTERS[reduction](expected, (tuples[:, 0], tuples[:, 1]), update)
    result = tbe.compute(lambda v, i, u: tbe.dsl.scatter_nd(v, i, u, reduction), x, tuples, update)
    np.testing.assert_array_equal(result, expected)


@strategies.few
@given(data=st.data())
def test_rows_in_place(tbe, data):
    x = draw_array(data, (4, 3), F32)
    ids = data.draw(st.permutations(range(4)))[:2]
    rows = draw_array(data, (2, 3), F32)
    for name, change in (("add", x[ids] + rows), ("sub", x[ids] - rows), ("update", rows)):
        expected = x.copy()
        expected[ids] = change
        function = getattr(tbe.dsl, f"inplace_{name}")
        near(tbe.compute(lambda a, b, f=function: f(a, ids, b), x, rows), expected)


SEGMENTS = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "mean": np.mean}


@pytest.mark.parametrize("name", SEGMENTS)
@strategies.few
@given(data=st.data())
def test_segment(tbe, name, data):
    x = draw_array(data, (5, 2), F32)
    ids = data.draw(strategies.arrays(I32, (5,), 0, 3))
    expected = np.full((4, 2), 7, F32)
    for one in set(ids):
        expected[one] = SEGMENTS[name](x[ids == one], axis=0)
    result = tbe.compute(lambda a, i: tbe.dsl.segment(a, i, 4, 7, f"segmentensor_{name}"), x, ids)
    near(result, expected)
    old = getattr(tbe.module("te.lang.cce"), f"unsorted_segment_{name}")
    near(tbe.compute(lambda a, i: old(a, i, 4, 7), x, ids), expected)


@strategies.few
@given(data=st.data(), direction=st.sampled_from(("ascend", "descend")))
def test_sort_and_topk(tbe, data, direction):
    values = data.draw(st.lists(st.integers(-50, 50), min_size=6, max_size=6, unique=True))
    x = np.array(values, F16).reshape(2, 3)
    order = np.argsort(x if direction == "ascend" else -x, axis=-1)
    both = tbe.compute(lambda a: tbe.dsl.sort(a, -1, direction, "both"), x)
    np.testing.assert_array_equal(both[0], np.take_along_axis(x, order, -1))
    np.testing.assert_array_equal(both[1], order)
    two = tbe.compute(lambda a: tbe.dsl.topk(a, 2, -1, direction), x)
    np.testing.assert_array_equal(two, np.take_along_axis(x, order[:, :2], -1))


@strategies.few
@given(data=st.data())
def test_set_value(tbe, data):
    x = draw_array(data, (3, 4), F16)
    result = tbe.compute(
        lambda a: tbe.dsl.set_value(a, lambda *i: tbe.tvm.all(i[0] > 1, i[1] > 2), -1), x
    )
    expected = x.copy()
    expected[2:, 3:] = -1
    np.testing.assert_array_equal(result, expected)


@strategies.few
@given(data=st.data(), channels=st.integers(1, 20))
def test_transdata_to_nc1hwc0_and_back(tbe, data, channels):
    x = draw_array(data, (2, channels, 6), F16)
    c1 = -(-channels // 16)
    there = {0: 0, 1: (1, 3), 2: 2}
    padded = np.pad(x, ((0, 0), (0, c1 * 16 - channels), (0, 0)))
    blocked = padded.reshape(2, c1, 16, 6).transpose(0, 1, 3, 2)
    result = tbe.compute(lambda a: tbe.dsl.transdata(a, [2, c1, 6, 16], there), x)
    np.testing.assert_array_equal(result, blocked)
    back = tbe.compute(
        lambda a: tbe.dsl.transdata(
            tbe.dsl.transpose(a, [0, 1, 3, 2]), list(x.shape), {0: 0, (1, 2): 1, 3: 2}
        ),
        result,
    )
    np.testing.assert_array_equal(back, x)


@strategies.few
@given(data=st.data())
def test_dilation(tbe, data):
    x = draw_array(data, (2, 3), F16)
    result = tbe.compute(lambda a: tbe.dsl.dilation(a, [1, 3], [[0, 0], [1, 2]], 9.0), x)
    expected = np.full((2, 10), 9, F16)
    expected[:, 1:8:3] = x
    np.testing.assert_array_equal(result, expected)


@strategies.few
@given(data=st.data(), trans_a=st.booleans(), trans_b=st.booleans())
def test_matmul(tbe, data, trans_a, trans_b):
    a = draw_array(data, (4, 2) if trans_a else (2, 4), F16, -2, 2)
    b = draw_array(data, (3, 4) if trans_b else (4, 3), F16, -2, 2)
    bias = draw_array(data, (3,), F16, -2, 2)
    result = tbe.compute(
        lambda x, y, z: tbe.dsl.matmul(x, y, trans_a, trans_b, dst_dtype="float32", tensor_bias=z),
        a,
        b,
        bias,
    )
    left, right = (a.T if trans_a else a).astype(F32), (b.T if trans_b else b).astype(F32)
    near(result, left @ right + bias.astype(F32))


@strategies.few
@given(data=st.data())
def test_gemm_scales_both_terms(tbe, data):
    a, b, c = (draw_array(data, (3, 3), F16, -2, 2) for _ in range(3))
    words = {"alpha": 2.0, "beta": 0.5, "dst_dtype": "float32"}
    result = tbe.compute(lambda x, y, z: tbe.dsl.gemm(x, y, words | {"tensor_c": z}), a, b, c)
    near(result, 2 * (a.astype(F32) @ b.astype(F32)) + c.astype(F32) / 2)


@strategies.few
@given(data=st.data(), exclusive=st.booleans(), reverse=st.booleans())
def test_cumsum(tbe, data, exclusive, reverse):
    x = draw_array(data, (2, 4), I32)
    row = x[:, ::-1] if reverse else x
    expected = row.cumsum(1) - (row if exclusive else 0)
    expected = (expected[:, ::-1] if reverse else expected).astype(I32)
    result = tbe.compute(lambda a: tbe.dsl.cumsum(a, 1, exclusive, reverse), x)
    np.testing.assert_array_equal(result, expected)


@strategies.few
@given(data=st.data(), padding=st.sampled_from(("SAME", "VALID")))
def test_reduce_window(tbe, data, padding):
    x = draw_array(data, (2, 5, 6), F16)
    size, stride = (2, 3), (2, 1)
    result = tbe.compute(
        lambda a: tbe.dsl.reduce_window(a, "MAX", [1, 2], size, stride, [1, 1], padding), x
    )
    widths = [(0, 0), (0, 0), (0, 0)]
    if padding == "SAME":
        widths = [(0, 0), (0, 1), (1, 1)]
    padded = np.pad(x, widths, constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, size, (1, 2))
    np.testing.assert_array_equal(result, windows[:, ::2, ::1].max((-1, -2)))
