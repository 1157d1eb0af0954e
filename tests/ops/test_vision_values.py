"""Values of GridSample, RoiAlign, NonMaxSuppression, depth and space, Unique, NonZero."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import BF16, Call, check_folds, folded, run

EXAMPLES = settings(max_examples=30)  # every example is a session of onnxruntime
F32 = np.float32


def rng_of(data):
    return np.random.default_rng(data.draw(st.integers(0, 999)))


@st.composite
def grid_samples(draw):
    spatial = draw(st.integers(2, 3))
    modes = ["linear", "nearest", "cubic"] if spatial == 2 else ["linear", "nearest"]
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    dims = [draw(st.integers(2, 5)) for _ in range(spatial)]
    places = [draw(st.integers(1, 4)) for _ in range(spatial)]
    x = rng.uniform(-2, 2, (2, 2, *dims)).astype(F32)
    # Sevenths keep clear of the ties of nearest.
    grid = (rng.integers(-20, 20, (2, *places, spatial)) / 14 + 0.01).astype(F32)
    attrs = {
        "mode": draw(st.sampled_from(modes)),
        "padding_mode": draw(st.sampled_from(["zeros", "border", "reflection"])),
        "align_corners": draw(st.integers(0, 1)),
    }
    return Call("GridSample", [x, grid], attrs, 20)


@EXAMPLES
@given(call=grid_samples())
def test_grid_sample(call):
    check_folds(call, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
def test_grid_of_any_numbers(padding, mode):
    grid = np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, 3e38, 0.0, -0.0], F32)
    call = Call("GridSample", [np.ones((1, 1, 3, 1), F32), grid.reshape(1, 2, 2, 2)])
    call.attrs.update(mode=mode, padding_mode=padding, align_corners=1)
    (got,) = folded(Call(call.op_type, call.inputs, call.attrs, 20))
    assert got.shape == (1, 1, 2, 2)
    if padding != "zeros":
        np.testing.assert_allclose(got, 1, rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float16, BF16, np.float64])
def test_grid_sample_of_other_floats(dtype):
    rng = np.random.default_rng(0)
    x = rng.integers(-9, 9, (1, 2, 4, 4)).astype(dtype)
    grid = (rng.integers(-4, 5, (1, 3, 3, 2)) / 4).astype(dtype)
    attrs = {"mode": "linear", "align_corners": 0}
    (got,) = folded(Call("GridSample", [x, grid], attrs, 20))
    (expected,) = run(Call("GridSample", [x.astype(F32), grid.astype(F32)], attrs, 20))
    np.testing.assert_allclose(got.astype(F32), expected, rtol=1e-2)


@EXAMPLES
@given(data=st.data())
def test_roi_align(data):
    rng = rng_of(data)
    x = rng.uniform(0.5, 2, (2, 2, 6, 7)).astype(F32)
    count = data.draw(st.integers(1, 3))
    start = rng.uniform(-3, 10, (count, 2))
    rois = np.concatenate([start, start + rng.uniform(-1, 9, (count, 2))], 1).astype(F32)
    attrs = {
        "mode": data.draw(st.sampled_from(["avg", "max"])),
        "sampling_ratio": data.draw(st.integers(0, 3)),
        "output_height": data.draw(st.integers(1, 3)),
        "output_width": data.draw(st.integers(1, 3)),
        "spatial_scale": data.draw(st.sampled_from([1.0, 0.5])),
        "coordinate_transformation_mode": data.draw(
            st.sampled_from(["half_pixel", "output_half_pixel"])
        ),
    }
    batch = rng.integers(0, 2, count)
    check_folds(Call("RoiAlign", [x, rois, batch], attrs, 16), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("corner", [np.nan, np.inf, 1e30, -1e30])
def test_regions_of_any_numbers(corner):
    rois = np.array([[corner, 0, 3, 3], [0, 0, corner, corner]], F32)
    call = Call("RoiAlign", [np.ones((1, 1, 4, 4), F32), rois, np.zeros(2, np.int64)], opset=16)
    assert folded(call)[0].shape == (2, 1, 1, 1)


def test_half_roi_align():
    x = np.arange(32).reshape(1, 2, 4, 4)
    rois, batch = np.array([[0, 0, 3, 3], [1, 1, 2, 4]]), np.zeros(2, np.int64)
    attrs = {"output_height": 2, "output_width": 2}
    (got,) = folded(Call("RoiAlign", [x.astype("f2"), rois.astype("f2"), batch], attrs, 16))
    (expected,) = run(Call("RoiAlign", [x.astype(F32), rois.astype(F32), batch], attrs, 16))
    np.testing.assert_allclose(got, expected, rtol=2e-3)


@EXAMPLES
@given(data=st.data())
def test_suppression(data):
    rng = rng_of(data)
    batch, classes, count = data.draw(st.tuples(*[st.integers(1, 3)] * 2, st.integers(1, 12)))
    center = data.draw(st.integers(0, 1))
    boxes = rng.uniform(0, 4, (batch, count, 4)).astype(F32)
    scores = rng.integers(0, 6, (batch, classes, count)) / F32(6)  # some are equal
    inputs = [
        boxes,
        scores.astype(F32),
        np.array([data.draw(st.integers(0, 5))], np.int64),
        np.array([data.draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))], F32),
    ]
    if data.draw(st.booleans()):
        inputs.append(np.array([data.draw(st.sampled_from([0.0, 0.4]))], F32))
    check_folds(Call("NonMaxSuppression", inputs, {"center_point_box": center}))


@pytest.mark.parametrize("op_type", ["DepthToSpace", "SpaceToDepth"])
@EXAMPLES
@given(data=st.data())
def test_depth_and_space(op_type, data):
    block = data.draw(st.integers(1, 3))
    n, c, h, w = data.draw(st.tuples(*[st.integers(1, 3)] * 4))
    deep, flat = (n, c * block * block, h, w), (n, c, h * block, w * block)
    shape = deep if op_type == "DepthToSpace" else flat
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    attrs = {"blocksize": block}
    if op_type == "DepthToSpace":
        attrs["mode"] = data.draw(st.sampled_from(["DCR", "CRD"]))
    x = np.arange(np.prod(shape), dtype=dtype).reshape(shape)
    check_folds(Call(op_type, [x], attrs, 13))


@EXAMPLES
@given(data=st.data())
def test_unique(data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64, np.int8, np.int64]))
    shape = data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1))
    x = rng_of(data).integers(0, data.draw(st.sampled_from([2, 9])), shape).astype(dtype)
    attrs = {"sorted": data.draw(st.integers(0, 1))}
    if data.draw(st.booleans()):
        attrs["axis"] = data.draw(gen.axis_of(len(shape)))
    call = Call("Unique", [x], attrs, 11, 4)
    check_folds(call)


@pytest.mark.parametrize("dtype", [*gen.NUMBERS, np.bool_, BF16])
def test_unique_of_every_dtype(dtype):
    x = np.array([3, 1, 0, 3, 1, 7], dtype)
    values, first, inverse, count = folded(Call("Unique", [x], {}, 11, 4))
    for got, expected in zip(
        (values, first, inverse, count), np.unique(x, True, True, True), strict=True
    ):
        np.testing.assert_array_equal(got, expected)


def test_unique_has_one_nan():
    x = np.array([np.nan, 1, np.nan, -np.inf], F32)
    values, _, inverse, count = folded(Call("Unique", [x], {}, 11, 4))
    np.testing.assert_array_equal(values, [-np.inf, 1, np.nan])
    assert count.tolist() == [1, 1, 2]
    assert inverse.tolist() == [2, 1, 2, 0]


def test_unique_of_nothing():
    check_folds(Call("Unique", [np.zeros((0,), F32)], {}, 11, 4))


@EXAMPLES
@given(data=st.data())
def test_non_zero(data):
    dtype = data.draw(st.sampled_from([np.bool_, np.float32, np.int32, np.int64, np.uint8]))
    x = rng_of(data).integers(0, 2, data.draw(gen.shapes(min_rank=1))).astype(dtype)
    check_folds(Call("NonZero", [x], opset=13))
