"""Masks of slices, axis orders and reversed axes of operators, beside NumPy and onnxruntime."""

import numpy as np
import onnxruntime
import pytest
from aclop.composed_layers import depthwise
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from ge import aclop
from ge.aclop import Format, TensorDesc

RANDOM = np.random.default_rng(11)


def x(*shape):
    return RANDOM.normal(size=shape).astype("float32")


@st.composite
def indices(draw, shape):
    """What NumPy is indexed with: slices, integers, new axes, and at most one ellipsis."""
    entries = []
    for size in shape[: draw(st.integers(0, len(shape)))]:
        if draw(st.booleans()):
            entries.append(draw(st.integers(-size, size - 1)))
        else:
            bound = st.none() | st.integers(-size - 2, size + 2)
            step = draw(st.sampled_from([1, 2, 3, -1, -2]))
            entries.append(slice(draw(bound), draw(bound), step))
    for _ in range(draw(st.integers(0, 2))):
        entries.insert(draw(st.integers(0, len(entries))), None)
    if draw(st.booleans()):
        entries.append(Ellipsis)
    return tuple(entries) or (Ellipsis,)


def masked(entries):
    """The attributes of StridedSliceD that say the same; what a mask covers holds nonsense."""
    attrs = {name: [] for name in ("begin", "end", "strides")}
    masks = dict.fromkeys(("begin", "end", "ellipsis", "new_axis", "shrink_axis"), 0)
    for i, entry in enumerate(entries):
        begin, end, stride = 7, 9, 1
        if entry is Ellipsis:
            masks["ellipsis"] |= 1 << i
        elif entry is None:
            masks["new_axis"] |= 1 << i
        elif isinstance(entry, int):
            begin = entry
            masks["shrink_axis"] |= 1 << i
        else:
            stride = entry.step
            begin = 7 if entry.start is None else entry.start
            end = 9 if entry.stop is None else entry.stop
            masks["begin"] |= (entry.start is None) << i
            masks["end"] |= (entry.stop is None) << i
        for name, value in (("begin", begin), ("end", end), ("strides", stride)):
            attrs[name].append(value)
    return attrs | {f"{name}_mask": mask for name, mask in masks.items()}


@given(st.data())
def test_masks_of_slices_are_as_numpy_indexes(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    entries = data.draw(indices(shape))
    v = np.arange(np.prod(shape), dtype="float32").reshape(shape)
    wanted = v[entries]
    attrs = masked(entries)
    (inferred,) = aclop.infer_shape("StridedSliceD", [v], attrs=attrs)
    assert inferred.dims == wanted.shape
    if wanted.size:
        y = aclop.compile_and_execute("StridedSliceD", [v], [TensorDesc.of(wanted)], attrs)
        np.testing.assert_array_equal(y, wanted)


def test_an_ellipsis_stands_for_axes_in_between():
    v = x(2, 3, 4, 5)
    attrs = {"begin": [1, 0, -2], "end": [2, 0, 0], "strides": [1, 1, 1]}
    masks = {"ellipsis_mask": 2, "end_mask": 4, "shrink_axis_mask": 1}
    wanted = np.ascontiguousarray(v[1, ..., -2:])
    y = aclop.compile_and_execute("StridedSliceD", [v], [TensorDesc.of(wanted)], attrs | masks)
    np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize(
    ("attrs", "words"),
    [
        ({"ellipsis_mask": 3}, "more than one bit"),
        ({"begin": [0] * 3, "end": [1] * 3, "strides": [1] * 3, "begin_mask": 1}, "for 3 axes"),
        ({"begin_mask": 1, "strides": [0, 1]}, "a stride is 0"),
        ({"begin_mask": 1, "end": [1]}, "one length"),
        ({"shrink_axis_mask": 1, "begin": [9, 0]}, "size is not 1"),
    ],
)
def test_masks_that_fit_no_tensor(attrs, words):
    lists = {"begin": [0, 0], "end": [1, 1], "strides": [1, 1]}
    with pytest.raises(aclop.CompileError, match=words):
        aclop.compile("StridedSliceD", [x(4, 4)], [TensorDesc("float32", (1, 1))], lists | attrs)


def test_bounds_must_be_constant_where_a_mask_is_given():
    v, at = x(4), np.zeros(1, "int32")
    with pytest.raises(aclop.CompileError, match="begin, where a mask is given, must be constant"):
        aclop.compile("StridedSlice", [v, at, at, at], [v], {"begin_mask": 1})


@pytest.mark.parametrize("axes", [[], [0], [2, -3], [0, 1, 2]])
def test_axes_to_reverse_may_come_when_it_runs(axes):
    v, at = x(2, 3, 4), np.array(axes, "int32")
    y = aclop.compile_and_execute("ReverseV2", [v, at], [TensorDesc.of(v)])
    np.testing.assert_array_equal(y, np.flip(v, tuple(axes)))
    y = aclop.compile_and_execute("ReverseV2D", [v], [TensorDesc.of(v)], {"axis": axes})
    np.testing.assert_array_equal(y, np.flip(v, tuple(axes)))


@pytest.mark.parametrize("axes", [[3], [1, 1], [1, -2]])
def test_axes_that_cannot_be_reversed(axes):
    v, at = x(2, 3, 4), np.array(axes, "int32")
    with pytest.raises(aclop.CompileError, match=r"axis|twice"):
        aclop.compile("ReverseV2D", [v], [TensorDesc.of(v)], {"axis": axes})
    with pytest.raises(aclop.AclError, match=r"axis|twice"):
        aclop.compile_and_execute("ReverseV2", [v, at], [TensorDesc.of(v)])


def test_batch_norm_with_given_statistics_and_channels_first():
    v, scale, offset, mean = x(2, 3, 4, 5), x(3), x(3), x(3)
    variance = np.abs(x(3)) + 1
    channel = TensorDesc("float32", (3,))
    image = TensorDesc("float32", v.shape, Format.NCHW)
    inputs = [(image, v), scale, offset, mean, variance]
    results = aclop.compile_and_execute(
        "BatchNorm", inputs, [image, *[channel] * 5], {"is_training": False}
    )
    node = helper.make_node("BatchNormalization", list("vsomr"), ["y"], epsilon=1e-4)
    np.testing.assert_allclose(
        results[0], by_onnx(node, [v, scale, offset, mean, variance]), rtol=1e-5, atol=1e-5
    )
    np.testing.assert_array_equal(results[1], mean)
    np.testing.assert_array_equal(results[2], variance)


def by_onnx(node, inputs):
    graph = helper.make_graph(
        [node],
        "g",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
            for name, value in zip(node.input, inputs, strict=True)
        ],
        [helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, dict(zip(node.input, inputs, strict=True)))[0]


@pytest.mark.parametrize(
    ("format", "perm"), [(Format.HWCN, (0, 1, 2, 3)), (Format.NCHW, (3, 2, 0, 1))]
)
def test_filters_of_one_channel_each_in_their_formats(format, perm):
    v, filters = RANDOM.normal(size=(1, 4, 5, 3)), RANDOM.normal(size=(2, 2, 3, 2))
    v, filters = v.astype("float16"), filters.astype("float16")
    given_filters = np.ascontiguousarray(filters.transpose(perm))
    image = TensorDesc("float16", v.shape, Format.NHWC)
    y = aclop.compile_and_execute(
        "DepthwiseConv2D",
        [(image, v), (TensorDesc("float16", given_filters.shape, format), given_filters)],
        [TensorDesc("float16", (1, 4, 5, 6), Format.NHWC)],
        {"strides": [1, 1, 1, 1], "pads": [1, 0, 1, 0]},
    )
    wanted = depthwise(v.astype("float64"), filters.astype("float64"))
    np.testing.assert_allclose(y, wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("shape", [(), (3,), (3, 4)])
def test_a_condition_for_all_for_rows_or_for_elements(shape):
    condition = np.array(RANDOM.random(shape) < 0.5)
    a, b = x(3, 4), x(3, 4)
    y = aclop.compile_and_execute("Select", [condition, a, b], [TensorDesc.of(a)])
    wide = condition.reshape(shape + (1,) * (2 - len(shape)))
    np.testing.assert_array_equal(y, np.where(wide, a, b))


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("ceil_mode", [0, 1])
def test_pooling_rounds_up_unless_told(mode, ceil_mode):
    v = x(1, 2, 6, 7)
    attrs = {"mode": mode, "window": [3, 3], "stride": [2, 2], "ceil_mode": ceil_mode}
    node = helper.make_node(
        "AveragePool" if mode else "MaxPool",
        ["v"],
        ["y"],
        kernel_shape=[3, 3],
        strides=[2, 2],
        ceil_mode=1 - ceil_mode,
    )
    wanted = by_onnx(node, [v])
    image = TensorDesc("float32", v.shape, Format.NCHW)
    result = TensorDesc("float32", wanted.shape, Format.NCHW)
    y = aclop.compile_and_execute("Pooling", [(image, v)], [result], attrs)
    np.testing.assert_allclose(y, wanted, rtol=1e-5, atol=1e-6)
