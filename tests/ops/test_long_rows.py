"""Kernels that treat long rows in vectors, blocks and runs, on sizes that leave a rest."""

import numpy as np
import pytest
from ops.oracle import Call, check_folds, folded

RNG = np.random.default_rng(0)
WIDTHS = [np.int8, np.float16, np.float32, np.int64]


def numbers(*shape, dtype=np.float32):
    return (RNG.standard_normal(shape) * 40).astype(dtype)


@pytest.mark.parametrize("dtype", WIDTHS)
@pytest.mark.parametrize(
    ("shape", "perm"),
    [
        ((37, 41), (1, 0)),
        ((3, 70, 33), (0, 2, 1)),
        ((2, 5, 6, 7), (0, 2, 3, 1)),
        ((2, 300), (1, 0)),
        ((300, 2), (1, 0)),
        ((1100, 3), (1, 0)),
        ((3, 1100), (1, 0)),
        ((4, 5, 3, 8), (2, 0, 1, 3)),
        ((2, 3, 4, 2, 33), (4, 1, 0, 3, 2)),
    ],
)
def test_transpose(dtype, shape, perm):
    x = numbers(*shape, dtype=dtype)
    (y,) = folded(Call("Transpose", [x], {"perm": perm}))
    np.testing.assert_array_equal(y, x.transpose(perm))


@pytest.mark.parametrize("dtype", WIDTHS)
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
def test_pad(dtype, mode):
    x = numbers(3, 5, 45, dtype=dtype)
    pads = np.array([1, 2, 7, 0, 1, 30])
    (y,) = folded(Call("Pad", [x, pads], {"mode": mode}, opset=19))
    np.testing.assert_array_equal(y, np.pad(x, list(zip(pads[:3], pads[3:], strict=True)), mode))


def test_pad_with_a_value_of_a_short_axis():
    x = numbers(40, 3)
    pads, value = np.array([0, 1, 0, 2]), np.array(7, np.float32)
    (y,) = folded(Call("Pad", [x, pads, value], opset=19))
    np.testing.assert_array_equal(y, np.pad(x, [(0, 0), (1, 2)], constant_values=7))


@pytest.mark.parametrize("dtype", WIDTHS)
def test_tile_expand_and_slice(dtype):
    x = numbers(3, 40, dtype=dtype)
    (tiled,) = folded(Call("Tile", [x, np.array([2, 3])]))
    np.testing.assert_array_equal(tiled, np.tile(x, (2, 3)))
    column = numbers(3, 1, dtype=dtype)
    (expanded,) = folded(Call("Expand", [column, np.array([2, 3, 45])]))
    np.testing.assert_array_equal(expanded, np.broadcast_to(column, (2, 3, 45)))
    bounds = [np.array([v]) for v in (70, 3, 1, -3)]
    wide = numbers(3, 80, dtype=dtype)
    (sliced,) = folded(Call("Slice", [wide, *bounds]))
    np.testing.assert_array_equal(sliced, wide[:, 70:3:-3])


@pytest.mark.parametrize("dtype", WIDTHS)
@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("block", [2, 3])
def test_depth_to_space_and_back(dtype, mode, block):
    shape = (2, 2 * block**2, 5, 37)
    x = numbers(*shape, dtype=dtype)
    deep = (2, block, block, 2, 5, 37) if mode == "DCR" else (2, 2, block, block, 5, 37)
    order = (0, 3, 4, 1, 5, 2) if mode == "DCR" else (0, 1, 4, 2, 5, 3)
    flat = x.reshape(deep).transpose(order).reshape(2, 2, 5 * block, 37 * block)
    (y,) = folded(Call("DepthToSpace", [x], {"blocksize": block, "mode": mode}))
    np.testing.assert_array_equal(y, flat)
    if mode == "DCR":
        (back,) = folded(Call("SpaceToDepth", [flat], {"blocksize": block}))
        np.testing.assert_array_equal(back, x)


@pytest.mark.parametrize("upper", [0, 1])
@pytest.mark.parametrize("k", [-50, -3, 0, 4, 60])
def test_trilu(upper, k):
    x = numbers(2, 33, 41)
    (y,) = folded(Call("Trilu", [x, np.array(k)], {"upper": upper}))
    np.testing.assert_array_equal(y, np.triu(x, k) if upper else np.tril(x, k))


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_gather_and_scatter_elements(axis, index):
    x = numbers(6, 7, 40)
    indices = RNG.integers(-x.shape[axis], x.shape[axis], (5, 6, 39)).astype(index)
    (gathered,) = folded(Call("GatherElements", [x, indices], {"axis": axis}))
    cut = tuple(slice(None) if i == axis else slice(0, n) for i, n in enumerate(indices.shape))
    positive = np.where(indices < 0, indices + x.shape[axis], indices)
    np.testing.assert_array_equal(gathered, np.take_along_axis(x[cut], positive, axis))
    # Indices that differ along the axis: the order of writes does not matter.
    rows = np.argsort(RNG.standard_normal(x.shape), axis).astype(index)
    updates = numbers(*x.shape)
    (scattered,) = folded(Call("ScatterElements", [x, rows, updates], {"axis": axis}))
    expected = x.copy()
    np.put_along_axis(expected, rows, updates, axis)
    np.testing.assert_array_equal(scattered, expected)


@pytest.mark.parametrize("dtype", [np.int8, np.float16, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("op_type", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_first_or_last_of_equal_extremes(dtype, op_type, last, axis):
    x = RNG.integers(-3, 3, (20, 601) if axis else (531, 20)).astype(dtype)
    attrs = {"axis": axis, "keepdims": 0, "select_last_index": last}
    (y,) = folded(Call(op_type, [x], attrs))
    best = np.argmax if op_type == "ArgMax" else np.argmin
    flipped = x.shape[axis] - 1 - best(np.flip(x, axis), axis)
    expected = flipped if last else best(x, axis)
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8])
def test_equal_elements_of_top_k_have_ascending_indices(largest, dtype):
    x = RNG.integers(0, 5, (3, 200)).astype(dtype)
    attrs = {"largest": largest, "axis": 1}
    values, indices = folded(Call("TopK", [x, np.array([60])], attrs, opset=11, outputs=2))
    keys = -x.astype(np.int64) if largest else x.astype(np.int64)
    np.testing.assert_array_equal(indices, np.argsort(keys, 1, kind="stable")[:, :60])
    np.testing.assert_array_equal(values, np.take_along_axis(x, indices, 1))


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("scales", [(2, 2), (0.5, 3), (1.7, 0.6), (2, 1)])
def test_resize(mode, scales):
    x = RNG.standard_normal((1, 2, 19, 41)).astype(np.float32)
    inputs = [x, None, np.array([1, 1, *scales], np.float32)]
    check_folds(Call("Resize", inputs, {"mode": mode}, opset=18), 1e-4, 1e-5)


@pytest.mark.parametrize("axis", [1, 2])
def test_softmax_of_rows_with_nan_and_infinities(axis):
    x = numbers(3, 45, 45)
    x[0, 3, 7], x[1, 5, 9], x[2, 8, 2] = np.nan, -np.inf, 300
    for op_type in ("Softmax", "LogSoftmax"):
        check_folds(Call(op_type, [x], {"axis": axis}), 1e-5, 1e-6)


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16])
def test_quantize(axis, dtype):
    x = numbers(33, 45)
    x.flat[:6] = np.nan, np.inf, -np.inf, 3e9, 0.5, -0.5
    size = () if axis is None else (x.shape[axis],)
    scale = RNG.uniform(0.05, 2, size).astype(np.float32)
    point = RNG.integers(0, 100, size).astype(dtype)
    attrs = {} if axis is None else {"axis": axis}
    shape = size if axis is None else np.where(np.arange(2) == axis, -1, 1)
    ratio = np.nan_to_num(x / scale.reshape(shape), nan=0, posinf=1e9, neginf=-1e9)
    limits = np.iinfo(dtype)
    sums = np.rint(ratio.astype(np.float64)) + point.reshape(shape)
    expected = np.clip(sums, limits.min, limits.max).astype(dtype)
    (y,) = folded(Call("QuantizeLinear", [x, scale, point], attrs, opset=21))
    np.testing.assert_array_equal(y, expected)
