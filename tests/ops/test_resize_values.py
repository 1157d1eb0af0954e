"""Values of Resize and Upsample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx.reference import ReferenceEvaluator
from ops.oracle import BF16, Call, check_folds, folded
from ops.test_resize import resize

EXAMPLES = settings(max_examples=60)  # every example is a session of onnxruntime
F32 = np.float32
COORDINATES = [
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
]
FACTORS = [0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0]


def image(height, width, channels=2, dtype=F32):
    """Integers, so that results are exact or far from a tie."""
    rng = np.random.default_rng(height * 100 + width)
    return rng.integers(0, 100, (1, channels, height, width)).astype(dtype)


def with_target(draw, x, attrs, opset=19):
    """Adds a region and scales or sizes of the two last axes."""
    roi = None
    if attrs.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        ends = [draw(st.sampled_from([0.0, 0.25, 0.4])) for _ in range(2)]
        ends += [draw(st.sampled_from([0.6, 1.0, 1.25])) for _ in range(2)]
        roi = [0, 0, *ends[:2], 1, 1, *ends[2:]]
        attrs["extrapolation_value"] = 7.0
    # onnxruntime copies an axis that keeps its size, and all of x when no dim changes.
    crops = roi is not None
    scales = [draw(st.sampled_from([f for f in FACTORS if f != 1 or not crops])) for _ in range(2)]
    sizes = [int(s * d) for s, d in zip(scales, x.shape[2:], strict=True)]
    if min(sizes) >= 1 and sizes != list(x.shape[2:]) and draw(st.booleans()):
        return resize(x, scales=[1, 1, *scales], roi=roi, opset=opset, **attrs)
    sizes = [
        *x.shape[:2],
        *(draw(st.integers(1, 9).filter(lambda n, d=d: n != d or not crops)) for d in x.shape[2:]),
    ]
    return resize(x, sizes=sizes, roi=roi, opset=opset, **attrs)


@st.composite
def nearest(draw):
    x = image(draw(st.integers(1, 6)), draw(st.integers(1, 6)))
    attrs = {
        "mode": "nearest",
        # Symmetric positions often lie on a sample but for their rounding.
        "coordinate_transformation_mode": draw(
            st.sampled_from([c for c in COORDINATES if c != "half_pixel_symmetric"])
        ),
        "nearest_mode": draw(
            st.sampled_from(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
        ),
    }
    return with_target(draw, x, attrs)


@EXAMPLES
@given(call=nearest())
def test_nearest(call):
    check_folds(call)


@st.composite
def filtered(draw):
    x = image(draw(st.integers(2, 6)), draw(st.integers(2, 6)))
    attrs = {
        "mode": draw(st.sampled_from(["linear", "cubic"])),
        "coordinate_transformation_mode": draw(
            st.sampled_from([c for c in COORDINATES if c != "tf_half_pixel_for_nn"])
        ),
    }
    if attrs["mode"] == "cubic":
        attrs["cubic_coeff_a"] = draw(st.sampled_from([-0.75, -0.5]))
        attrs["exclude_outside"] = draw(st.integers(0, 1))
    return with_target(draw, x, attrs)


@EXAMPLES
@given(call=filtered())
def test_linear_and_cubic(call):
    check_folds(call, rtol=1e-4, atol=1e-3)


@EXAMPLES
@given(data=st.data())
def test_antialias(data):
    x = image(data.draw(st.integers(4, 9)), data.draw(st.integers(4, 9)))
    attrs = {"mode": data.draw(st.sampled_from(["linear", "cubic"])), "antialias": 1}
    attrs["exclude_outside"] = data.draw(st.integers(0, 1))
    sizes = [1, 2, data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))]
    check_folds(resize(x, sizes=sizes, opset=19, **attrs), rtol=1e-4, atol=1e-2)


@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
@pytest.mark.parametrize("sizes", [[7, 8], [3, 9], [2, 2]])
def test_kept_aspect_ratio(policy, sizes):
    attrs = {"axes": [2, 3], "keep_aspect_ratio_policy": policy, "mode": "linear"}
    check_folds(resize(image(4, 5), sizes=sizes, opset=18, **attrs), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("axes", [[3], [3, 2], [-1, -2]])
def test_named_axes(axes):
    call = resize(image(4, 5), scales=[1.5, 2.0][: len(axes)], axes=axes, mode="nearest")
    check_folds(call)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_volumes(mode):
    x = np.random.default_rng(0).integers(0, 50, (1, 2, 3, 4, 2)).astype(F32)
    check_folds(resize(x, scales=[1, 1, 2, 1.5, 2], mode=mode), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_lists(mode):
    x = np.arange(8, dtype=F32) ** 2
    call = resize(x, scales=[1.5], mode=mode)
    (expected,) = ReferenceEvaluator(call.model()).run(
        None, {f"x{i}": v for i, v in enumerate(call.inputs) if v is not None}
    )
    np.testing.assert_allclose(folded(call)[0], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int8, np.uint8, np.int32, np.int64])
def test_nearest_of_other_dtypes(dtype):
    check_folds(resize(image(3, 4, dtype=dtype), scales=[1, 1, 2, 1.5], mode="nearest"))


@pytest.mark.parametrize("dtype", [np.float16, BF16, np.float64, np.int32, np.uint8])
def test_linear_of_other_dtypes_is_that_of_float_converted(dtype):
    attrs = {"mode": "linear", "coordinate_transformation_mode": "asymmetric"}
    scales = [1, 1, 2, 2]  # halves and quarters, exact in float16
    (wide,) = folded(resize(image(3, 4), scales=scales, **attrs))
    (got,) = folded(resize(image(3, 4, dtype=dtype), scales=scales, **attrs))
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, wide.astype(dtype))


@pytest.mark.parametrize("attrs", [{"mode": "cubic"}, {"mode": "linear", "antialias": 1}])
@pytest.mark.parametrize("sizes", [[5, 4], [20, 31]])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_cubic_and_antialiased_integers_are_rounded(attrs, sizes, dtype):
    x = np.random.default_rng(1).integers(0, 255, (1, 2, 9, 11)).astype(dtype)
    (got,) = folded(resize(x, sizes=[1, 2, *sizes], opset=18, **attrs))
    call = resize(x.astype(F32), sizes=[1, 2, *sizes], opset=18, **attrs)
    feeds = {f"x{i}": value for i, value in enumerate(call.inputs) if value is not None}
    (wide,) = ReferenceEvaluator(call.model()).run(None, feeds)
    limits = np.iinfo(dtype)
    np.testing.assert_allclose(got, wide.clip(limits.min, limits.max), rtol=0, atol=0.5001)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("scale", [1.5, 2.0])
def test_upsample(mode, scale):
    scales = np.array([1, 1, scale, 2.0], F32)
    check_folds(Call("Upsample", [image(5, 4), scales], {"mode": mode}, 9), atol=1e-4)


def test_resize_of_opset_10_downwards_takes_the_next_sample():
    check_folds(Call("Resize", [image(5, 7), np.array([1, 1, 0.6, 0.7], F32)], {}, 10))


def test_large_planes():
    check_folds(resize(image(60, 50, 1), scales=[1, 1, 2, 2], mode="nearest"))
    check_folds(resize(image(60, 50, 1), scales=[1, 1, 2, 2], mode="linear"), atol=1e-4)


@pytest.mark.parametrize("roi", [[np.nan] * 8, [0, 0, -1e38, 0, 1, 1, 1e38, np.inf]])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_regions_far_away_are_extrapolated(roi, mode):
    call = resize(
        image(3, 4),
        sizes=[1, 2, 3, 3],
        roi=roi,
        mode=mode,
        coordinate_transformation_mode="tf_crop_and_resize",
        extrapolation_value=9.0,
    )
    (got,) = folded(call)
    assert got.shape == (1, 2, 3, 3)
    assert 9 in got
