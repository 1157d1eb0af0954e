"""Functions that GE's prototypes allow for integers and bool, where ONNX knows floats only."""

import numpy as np
import pytest

from ge import _testing

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8]


def result(op_type, *inputs, attrs=None):
    rows = [(x.dtype.name, x.shape, x.tobytes()) for x in inputs]
    ((dtype, shape, data),), _ = _testing.run_node(op_type, rows, attrs)
    return np.frombuffer(data, dtype).reshape(shape)


@pytest.mark.parametrize("op_type", ["Acos", "Asin", "Tan"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_result_of_an_integer_type_is_truncated(op_type, dtype):
    x = np.array([-1, 0, 1], dtype)
    function = {"Acos": np.arccos, "Asin": np.arcsin, "Tan": np.tan}[op_type]
    got = result(op_type, x)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.trunc(function(x.astype(np.float64))).astype(dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.int32])
def test_selu_of_integers(dtype):
    x = np.array([-128, -3, -1, 0, 1, 5, 100, 127], dtype)
    wide = x.astype(np.float64)
    selu = 1.0507009873554805 * np.where(wide < 0, 1.6732632423543772 * np.expm1(wide), wide)
    limits = np.iinfo(dtype)
    expected = np.clip(np.trunc(selu), limits.min, limits.max).astype(dtype)
    np.testing.assert_array_equal(result("Selu", x), expected)


@pytest.mark.parametrize("dtype", [*INTEGERS, np.bool_])
def test_log_of_integers_is_float32(dtype):
    x = np.array([1, 0, 1], dtype) if dtype is np.bool_ else np.array([1, 3, 100], dtype)
    got = result("Log", x)
    assert got.dtype == np.float32
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(got, np.log(x.astype(np.float64)), rtol=1e-6)


def test_hard_sigmoid_of_integers_is_float32():
    x = np.array([-9, -2, 0, 1, 9], np.int32)
    got = result("HardSigmoid", x, attrs={"alpha": 0.25, "beta": 0.5})
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, np.clip(x * 0.25 + 0.5, 0, 1).astype(np.float32))


@pytest.mark.parametrize("dtype", [*INTEGERS, np.float16, np.float32])
def test_logical_or_takes_numbers_that_are_not_0_for_true(dtype):
    x, y = np.array([[0, 0, 2], [3, 0, 0]], dtype), np.array([0, 1, 0], dtype)
    np.testing.assert_array_equal(result("LogicalOr", x, y), np.logical_or(x, y))
