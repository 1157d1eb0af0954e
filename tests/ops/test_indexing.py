"""Gather and Scatter in all their forms, Where, NonZero, Compress."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, import_call

few = settings(max_examples=25)
DTYPES = (np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.int8), np.dtype(np.bool_))
REDUCTIONS = ("none", "add", "mul", "max", "min")


def counting(shape, dtype=np.float32):
    return (np.arange(np.prod(shape, dtype=int)) % 100).astype(dtype).reshape(shape)


@st.composite
def indices(draw, shape, dim, dtype=None):
    """An array of ``shape`` with indices into an axis of ``dim`` >= 1, from either end."""
    dtype = dtype or draw(st.sampled_from([np.int32, np.int64]))
    return draw(gen.arrays(dtype, shape, -dim, dim - 1))


@few
@given(data=st.data(), dtype=st.sampled_from(DTYPES))
def test_gather(data, dtype):
    x = counting(data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1)), dtype)
    axis = data.draw(gen.axis_of(x.ndim))
    at = data.draw(indices(data.draw(gen.shapes(max_rank=2, max_dim=3)), x.shape[axis]))
    call = Call("Gather", [x, at], {"axis": axis}, opset=13)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


@few
@given(data=st.data(), dtype=st.sampled_from(DTYPES), batch_dims=st.integers(0, 1))
def test_gather_nd(data, dtype, batch_dims):
    x = counting(data.draw(gen.shapes(min_rank=1 + batch_dims, max_rank=4, min_dim=1)), dtype)
    length = data.draw(st.integers(1, x.ndim - batch_dims))
    outer = (*x.shape[:batch_dims], *data.draw(gen.shapes(max_rank=2, max_dim=3)))
    columns = [data.draw(indices(outer, x.shape[batch_dims + k], np.int64)) for k in range(length)]
    call = Call("GatherND", [x, np.stack(columns, -1)], {"batch_dims": batch_dims}, opset=13)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


@st.composite
def element_indices(draw, x, axis):
    shape = [draw(st.integers(0, dim)) for dim in x.shape]
    shape[axis] = draw(st.integers(0, 4))
    return draw(indices(tuple(shape), x.shape[axis], np.int64))


@few
@given(data=st.data(), dtype=st.sampled_from(DTYPES))
def test_gather_elements(data, dtype):
    x = counting(data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1)), dtype)
    axis = data.draw(gen.axis_of(x.ndim))
    at = data.draw(element_indices(x, axis))
    call = Call("GatherElements", [x, at], {"axis": axis}, opset=13)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


@few
@given(data=st.data(), reduction=st.sampled_from(REDUCTIONS))
def test_scatter_elements(data, reduction):
    dtype = data.draw(st.sampled_from([np.float32, np.int32, np.int64]))
    x = counting(data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1)), dtype)
    axis = data.draw(gen.axis_of(x.ndim))
    at = data.draw(element_indices(x, axis))
    updates = data.draw(gen.arrays(dtype, at.shape, -9, 9))
    attrs = {"axis": axis} if reduction == "none" else {"axis": axis, "reduction": reduction}
    call = Call("ScatterElements", [x, at, updates], attrs, opset=18)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


def test_scatter_is_the_old_name():
    inputs = [counting((3, 3)), np.array([[1, 0]]), np.array([[7, 8]], np.float32)]
    check_folds(Call("Scatter", inputs, opset=9))


@few
@given(data=st.data(), reduction=st.sampled_from(REDUCTIONS))
def test_scatter_nd(data, reduction):
    dtype = data.draw(st.sampled_from([np.float32, np.int32, np.int64]))
    x = counting(data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1)), dtype)
    length = data.draw(st.integers(1, x.ndim))
    outer = data.draw(gen.shapes(max_rank=2, min_dim=1, max_dim=2))
    columns = [data.draw(indices(outer, x.shape[k], np.int64)) for k in range(length)]
    updates = data.draw(gen.arrays(dtype, (*outer, *x.shape[length:]), -9, 9))
    attrs = {} if reduction == "none" else {"reduction": reduction}
    call = Call("ScatterND", [x, np.stack(columns, -1), updates], attrs, opset=18)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


def test_scatters_into_an_unknown_tensor_keep_what_is_known():
    inputs = [counting((3, 4)), np.array([[1, 0]]), np.array([[7, 8]], np.float32)]
    imported = import_call(Call("ScatterElements", inputs, opset=16), hidden={0: (0,)})
    assert imported["outputs"][0]["shape"] == [-1, 4]


def index_call(op_type, index):
    return Call(op_type, [counting((5,)), np.array(index, np.int64)], {"axis": 0}, opset=13)


@pytest.mark.parametrize("index", [5, -6, 2**63 - 1, -(2**63)])
def test_an_index_out_of_range_is_named(index):
    for call in (index_call("Gather", index), index_call("GatherElements", [index])):
        check_refused(call, "node", str(index), "axis 0", "[5]", constant=(0, 1))
    call = Call("GatherND", [counting((5,)), np.array([[index]])], opset=13)
    check_refused(call, str(index), "[5]", constant=(0, 1))


@pytest.mark.parametrize(
    "call",
    [
        Call("Gather", [counting((2, 2)), np.array([0])], {"axis": 2}),
        Call("Gather", [np.float32(3).reshape(()), np.array([0])]),
        Call("GatherElements", [counting((2, 2)), np.array([0])]),
        Call("GatherElements", [counting((2, 2)), np.array([[0, 0], [0, 0], [0, 0]])], {"axis": 1}),
        Call("GatherND", [counting((2, 2)), np.array([[0, 0, 0]])]),
        Call("GatherND", [counting((2, 2)), np.array([[0]])], {"batch_dims": 2}),
        Call("GatherND", [counting((2, 2)), np.array([[0]])], {"batch_dims": -1}),
        Call("ScatterElements", [counting((2, 2)), np.array([[0]]), counting((1, 2))], opset=16),
        Call("ScatterND", [counting((2, 2)), np.array([[0]]), counting((1, 3))], opset=16),
    ],
)
def test_shapes_that_do_not_fit_are_refused(call):
    check_refused(call, "node", "[")


def test_an_unknown_reduction_is_refused():
    inputs = [counting((3,)), np.array([1]), np.array([7], np.float32)]
    call = Call("ScatterElements", inputs, {"reduction": "mean"}, opset=18)
    check_refused(call, "reduction mean", "none, add, mul, max and min")


@few
@given(data=st.data(), three=gen.broadcastable(count=3, max_dim=3))
def test_where(data, three):
    dtype = data.draw(st.sampled_from([np.float32, np.int64, np.uint8, np.int32]))
    inputs = [data.draw(gen.arrays(np.bool_, three[0]))]
    inputs += [np.asarray(counting(shape, dtype) + dtype(i)) for i, shape in enumerate(three[1:])]
    call = Call("Where", inputs, opset=16)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(inputs)))


def test_where_needs_a_bool_and_two_of_a_kind():
    x = counting((2,))
    check_refused(Call("Where", [x, x, x]), "condition", "float32", "bool")
    check_refused(Call("Where", [x > 0, x, x.astype(np.int64)]), "float32", "int64")


@few
@given(data=st.data())
def test_non_zero(data):
    dtype = data.draw(st.sampled_from([np.float32, np.int64, np.uint8, np.bool_]))
    x = data.draw(gen.arrays(dtype, gen.shapes(min_rank=1, max_rank=3), 0, 1))
    call = Call("NonZero", [x], opset=13)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])), data_dependent=True)


@few
@given(data=st.data())
def test_compress(data):
    x = counting(data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1)))
    axis = data.draw(st.none() | gen.axis_of(x.ndim))
    length = x.size if axis is None else x.shape[axis]
    condition = data.draw(gen.arrays(np.bool_, (length,)))
    call = Call("Compress", [x, condition], {} if axis is None else {"axis": axis}, opset=11)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])), data_dependent=True)
