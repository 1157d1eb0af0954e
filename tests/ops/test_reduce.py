"""Reductions, ArgMax and ArgMin, CumProd."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded

REDUCTIONS = (
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
)


def axes_are_input(op_type, opset):
    return opset >= (13 if op_type == "ReduceSum" else 18)


def reduction(op_type, x, axes, opset, **attrs):
    """A call with the axes (None: left out) where the opset wants them."""
    if axes_are_input(op_type, opset):
        inputs = [x] if axes is None else [x, np.array(axes, np.int64)]
        return Call(op_type, inputs, attrs, opset)
    if axes:
        attrs["axes"] = axes
    return Call(op_type, [x], attrs, opset)


@st.composite
def reductions(draw, op_type, dtypes=(np.float32,), min_dim=1):
    x = draw(gen.arrays(draw(st.sampled_from(dtypes)), gen.shapes(min_dim=min_dim), low=1, high=5))
    opset = draw(st.sampled_from([7, 11, 13, 18, 20]))
    axes = draw(st.none() | gen.axis_lists(x.ndim, min_size=1))
    return reduction(op_type, x, axes or None, opset, keepdims=draw(st.integers(0, 1)))


@pytest.mark.parametrize("op_type", REDUCTIONS)
@gen.few
@given(data=st.data())
def test_reduced_values(op_type, data):
    dtypes = (np.float32, np.float64, np.float16)
    check_folds(data.draw(reductions(op_type, dtypes)))


@pytest.mark.parametrize("op_type", [t for t in REDUCTIONS if "Log" not in t])
@gen.few
@given(data=st.data())
def test_reduced_integers(op_type, data):
    x = data.draw(gen.arrays(np.int32, gen.shapes(min_dim=1, max_dim=2), low=-3, high=3))
    x = x.astype(data.draw(st.sampled_from([np.int32, np.int64])))
    axes = data.draw(gen.axis_lists(x.ndim))
    check_folds(reduction(op_type, x, axes, data.draw(st.sampled_from([7, 11, 13, 18]))))


@pytest.mark.parametrize("op_type", REDUCTIONS)
@gen.few
@given(data=st.data())
def test_reduced_shapes(op_type, data):
    call = data.draw(reductions(op_type))
    hidden = data.draw(gen.hidden_dims(call.inputs, keep=(1,)))
    check_shapes(call, constant=(1,), hidden=hidden)


@pytest.mark.parametrize("op_type", REDUCTIONS)
@gen.few
@given(data=st.data())
def test_axes_known_at_run_time_only(op_type, data):
    x = data.draw(gen.arrays(np.float32, gen.shapes(min_rank=1, min_dim=1), low=1, high=2))
    axes = data.draw(gen.axis_lists(x.ndim, min_size=1))
    call = reduction(op_type, x, axes, 18, keepdims=data.draw(st.integers(0, 1)))
    check_shapes(call, hidden={1: (0,)})


def test_norm_of_integers_with_axes_known_at_run_time_only():
    call = reduction("ReduceL2", np.ones((2, 3), np.int32), [1], 18, keepdims=1)
    check_shapes(call, hidden={1: (0,)})


@pytest.mark.parametrize("op_type", REDUCTIONS)
@pytest.mark.parametrize("axes", [None, []])
def test_no_axes_may_mean_every_element_alone(op_type, axes):
    x = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    check_folds(reduction(op_type, x, axes, 18, noop_with_empty_axes=1))
    check_shapes(reduction(op_type, x, axes, 18, noop_with_empty_axes=1), constant=(1,))


@pytest.mark.parametrize("op_type", REDUCTIONS)
@pytest.mark.parametrize("axes", [None, []])
def test_no_axes_mean_all_by_default(op_type, axes):
    x = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    check_folds(reduction(op_type, x, axes, 18))


@pytest.mark.parametrize(
    ("op_type", "value"),
    [
        ("ReduceSum", 0),
        ("ReduceProd", 1),
        ("ReduceMax", -np.inf),
        ("ReduceMin", np.inf),
        ("ReduceL1", 0),
        ("ReduceL2", 0),
        ("ReduceSumSquare", 0),
        ("ReduceLogSum", -np.inf),
        ("ReduceLogSumExp", -np.inf),
    ],
)
def test_reducing_nothing_gives_the_neutral_value(op_type, value):
    call = reduction(op_type, np.ones((2, 0), np.float32), [1], 18, keepdims=0)
    np.testing.assert_array_equal(folded(call)[0], [value, value])


@gen.few
@given(data=st.data())
def test_extremes_of_bools(data):
    x = data.draw(gen.arrays(np.bool_, gen.shapes(min_rank=1, min_dim=1)))
    axes = data.draw(gen.axis_lists(x.ndim, min_size=1))
    reduced = {"ReduceMax": np.any, "ReduceMin": np.all}
    for op_type, oracle in reduced.items():
        call = reduction(op_type, x, axes, 20, keepdims=0)
        np.testing.assert_array_equal(folded(call)[0], oracle(x, axis=tuple(axes)))


def test_large_exponents_do_not_overflow():
    check_folds(reduction("ReduceLogSumExp", np.array([1000, 1001], np.float32), [0], 18))


def test_an_axis_outside_the_shape_is_named():
    call = reduction("ReduceSum", np.ones((2, 3), np.float32), [2], 13)
    check_refused(call, "node", "axis 2", "[2,3]", constant=(1,))


@pytest.mark.parametrize("axis", [-(2**63), 2**63 - 1])
def test_absurd_axes_are_refused(axis):
    x = np.ones((2, 3), np.float32)
    check_refused(reduction("ReduceSum", x, [axis], 13), str(axis), constant=(1,))
    check_refused(Call("ArgMax", [x], {"axis": axis}), str(axis))
    check_refused(Call("ArgMax", [x], {"axis": axis}), str(axis), hidden={0: None})


@pytest.mark.parametrize("op_type", ["ArgMax", "ArgMin"])
@gen.few
@given(data=st.data())
def test_index_of_an_extreme(op_type, data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64, np.int32, np.int64, np.uint8]))
    x = data.draw(gen.arrays(dtype, gen.shapes(min_rank=1, min_dim=1), low=0, high=3))
    attrs = {
        "axis": data.draw(gen.axis_of(x.ndim)),
        "keepdims": data.draw(st.integers(0, 1)),
        "select_last_index": data.draw(st.integers(0, 1)),
    }
    call = Call(op_type, [x], attrs, opset=13)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])))


def test_the_lowest_of_equal_elements_is_chosen():
    call = Call("ArgMax", [np.array([3, 7, 7, 7], np.float32)], {"keepdims": 0})
    assert folded(call)[0].tolist() == 1


def test_index_along_an_empty_axis_is_refused():
    check_refused(Call("ArgMax", [np.ones((2, 0), np.float32)], {"axis": 1}), "node", "[2,0]")


@gen.few
@given(data=st.data())
def test_running_products(data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64, np.int32, np.int64]))
    x = data.draw(gen.arrays(dtype, gen.shapes(min_rank=1), low=-3, high=3))
    axis = data.draw(gen.axis_of(x.ndim))
    attrs = {name: data.draw(st.integers(0, 1)) for name in ("exclusive", "reverse")}
    call = Call("CumProd", [x, np.array(axis)], attrs, opset=26)
    step = -1 if attrs["reverse"] else 1
    line = np.moveaxis(x, axis, -1)[..., ::step]
    if attrs["exclusive"]:
        ones = np.ones((*line.shape[:-1], 1), dtype)
        line = np.concatenate([ones, line], axis=-1)[..., : line.shape[-1]]
    expected = np.moveaxis(np.cumprod(line, axis=-1, dtype=dtype)[..., ::step], -1, axis)
    np.testing.assert_allclose(folded(call)[0], expected, rtol=1e-5)
