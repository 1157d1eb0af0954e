"""Max, Min, Sum, Mean over any number of operands."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, import_call

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


@st.composite
def operand_lists(draw, dtypes, **ranges):
    dtype = draw(st.sampled_from(dtypes))
    shapes = draw(gen.broadcastable(count=draw(st.integers(1, 4)), max_rank=3))
    return [draw(gen.arrays(dtype, shape, **ranges)) for shape in shapes]


@pytest.mark.parametrize("op_type", ["Max", "Min", "Sum", "Mean"])
@gen.few
@given(data=st.data(), operands=operand_lists(FLOATS))
def test_operands_broadcast(op_type, data, operands):
    check_folds(Call(op_type, operands, opset=8))
    check_shapes(Call(op_type, operands, opset=13), hidden=data.draw(gen.hidden_dims(operands)))


@pytest.mark.parametrize("op_type", ["Max", "Min"])
@gen.few
@given(operands=operand_lists(gen.INTEGERS))
def test_extremes_of_integers_are_exact(op_type, operands):
    check_folds(Call(op_type, operands, opset=13))


@pytest.mark.parametrize("op_type", ["Max", "Min"])
def test_nan_wins_over_any_number(op_type):
    nan = np.float32(np.nan)
    check_folds(
        Call(op_type, [np.array([nan, 1, nan], np.float32), np.array([1, nan, nan], np.float32)])
    )


def test_a_sum_of_equal_shapes_is_one_node():
    operands = [np.ones((2, 3), np.float32)] * 3
    types = [node["type"] for node in import_call(Call("Sum", operands))["nodes"]]
    assert types == ["Data", "Data", "Data", "AccumulateNV2", "NetOutput"]


def test_a_sum_that_broadcasts_is_a_chain():
    operands = [np.ones((2, 3), np.float32), np.ones(3, np.float32), np.ones((), np.float32)]
    types = [node["type"] for node in import_call(Call("Sum", operands))["nodes"]]
    assert types == ["Data", "Data", "Data", "Add", "Add", "NetOutput"]


def test_an_operand_left_out_is_refused():
    operands = [np.ones(2, np.float32), None, np.ones(2, np.float32)]
    check_refused(Call("Sum", operands), "node", "operand 1 is missing")
