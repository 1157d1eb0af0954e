"""Operators that make values: Range, OneHot, EyeLike, ConstantOfShape, CumSum, TopK, Unique."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper, numpy_helper
from ops.oracle import Call, check_folds, check_refused, check_shapes, import_call

few = settings(max_examples=25)


def ints(*values):
    return np.array(values, np.int64)


def scalar(value, dtype):
    return np.array(value, dtype)


@few
@given(
    data=st.data(), dtype=st.sampled_from([np.int16, np.int32, np.int64, np.float32, np.float64])
)
def test_range(data, dtype):
    delta = data.draw(st.integers(-5, 5).filter(bool))
    scale = 1 if np.dtype(dtype).kind == "i" else 0.25
    values = [data.draw(st.integers(-20, 20)), data.draw(st.integers(-20, 20)), delta]
    call = Call("Range", [scalar(v * scale, dtype) for v in values], opset=11)
    check_folds(call)
    check_shapes(call, constant=(0, 1, 2))
    assert import_call(call)["outputs"][0]["shape"] == [-1]


def test_a_range_of_extreme_integers_does_not_overflow():
    lowest, highest = -(2**63), 2**63 - 1
    call = Call("Range", [scalar(v, np.int64) for v in (lowest, highest, highest)], opset=11)
    assert import_call(call, constant=(0, 1, 2))["outputs"][0]["value"] == [lowest, -1, highest - 1]


@pytest.mark.parametrize("values", [(0, 5, 0), (0, np.inf, 1), (np.nan, 5, 1), (0, 1e30, 1e-30)])
def test_ranges_without_an_end_are_refused(values):
    call = Call("Range", [scalar(v, np.float32) for v in values], opset=11)
    check_refused(call, "no range", constant=(0, 1, 2))


@few
@given(data=st.data(), shape=gen.shapes())
def test_constant_of_shape(data, shape):
    dtype = data.draw(st.sampled_from([None, np.float32, np.int64, np.bool_, np.uint8, np.float16]))
    attrs = {}
    if dtype is not None:
        attrs["value"] = numpy_helper.from_array(np.array([3], dtype))
    call = Call("ConstantOfShape", [ints(*shape)], attrs, opset=9)
    check_folds(call)
    check_shapes(call, constant=(0,))


def test_a_large_constant_of_shape_stays_a_fill():
    imported = import_call(Call("ConstantOfShape", [ints(1000, 1000)]), constant=(0,))
    (fill,) = [node for node in imported["nodes"] if node["type"] == "Fill"]
    assert fill["outputs"] == [{"dtype": "float32", "shape": [1000, 1000]}]


def test_constant_of_an_unknown_shape_has_a_known_rank():
    imported = import_call(Call("ConstantOfShape", [ints(2, 3)]))
    assert imported["outputs"][0]["shape"] == [-1, -1]


@pytest.mark.parametrize("dims", [(-1,), (2**62, 2**62), (2**31, 2**31, 2)])
def test_shapes_that_cannot_be_filled_are_refused(dims):
    check_refused(Call("ConstantOfShape", [ints(*dims)]), "node", constant=(0,))


@few
@given(data=st.data())
def test_one_hot(data):
    indices = data.draw(gen.arrays(np.int64, gen.shapes(1, 2, max_dim=3), -6, 6))
    depth = scalar(data.draw(st.integers(1, 5)), data.draw(st.sampled_from([np.int64, np.float32])))
    axis = data.draw(gen.axis_of(indices.ndim + 1))
    values = data.draw(gen.arrays(data.draw(st.sampled_from([np.float32, np.int64])), (2,)))
    if data.draw(st.booleans()):
        indices = indices.astype(np.float32)
        if depth.dtype == np.int64:
            values, depth = values.astype(np.float32), depth.astype(np.float32)
    call = Call("OneHot", [indices, depth, values], {"axis": axis}, opset=11)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims([indices])))


@few
@given(data=st.data(), upper=st.integers(0, 1))
def test_trilu(data, upper):
    x = data.draw(gen.arrays(np.float32, gen.shapes(min_rank=2, max_rank=3)))
    k = data.draw(st.none() | st.integers(-5, 5))
    call = Call("Trilu", [x, None if k is None else scalar(k, np.int64)], {"upper": upper}, 14)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims([x])))


@few
@given(data=st.data())
def test_eye_like(data):
    x = np.ones((data.draw(st.integers(0, 4)), data.draw(st.integers(0, 4))), np.int32)
    attrs = {"k": data.draw(st.integers(-4, 4))}
    dtype = data.draw(st.sampled_from([None, np.float32, np.int64, np.float64]))
    if dtype is not None:
        attrs["dtype"] = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    call = Call("EyeLike", [x], attrs, opset=9)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])))


@few
@given(data=st.data(), exclusive=st.integers(0, 1), reverse=st.integers(0, 1))
def test_cumsum(data, exclusive, reverse):
    dtype = data.draw(st.sampled_from([np.int32, np.int64, np.float32, np.float64]))
    x = data.draw(gen.arrays(dtype, gen.shapes(min_rank=1, max_rank=3)))
    axis = scalar(data.draw(gen.axis_of(x.ndim)), data.draw(st.sampled_from([np.int32, np.int64])))
    call = Call("CumSum", [x, axis], {"exclusive": exclusive, "reverse": reverse}, opset=14)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims([x])))


@few
@given(data=st.data(), opset=st.sampled_from([9, 10, 11]))
def test_top_k(data, opset):
    dtype = data.draw(st.sampled_from([np.float32, np.int64] if opset > 10 else [np.float32]))
    x = data.draw(gen.arrays(dtype, gen.shapes(min_rank=1, max_rank=3, min_dim=1), -3, 3))
    attrs = {"axis": data.draw(gen.axis_of(x.ndim))}
    k = data.draw(st.integers(1, x.shape[attrs["axis"]]))
    if opset > 10:
        attrs["largest"] = data.draw(st.integers(0, 1))
    inputs = [x] if opset == 9 else [x, ints(k)]
    if opset == 9:
        attrs["k"] = k
    call = Call("TopK", inputs, attrs, opset, outputs=2)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims([x])))


def test_top_k_of_more_than_there_are_is_refused():
    call = Call("TopK", [np.ones((2, 3), np.float32), ints(4)], {}, 11, outputs=2)
    check_refused(call, "k is 4", "axis 1", "[2,3]", constant=(1,))
    call = Call("TopK", [np.ones((2, 3), np.float32), ints(-1)], {}, 11, outputs=2)
    check_refused(call, "k is -1", constant=(1,))


@few
@given(data=st.data())
def test_unique(data):
    x = data.draw(gen.arrays(np.int64, gen.shapes(min_rank=1, max_rank=3, min_dim=1), 0, 3))
    axis = data.draw(st.none() | gen.axis_of(x.ndim))
    call = Call("Unique", [x], {} if axis is None else {"axis": axis}, opset=11, outputs=4)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])), data_dependent=True)
