"""Compute functions of elements: each against NumPy, which rounds after each operation."""

import ml_dtypes
import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

F16, F32, BF16 = np.float16, np.float32, ml_dtypes.bfloat16
FLOATS = (F16, F32, BF16)
INTS = (np.int32, np.int16, np.int8, np.uint8)
NUMBERS = (*FLOATS, np.int32)
TOLERANCES = {np.dtype(F16): 2e-3, np.dtype(BF16): 1e-2, np.dtype(F32): 4e-6}


def same(left, right):
    dtype = left.dtype
    assert (left.dtype, left.shape) == (right.dtype, right.shape)
    if dtype not in TOLERANCES:
        np.testing.assert_array_equal(left, right)
        return
    left, right = left.astype(np.float64), right.astype(np.float64)
    np.testing.assert_allclose(left, right, rtol=TOLERANCES[dtype], atol=1e-6)


def floor_mod(x, y):
    wide = np.int64 if x.dtype.kind in "iu" else np.float64
    return np.mod(x.astype(wide), y.astype(wide)).astype(x.dtype)


def quotient(x, y):
    return x / y if x.dtype.kind not in "iu" else np.trunc(x / y.astype(np.float64)).astype(x.dtype)


def relu(x):
    return np.maximum(x, x.dtype.type(0))


def in_float(function):
    """Evaluate in float64, round once."""
    return lambda x: function(x.astype(np.float64)).astype(x.dtype)


# Name: reference, dtypes, range of the operands.
BINARY = {
    "vadd": (np.add, NUMBERS, (-8, 8)),
    "vsub": (np.subtract, NUMBERS, (-8, 8)),
    "vmul": (np.multiply, NUMBERS, (-8, 8)),
    "vdiv": (quotient, NUMBERS, (1, 8)),
    "vmax": (np.maximum, NUMBERS, (-8, 8)),
    "vmin": (np.minimum, NUMBERS, (-8, 8)),
    "vmod": (floor_mod, (F32, *INTS), (1, 8)),
    "vand": (np.bitwise_and, (np.int16, np.uint16, np.int32), (None, None)),
    "vxor": (np.bitwise_xor, (np.int16, np.uint16, np.int32), (None, None)),
    "vor": (np.bitwise_or, (np.int16, np.uint16, np.int32), (None, None)),
    "vaddrelu": (lambda x, y: relu(x + y), (F16, F32), (-8, 8)),
    "vsubrelu": (lambda x, y: relu(x - y), (F16, F32), (-8, 8)),
    "vgcd": (np.gcd, (np.int32, np.int16, np.uint8), (0, None)),
    "powi": (lambda x, y: x**y, (np.int32,), (0, 5)),
}
UNARY = {
    "vexp": (in_float(np.exp), FLOATS, (-8, 8)),
    "vlog": (in_float(np.log), FLOATS, (0.125, 8)),
    "vsqrt": (in_float(np.sqrt), FLOATS, (0, 8)),
    "vrsqrt": (in_float(lambda x: 1 / np.sqrt(x)), FLOATS, (0.125, 8)),
    "vrec": (in_float(lambda x: 1 / x), FLOATS, (0.125, 8)),
    "vtanh": (in_float(np.tanh), FLOATS, (-8, 8)),
    "vsigmoid": (in_float(lambda x: 1 / (1 + np.exp(-x))), FLOATS, (-8, 8)),
    "vabs": (np.abs, NUMBERS, (-8, 8)),
    "vrelu": (relu, NUMBERS, (-8, 8)),
    "vnot": (np.invert, (np.int16, np.uint16, np.int32), (None, None)),
    "vsignbit": (lambda x: np.signbit(x).astype(x.dtype), (F16, F32), (-8, 8)),
}
SCALAR = {
    "vadds": (np.add, NUMBERS),
    "vsubs": (np.subtract, NUMBERS),
    "vmuls": (np.multiply, NUMBERS),
    "vmaxs": (np.maximum, NUMBERS),
    "vmins": (np.minimum, NUMBERS),
    "vlrelu": (lambda x, s: np.where(x > 0, x, x * s), (F16, F32)),
}
TERNARY = {
    "vmla": lambda a, b, c: a * b + c,
    "vmadd": lambda a, b, c: a * c + b,
    "vmaddrelu": lambda a, b, c: relu(a * c + b),
}


def draw_arrays(data, dtype, count, low, high):
    shape = data.draw(strategies.shapes(max_rank=3))
    return [
        data.draw(
            strategies.arrays(np.float32 if dtype is BF16 else dtype, shape, low, high)
        ).astype(dtype)
        for _ in range(count)
    ]


@pytest.mark.parametrize("name", BINARY)
@strategies.few
@given(data=st.data())
def test_two_tensors(tbe, name, data):
    reference, dtypes, (low, high) = BINARY[name]
    x, y = draw_arrays(data, data.draw(st.sampled_from(dtypes)), 2, low, high)
    same(tbe.compute(getattr(tbe.dsl, name), x, y), reference(x, y))


@pytest.mark.parametrize("name", UNARY)
@strategies.few
@given(data=st.data())
def test_one_tensor(tbe, name, data):
    reference, dtypes, (low, high) = UNARY[name]
    (x,) = draw_arrays(data, data.draw(st.sampled_from(dtypes)), 1, low, high)
    same(tbe.compute(getattr(tbe.dsl, name), x), reference(x))


@pytest.mark.parametrize("name", SCALAR)
@strategies.few
@given(data=st.data(), number=st.integers(-6, 6).map(lambda n: n / 2))
def test_tensor_and_scalar(tbe, name, data, number):
    reference, dtypes = SCALAR[name]
    (x,) = draw_arrays(data, data.draw(st.sampled_from(dtypes)), 1, -8, 8)
    number = number if x.dtype.kind != "i" else int(number)
    scalar = data.draw(st.sampled_from([number, tbe.tvm.const(number, str(x.dtype))]))
    expected = reference(x, x.dtype.type(number)).astype(x.dtype)
    same(tbe.compute(lambda t: getattr(tbe.dsl, name)(t, scalar), x), expected)


@pytest.mark.parametrize("name", TERNARY)
@strategies.few
@given(data=st.data())
def test_three_tensors(tbe, name, data):
    arrays = draw_arrays(data, data.draw(st.sampled_from((F16, F32))), 3, -8, 8)
    same(tbe.compute(getattr(tbe.dsl, name), *arrays), TERNARY[name](*arrays))


@strategies.few
@given(data=st.data())
def test_vaxpy_scales_the_first_tensor(tbe, data):
    x, y = draw_arrays(data, F32, 2, -8, 8)
    same(tbe.compute(lambda a, b: tbe.dsl.vaxpy(a, b, 2.5), x, y), x * F32(2.5) + y)


@strategies.few
@given(data=st.data())
def test_clip_takes_the_upper_limit_first(tbe, data):
    (x,) = draw_arrays(data, data.draw(st.sampled_from((F16, np.int32))), 1, -8, 8)
    same(tbe.compute(lambda a: tbe.dsl.clip(a, 3, -2), x), np.clip(x, -2, 3).astype(x.dtype))


@strategies.few
@given(data=st.data())
def test_vlogic(tbe, data):
    x, y = draw_arrays(data, bool, 2, None, None)
    for operation, reference in (("logic_and", np.logical_and), ("logic_or", np.logical_or)):
        same(
            tbe.compute(lambda a, b, op=operation: tbe.dsl.vlogic(a, b, op), x, y), reference(x, y)
        )
    same(tbe.compute(lambda a: tbe.dsl.vlogic(a, operation="logic_not"), x), ~x)


COMPARE = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


@pytest.mark.parametrize("operation", COMPARE)
@strategies.few
@given(data=st.data())
def test_vcmp(tbe, operation, data):
    x, y = draw_arrays(data, data.draw(st.sampled_from((F16, F32, np.int32))), 2, -3, 3)
    same(tbe.compute(lambda a, b: tbe.dsl.vcmp(a, b, operation), x, y), COMPARE[operation](x, y))
    same(
        tbe.compute(lambda a: tbe.dsl.vcmp(a, 1.0, operation), x),
        COMPARE[operation](x, x.dtype.type(1)),
    )


@strategies.few
@given(data=st.data())
def test_bits_of_a_comparison_stand_lowest_first(tbe, data):
    rows = data.draw(st.integers(1, 3))
    x = data.draw(strategies.arrays(F16, (rows, 16), -3, 3))
    packed = tbe.compute(lambda a: tbe.dsl.vcmp(a, 0.0, "gt", "bit"), x)
    same(packed, np.packbits(x > 0, axis=-1, bitorder="little"))
    chosen = tbe.compute(lambda bits, a: tbe.dsl.vsel(bits, a, 0.0), packed, x)
    same(chosen, np.where(x > 0, x, F16(0)))


@strategies.few
@given(data=st.data())
def test_vsel(tbe, data):
    x, y = draw_arrays(data, F16, 2, -8, 8)
    pick = data.draw(strategies.arrays(bool, x.shape))
    same(tbe.compute(tbe.dsl.vsel, pick, x, y), np.where(pick, x, y))
    same(tbe.compute(lambda c: tbe.dsl.vsel(c, 1.0, 2.0), pick), np.where(pick, F16(1), F16(2)))


@strategies.few
@given(data=st.data())
def test_vcmpsel_defaults(tbe, data):
    x, y = draw_arrays(data, F32, 2, -4, 4)
    same(tbe.compute(lambda a: tbe.dsl.vcmpsel(a), x), np.where(x < 2, x, F32(0)))
    same(tbe.compute(lambda a, b: tbe.dsl.vcmpsel(a, b), x, y), np.where(x < y, x, y))
    same(
        tbe.compute(lambda a: tbe.dsl.vcmpsel(a, 1.0, "ge", 5, -5), x),
        np.where(x >= 1, F32(5), F32(-5)),
    )


ROUNDINGS = {
    "round": np.rint,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round_half_up": lambda x: np.floor(x.astype(np.float64) + 0.5),
    "cast_to": np.trunc,
}


@pytest.mark.parametrize("name", ROUNDINGS)
@strategies.few
@given(data=st.data())
def test_conversions_round_as_their_names_say(tbe, name, data):
    dtype = data.draw(st.sampled_from((F16, F32)))
    shape = data.draw(strategies.shapes(max_rank=2))
    values = st.one_of(st.integers(-200, 200).map(lambda n: n / 2), st.floats(-100, 100, width=16))
    x = data.draw(strategies.hnp.arrays(dtype, shape, elements=values))
    to = data.draw(
        st.sampled_from(["int32", "int8", "float32"] if name != "cast_to" else ["int32"])
    )
    result = tbe.compute(lambda a: getattr(tbe.dsl, name)(a, to), x)
    same(result, ROUNDINGS[name](x).astype(to))


@strategies.few
@given(data=st.data())
def test_casts_between_floats_round_to_even(tbe, data):
    values = st.floats(-70000, 70000, width=32)
    x = data.draw(strategies.hnp.arrays(F32, (5,), elements=values))
    with np.errstate(over="ignore"):
        same(tbe.compute(lambda a: tbe.dsl.cast_to(a, "float16"), x), x.astype(F16))
        same(tbe.compute(lambda a: tbe.dsl.cast_to(a, "bfloat16"), x), x.astype(BF16))


@strategies.few
@given(data=st.data())
def test_operands_of_two_dtypes_are_converted_to_the_float_or_the_wider(tbe, data):
    pairs = [(F16, np.int32, F16), (F32, F16, F32), (np.int32, np.int8, np.int32)]
    pairs += [(F16, BF16, F32), (np.uint8, F32, F32)]
    first, second, result = data.draw(st.sampled_from(pairs))
    x, y = (
        data.draw(strategies.hnp.arrays(np.int8, (3,), elements=st.integers(0, 9))).astype(dtype)
        for dtype in (first, second)
    )
    same(tbe.compute(tbe.dsl.vmul, x, y), x.astype(result) * y.astype(result))
    same(tbe.compute(tbe.dsl.vcmp, x, y), x.astype(result) < y.astype(result))


@pytest.mark.parametrize("to", ["int8", "uint8", "int16", "uint16"])
@pytest.mark.parametrize("dtype", [F16, F32, BF16])
def test_floats_beyond_a_narrow_integer_become_the_nearest(tbe, dtype, to):
    values = [0, -0.75, 100.5, -128.5, 129, 300, -300, 40000, -40000, np.inf, -np.inf]
    x = np.array([*values, 1e30 if dtype is not F16 else 60000], np.float32).astype(dtype)
    limits = np.iinfo(to)
    expected = np.clip(np.trunc(x.astype(np.float64)), limits.min, limits.max).astype(to)
    same(tbe.compute(lambda a: tbe.dsl.cast_to(a, to), x), expected)


def test_float16_results_are_rounded_after_each_operation(tbe):
    x = np.array([1.0, 1.001, 65504.0], F16)
    result = tbe.compute(lambda a: tbe.dsl.vmuls(tbe.dsl.vadds(a, 1000.0), 0.001), x)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(result, (x + F16(1000.0)) * F16(0.001))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda d, a, b, c: d.vadd(a, b), "shapes [2, 3] and [2, 1]"),
        (lambda d, a, b, c: d.vadd(a, d.vcmp(a, a)), "dtypes float16, bool"),
        (lambda d, a, b, c: d.vadd(a, 1.0), "must be a tensor"),
        (lambda d, a, b, c: d.vadds(a, b), "must be a scalar"),
        (lambda d, a, b, c: d.vcmp(a, a, "near"), "[near] is not one of eq"),
        (lambda d, a, b, c: d.vsqrt(a, "fast"), "[fast] is not one of high_performance"),
        (lambda d, a, b, c: d.vgcd(a, a), "[float16] is not accepted"),
        (lambda d, a, b, c: d.broadcast(a, [2, 4]), "[2, 3] does not broadcast to [2, 4]"),
        (lambda d, a, b, c: d.cast_to(a, "float8"), "[float8] is not one of"),
        (lambda d, a, b, c: d.reduce_sum(a, 2), "axis [2] is not in [-2, 1]"),
        (lambda d, a, b, c: d.conv(a, b, {}), "[conv]"),
    ],
)
def test_wrong_calls_say_what_is_wrong(tbe, call, said):
    a = tbe.tvm.placeholder((2, 3), "float16", "a")
    b = tbe.tvm.placeholder((2, 1), "float16", "b")
    c = tbe.tvm.placeholder((2, 3), "float32", "c")
    with pytest.raises(RuntimeError) as caught:
        call(tbe.dsl, a, b, c)
    entries, text = caught.value.args
    assert entries["errCode"].startswith("E90")
    assert said in text
