"""Resize and Upsample."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_refused, check_shapes, import_call, run
from ops.test_conv import node_of

EXAMPLES = settings(max_examples=50)  # every example is a session of onnxruntime

F32 = np.float32
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"]
# Factors whose products with small numbers are the same in float32 and float64.
FACTORS = [0.5, 1.0, 1.25, 1.5, 2.0, 3.0]


def resize(x, scales=None, sizes=None, roi=None, opset=19, **attrs):
    none = None if opset >= 13 else np.zeros(0, F32)
    inputs = [x, none if roi is None else np.array(roi, F32)]
    inputs.append(none if scales is None else np.array(scales, F32))
    if sizes is not None:
        inputs.append(np.array(sizes, np.int64))
    return Call("Resize", inputs, attrs, opset)


@st.composite
def resizes(draw):
    opset = draw(st.sampled_from([11, 13, 18, 19]))
    mode = draw(st.sampled_from(["nearest", "linear", "cubic"]))
    x = np.ones((1, 2, draw(st.integers(1, 6)), draw(st.integers(1, 6))), F32)
    attrs = {"mode": mode}
    if draw(st.booleans()):
        attrs["coordinate_transformation_mode"] = draw(st.sampled_from(COORDINATES))
    axes = [0, 1, 2, 3]
    if opset >= 18:
        if draw(st.booleans()):
            axes = attrs["axes"] = draw(st.permutations([2, 3]))
        if mode != "nearest" and draw(st.booleans()):
            attrs["antialias"] = 1
    if draw(st.booleans()):
        scales = [draw(st.sampled_from(FACTORS)) if a > 1 else 1.0 for a in axes]
        if all(s * x.shape[a] >= 1 for a, s in zip(axes, scales, strict=True)):
            return resize(x, scales=scales, opset=opset, **attrs)
    if opset >= 18 and len(axes) == 2 and draw(st.booleans()):
        attrs["keep_aspect_ratio_policy"] = draw(st.sampled_from(["not_larger", "not_smaller"]))
    sizes = [draw(st.integers(1, 9)) if a > 1 else x.shape[a] for a in axes]
    return resize(x, sizes=sizes, opset=opset, **attrs)


@EXAMPLES
@given(call=resizes(), data=st.data())
def test_resized_shapes(call, data):
    constant = range(1, len(call.inputs))
    hidden = data.draw(gen.hidden_dims(call.inputs, keep=constant))
    if hidden.get(0, ()) is None and "axes" in call.attrs:
        hidden = {}
    imported = check_shapes(call, constant=constant, hidden=hidden)
    attrs = node_of(imported, "Resize")["attrs"]
    for name, value in call.attrs.items():
        assert attrs[name] == value


@pytest.mark.parametrize(
    ("dim", "scale"), [(10, 0.7), (10, 1 / 3), (3, 0.1), (49, 1 / 49), (7, 4 / 7), (1000, 0.333)]
)
def test_product_with_the_scale_is_rounded_to_float32(dim, scale):
    x = np.ones((1, 1, dim, dim), F32)
    call = resize(x, scales=[1, 1, scale, scale])
    shape = import_call(call, constant=(1, 2))["outputs"][0]["shape"]
    assert shape == list(run(call)[0].shape)


def test_sizes_known_at_run_time_only():
    call = resize(np.ones((1, 1, 4, 4), F32), sizes=[1, 1, 8, 8])
    check_shapes(call, hidden={3: ()}, data_dependent=True)


@pytest.mark.parametrize("opset", [7, 9])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_upsample(opset, mode):
    x, scales = np.ones((1, 1, 3, 4), F32), [1.0, 1.0, 1.5, 2.0]
    if opset == 7:
        call = Call("Upsample", [x], {"scales": scales, "mode": mode}, 7)
    else:
        call = Call("Upsample", [x, np.array(scales, F32)], {"mode": mode}, 9)
    attrs = node_of(check_shapes(call, constant=(1,)), "Resize")["attrs"]
    assert attrs["coordinate_transformation_mode"] == "asymmetric"
    assert attrs["nearest_mode"] == "simple"


def test_resize_of_opset_10():
    x = np.ones((1, 1, 3, 4), F32)
    call = Call("Resize", [x, np.array([1, 1, 0.5, 2], F32)], {"mode": "nearest"}, 10)
    check_shapes(call, constant=(1,))


def test_crop_keeps_the_region():
    roi = [0, 0, 0.25, 0.25, 1, 1, 0.75, 0.75]
    call = resize(
        np.ones((1, 1, 4, 4), F32),
        sizes=[1, 1, 3, 3],
        roi=roi,
        mode="linear",
        coordinate_transformation_mode="tf_crop_and_resize",
        extrapolation_value=2.0,
    )
    node = node_of(check_shapes(call, constant=(1, 2, 3)), "Resize")
    assert node["attrs"]["extrapolation_value"] == 2.0
    assert node["inputs"][1]


X = np.ones((1, 1, 4, 4), F32)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (resize(X, scales=[1, 1, 2, 2], sizes=[1, 1, 8, 8]), ["both"]),
        (resize(X), ["missing"]),
        (resize(X, scales=[1, 1, 2]), ["3 entries", "[1,1,4,4]"]),
        (resize(X, scales=[1, 1, -2, 2]), ["-2"]),
        (resize(X, scales=[1, 1, np.nan, 2]), ["nan"]),
        (resize(X, scales=[1, 1, np.inf, 2]), ["inf"]),
        (resize(X, scales=[1, 1, 1e30, 2]), ["too large"]),
        (resize(X, sizes=[1, 1, -1, 8]), ["[1,1,-1,8]"]),
        (resize(X, sizes=[1, 1, 0, 8]), ["[1,1,0,8]"]),
        (resize(X[:0], sizes=[1, 1, 8, 8]), ["[1,1,8,8]", "[0,1,4,4]"]),
        (resize(X, scales=[2.0], axes=[4]), ["axis 4"]),
        (resize(X, scales=[2.0, 2.0], axes=[2, -2]), ["axis 2", "twice"]),
        (resize(X, sizes=[1, 1, 8, 8], mode="area"), ["mode", "area"]),
        (resize(X, sizes=[1, 1, 8, 8], antialias=1), ["antialias"]),
        (
            resize(X, sizes=[1, 1, 8, 8], coordinate_transformation_mode="tf_crop_and_resize"),
            ["roi"],
        ),
    ],
)
def test_wrong_resizes_are_refused(call, words):
    check_refused(call, *words, constant=range(1, 4))
