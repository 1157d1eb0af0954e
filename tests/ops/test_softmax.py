"""Softmax, LogSoftmax, Hardmax, MeanVarianceNormalization."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded, import_call

NORMS = ("Softmax", "LogSoftmax", "Hardmax")


@st.composite
def norms(draw, op_type, opsets, dtypes=(np.float32,)):
    x = draw(gen.arrays(draw(st.sampled_from(dtypes)), gen.shapes(min_rank=2, min_dim=1)))
    attrs = {"axis": draw(gen.axis_of(x.ndim))} if draw(st.booleans()) else {}
    opset = draw(st.sampled_from(opsets))
    if opset < 11 and "axis" in attrs:
        attrs["axis"] %= x.ndim
    return Call(op_type, [x], attrs, opset)


@pytest.mark.parametrize("op_type", NORMS)
@gen.few
@given(data=st.data())
def test_values_along_one_axis(op_type, data):
    dtypes = (np.float32, np.float64) if op_type != "Hardmax" else (np.float32,)
    check_folds(data.draw(norms(op_type, [13], dtypes)))


@pytest.mark.parametrize("op_type", NORMS)
@gen.few
@given(data=st.data())
def test_old_opsets_work_on_rows_of_a_matrix(op_type, data):
    check_folds(data.draw(norms(op_type, [7, 11])))


@pytest.mark.parametrize("op_type", NORMS)
@gen.few
@given(data=st.data())
def test_shapes_stay(op_type, data):
    call = data.draw(norms(op_type, [13]))
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))
    check_shapes(data.draw(norms(op_type, [7, 11])))


def test_old_softmax_needs_no_reshape():
    call = Call("Softmax", [np.ones((2, 3, 1, 1), np.float32)], opset=11)
    nodes = import_call(call)["nodes"]
    assert [node["type"] for node in nodes] == ["Data", "SoftmaxV2", "NetOutput"]
    assert nodes[1]["attrs"]["axes"] == [1]


def test_old_softmax_over_several_axes_works_for_unknown_dims():
    call = Call("Softmax", [np.ones((2, 3, 4), np.float32)], opset=11)
    nodes = check_shapes(call, hidden={0: (0, 1, 2)})["nodes"]
    assert nodes[1]["attrs"]["axes"] == [1, 2]


def test_old_softmax_of_unknown_rank_is_refused():
    call = Call("Softmax", [np.ones((2, 3, 4), np.float32)], opset=11)
    check_refused(call, "Softmax", "unknown rank", "opset 13", hidden={0: None})


def test_old_hardmax_is_reshaped_only_if_need_be():
    x = np.ones((2, 3, 4), np.float32)
    types = {}
    for axis in (1, 2):
        nodes = import_call(Call("Hardmax", [x], {"axis": axis}, opset=11))["nodes"]
        types[axis] = [node["type"] for node in nodes if node["type"] != "Const"]
    assert types == {
        1: ["Data", "Reshape", "HardMax", "Reshape", "NetOutput"],
        2: ["Data", "HardMax", "NetOutput"],
    }


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_old_hardmax_of_unknown_dims(axis):
    x = np.ones((2, 3, 4), np.float32)
    got = import_call(Call("Hardmax", [x], {"axis": axis}, opset=11), hidden={0: (0, 2)})
    assert len(got["outputs"][0]["shape"]) == 3


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_old_hardmax_of_no_elements(axis):
    check_folds(Call("Hardmax", [np.ones((1, 3, 0), np.float32)], {"axis": axis}, opset=11))


@pytest.mark.parametrize("op_type", NORMS)
@pytest.mark.parametrize("opset", [11, 13])
def test_an_axis_outside_the_shape_is_named(op_type, opset):
    call = Call(op_type, [np.ones((2, 3), np.float32)], {"axis": 5}, opset)
    check_refused(call, "node", "axis 5", "[2,3]")


@gen.few
@given(data=st.data())
def test_mean_and_variance_are_normalised(data):
    x = data.draw(gen.arrays(np.float32, gen.shapes(min_rank=4, min_dim=1, max_dim=3)))
    x += np.arange(x.size, dtype=np.float32).reshape(x.shape)  # no group without any variance
    axes = data.draw(gen.axis_lists(4, min_size=1))
    call = Call("MeanVarianceNormalization", [x], {"axes": axes}, opset=13)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])))
    wide, over = x.astype(np.float64), {"axis": tuple(axes), "keepdims": True}
    expected = (wide - wide.mean(**over)) / (wide.std(**over) + 1e-9)
    np.testing.assert_allclose(folded(call)[0], expected, rtol=1e-4, atol=1e-5)
