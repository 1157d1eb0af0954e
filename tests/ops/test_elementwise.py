"""Operators of one or two operands: arithmetic, comparisons, logic, bits, plain functions."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded, import_call

# type: opset with the widest choice of dtypes that onnxruntime runs, dtypes, range of floats
FLOAT_FUNCTIONS = {
    "Acos": (-1, 1),
    "Acosh": (1, 9),
    "Asin": (-1, 1),
    "Asinh": (-8, 8),
    "Atan": (-8, 8),
    "Atanh": (-0.875, 0.875),
    "Ceil": (-8, 8),
    "Cos": (-8, 8),
    "Cosh": (-8, 8),
    "Erf": (-8, 8),
    "Exp": (-8, 8),
    "Floor": (-8, 8),
    "Log": (0.015625, 9),
    "Reciprocal": (0.015625, 9),
    "Round": (-8, 8),
    "Sin": (-8, 8),
    "Sinh": (-8, 8),
    "Sqrt": (0, 9),
    "Tan": (-1.5, 1.5),
    "Tanh": (-8, 8),
}
ARITHMETIC = ("Add", "Sub", "Mul", "Div")
COMPARISONS = ("Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual")
FLOATS = (*gen.FLOATS, gen.BF16)
NUMBERS = (*gen.NUMBERS, gen.BF16)


@st.composite
def pairs(draw, dtypes, **ranges):
    """Two arrays of one dtype that broadcast."""
    dtype = draw(st.sampled_from(dtypes))
    return [draw(gen.arrays(dtype, shape, **ranges)) for shape in draw(gen.broadcastable())]


@pytest.mark.parametrize("op_type", FLOAT_FUNCTIONS)
@gen.few
@given(data=st.data())
def test_functions_of_one_float_fold_to_the_values_of_onnxruntime(op_type, data):
    low, high = FLOAT_FUNCTIONS[op_type]
    dtype = data.draw(st.sampled_from(FLOATS))
    x = data.draw(gen.arrays(dtype, gen.shapes(max_rank=2), low=low, high=high))
    check_folds(Call(op_type, [x], opset=22), atol=1e-6)


@pytest.mark.parametrize("op_type", ["Abs", "Neg", "Sign"])
@gen.few
@given(data=st.data())
def test_functions_of_one_number_keep_integers_exact(op_type, data):
    dtype = data.draw(st.sampled_from(gen.SIGNED + FLOATS))
    x = data.draw(gen.arrays(dtype, gen.shapes(max_rank=2)))
    check_folds(Call(op_type, [x], opset=13))


@pytest.mark.parametrize("op_type", [*FLOAT_FUNCTIONS, "Abs", "Neg", "Sign"])
@gen.few
@given(data=st.data())
def test_functions_of_one_operand_keep_shape_and_dtype(op_type, data):
    x = data.draw(gen.arrays(np.float32, gen.shapes(), low=0, high=1))
    check_shapes(Call(op_type, [x], opset=22), hidden=data.draw(gen.hidden_dims([x])))


@pytest.mark.parametrize("op_type", ARITHMETIC)
@gen.few
@given(operands=pairs(NUMBERS))
def test_arithmetic_keeps_the_dtype_and_wraps(op_type, operands):
    if op_type == "Div":
        lowest = operands[0].dtype.kind == "i" and np.iinfo(operands[0].dtype).min
        operands[0] = np.where(operands[0] == lowest, 1, operands[0]).astype(operands[0].dtype)
        operands[1] = np.where(operands[1] == 0, 3, operands[1]).astype(operands[1].dtype)
    check_folds(Call(op_type, operands, opset=14))


@pytest.mark.parametrize("op_type", [*ARITHMETIC, *COMPARISONS])
@gen.few
@given(data=st.data(), operands=pairs([np.float32, np.int64]))
def test_operands_broadcast(op_type, data, operands):
    operands[1] = np.where(operands[1] == 0, 1, operands[1]).astype(operands[1].dtype)
    hidden = data.draw(gen.hidden_dims(operands))
    imported = check_shapes(Call(op_type, operands, opset=16), hidden=hidden)
    assert len(imported["nodes"]) == 4  # two Data, the operator, NetOutput


def test_integer_division_truncates_toward_zero():
    operands = [np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2])]
    assert folded(Call("Div", operands))[0].tolist() == [3, -3, -3, 3]


@pytest.mark.parametrize("op_type", ["Div", "Mod"])
@pytest.mark.parametrize("dtype", gen.SIGNED)
def test_division_that_the_processor_traps_on_gives_a_number(op_type, dtype):
    lowest = np.iinfo(dtype).min
    operands = [np.array([5, lowest], dtype), np.array([0, -1], dtype)]
    expected = [0, lowest] if op_type == "Div" else [0, 0]
    assert folded(Call(op_type, operands, opset=14))[0].tolist() == expected


@gen.few
@given(operands=pairs(gen.INTEGERS))
def test_remainder_of_integers_has_the_sign_of_the_divisor(operands):
    # numpy is the oracle: onnxruntime traps on the most negative number modulo -1
    a, b = operands[0], np.where(operands[1] == 0, 3, operands[1]).astype(operands[1].dtype)
    np.testing.assert_array_equal(folded(Call("Mod", [a, b], opset=13))[0], np.mod(a, b))


@gen.few
@given(operands=pairs(gen.NUMBERS))
def test_remainder_with_fmod_has_the_sign_of_the_dividend(operands):
    a, b = operands[0], np.where(operands[1] == 0, 3, operands[1]).astype(operands[1].dtype)
    check_folds(Call("Mod", [a, b], {"fmod": 1}, opset=13))


def test_remainder_of_floats_without_fmod_is_refused_before_opset_28():
    operands = [np.ones(2, np.float32)] * 2
    check_refused(Call("Mod", operands, opset=13), "node", "fmod", "float32")


def test_remainder_of_floats_without_fmod_has_the_sign_of_the_divisor_from_opset_28():
    a = np.array([5.5, -5.5, 5.5, -5.5, 0.0, -1.0], np.float32)
    b = np.array([2.0, 2.0, -2.0, -2.0, -3.0, np.inf], np.float32)
    remainder = folded(Call("Mod", [a, b], opset=28))[0]
    np.testing.assert_array_equal(remainder, [1.5, 0.5, -0.5, -1.5, -0.0, np.inf])
    assert np.signbit(remainder[4])


@gen.few
@given(data=st.data())
def test_power_has_the_dtype_of_the_base(data):
    base = data.draw(st.sampled_from([np.float32, np.float64, np.int32, np.int64]))
    exponent = data.draw(st.sampled_from([np.float32, np.float64, np.int32, np.int64]))
    shapes = data.draw(gen.broadcastable())
    x = data.draw(gen.arrays(base, shapes[0], low=1, high=4))
    y = data.draw(gen.arrays(exponent, shapes[1], low=0, high=4))
    check_folds(Call("Pow", [x, y], opset=15))
    check_shapes(Call("Pow", [x, y], opset=15), hidden=data.draw(gen.hidden_dims([x, y])))


@pytest.mark.parametrize("exponent", [np.array([-1, -2, -3]), np.array([0, 1, 63])])
def test_integer_power_is_exact_and_truncates(exponent):
    for base in (1, -1, 2):
        call = Call("Pow", [np.array(base), exponent], opset=15)
        power = [int(float(base) ** int(e)) if e < 0 else base ** int(e) for e in exponent]
        wrapped = np.array([p % 2**64 for p in power], np.uint64).astype(np.int64)
        np.testing.assert_array_equal(folded(call)[0], wrapped)


@pytest.mark.parametrize("op_type", COMPARISONS)
@gen.few
@given(operands=pairs([d for d in gen.NUMBERS if d != np.float16], special=True))
def test_comparisons_give_bool(op_type, operands):
    check_folds(Call(op_type, operands, opset=16))


@pytest.mark.parametrize("op_type", ["And", "Or", "Xor", "Equal"])
@gen.few
@given(operands=pairs([np.bool_]))
def test_logic_of_bools(op_type, operands):
    check_folds(Call(op_type, operands, opset=13))


@gen.few
@given(x=gen.arrays(np.bool_, gen.shapes()))
def test_not_of_bools(x):
    check_folds(Call("Not", [x]))


@pytest.mark.parametrize("op_type", ["BitwiseAnd", "BitwiseOr", "BitwiseXor"])
@gen.few
@given(operands=pairs(gen.INTEGERS))
def test_bits_of_integers(op_type, operands):
    check_folds(Call(op_type, operands, opset=18))


@gen.few
@given(data=st.data(), dtype=st.sampled_from(gen.INTEGERS))
def test_every_bit_is_inverted(data, dtype):
    check_folds(Call("BitwiseNot", [data.draw(gen.arrays(dtype, gen.shapes()))], opset=18))


@pytest.mark.parametrize("direction", ["LEFT", "RIGHT"])
@gen.few
@given(data=st.data(), dtype=st.sampled_from(gen.UNSIGNED))
def test_shifts_below_the_width(direction, data, dtype):
    shapes = data.draw(gen.broadcastable())
    x = data.draw(gen.arrays(dtype, shapes[0]))
    count = data.draw(gen.arrays(dtype, shapes[1], low=0, high=dtype.itemsize * 8 - 1))
    check_folds(Call("BitShift", [x, count], {"direction": direction}, opset=11))


def test_shifts_by_the_width_or_more_leave_only_the_sign():
    x = np.array([-5, 5, -5, 5], np.int32)
    counts = np.array([32, 40, -1, 31], np.int32)
    values = {}
    for direction in ("LEFT", "RIGHT"):
        call = Call("BitShift", [x, counts], {"direction": direction}, opset=28)
        values[direction] = folded(call)[0].tolist()
    assert values == {"LEFT": [0, 0, 0, -(2**31)], "RIGHT": [-1, 0, -1, 0]}


def test_shift_without_a_known_direction_is_refused():
    operands = [np.ones(2, np.uint8)] * 2
    check_refused(Call("BitShift", operands, {"direction": "UP"}), "direction", "UP", "LEFT")


@gen.few
@given(data=st.data(), dtype=st.sampled_from([np.float32, np.float64]))
def test_infinities_are_detected_by_sign(data, dtype):
    x = data.draw(gen.arrays(dtype, gen.shapes(), special=True))
    signs = {f"detect_{sign}": data.draw(st.integers(0, 1)) for sign in ("negative", "positive")}
    check_folds(Call("IsInf", [x], signs, opset=10))
    check_shapes(Call("IsInf", [x], signs, opset=10), hidden=data.draw(gen.hidden_dims([x])))


@gen.few
@given(data=st.data(), dtype=st.sampled_from(gen.FLOATS))
def test_nans_are_detected(data, dtype):
    x = data.draw(gen.arrays(dtype, gen.shapes(), special=True))
    check_folds(Call("IsNaN", [x], opset=13))


def test_operands_that_do_not_broadcast_are_named_with_their_axis():
    operands = [np.ones((1, 3, 80), np.float32), np.ones((1, 4, 80), np.float32)]
    check_refused(Call("Add", operands), "node", "operands [1,3,80] and [1,4,80] differ in axis 1")


def test_operands_of_different_dtypes_are_refused():
    operands = [np.ones(2, np.float32), np.ones(2, np.int64)]
    check_refused(Call("Add", operands), "node", "float32", "int64")


def test_a_dtype_the_operator_does_not_take_is_refused_with_those_it_takes():
    check_refused(Call("Sqrt", [np.ones(2, np.int64)]), "Sqrt", "int64", "float32")


def test_indices_and_products_stay_int64():
    # TopK gives int64 indices, so what is added to them must not be narrowed
    operands = [np.array([1, 3, 5]), np.array([200, 200, 200])]
    imported = import_call(Call("Add", operands))
    assert imported["outputs"][0]["dtype"] == "int64"
