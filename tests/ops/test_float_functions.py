"""Error of exp, tanh and the like in float32, in units in the last place of the exact result."""

import math

import numpy as np
import pytest
from ops.oracle import Call, folded

erf = np.vectorize(math.erf)


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


# The function in float64, the greatest |x| that is tried, and the bound that
# core/kernels/vector_math.h states.
FUNCTIONS = {
    "Exp": (np.exp, 104, 2.4),
    "Sigmoid": (lambda x: np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x))), 104, 2.4),
    "Tanh": (np.tanh, 12, 2.4),
    "Erf": (erf, 5, 2.4),
    "Softplus": (softplus, 104, 2.8),
    "Mish": (lambda x: x * np.tanh(softplus(x)), 80, 4.5),
    "Elu": (lambda x: np.where(x < 0, np.expm1(x), x), 104, 2.4),
}


def spread(most):
    """Floats of every size up to `most`, of both signs, subnormal ones among them."""
    rng = np.random.default_rng(0)
    sizes = np.concatenate(
        [np.geomspace(1e-45, most, 4000), rng.uniform(0, most, 2000), rng.uniform(0, 4, 2000)]
    ).astype(np.float32)
    return np.concatenate([sizes, -sizes])


@pytest.mark.parametrize("op_type", FUNCTIONS)
def test_error_in_units_in_the_last_place(op_type):
    function, most, bound = FUNCTIONS[op_type]
    x = spread(most)
    (y,) = folded(Call(op_type, [x], opset=18))
    with np.errstate(over="ignore"):
        exact = function(x.astype(np.float64))
        rounded = exact.astype(np.float32)
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(y[~finite], rounded[~finite])
    error = np.abs(y[finite] - exact[finite]) / np.spacing(np.abs(rounded[finite]))
    assert error.max() <= bound, (op_type, x[finite][error.argmax()], error.max())


def test_values_at_the_ends():
    inf, nan = np.inf, np.nan
    x = np.array([nan, -nan, inf, -inf, 200, -200, 88.7, 88.73, -103, -104, 0, -0.0], np.float32)
    with np.errstate(over="ignore"):
        powers = np.exp(x.astype(np.float64)).astype(np.float32)
    expected = {
        "Exp": powers,
        "Sigmoid": [nan, nan, 1, 0, 1, 0, 1, 1, 1e-45, 0, 0.5, 0.5],
        "Tanh": [nan, nan, 1, -1, 1, -1, 1, 1, -1, -1, 0, -0.0],
        "Erf": [nan, nan, 1, -1, 1, -1, 1, 1, -1, -1, 0, -0.0],
    }
    for op_type, values in expected.items():
        (y,) = folded(Call(op_type, [x]))
        wanted = np.array(values, np.float32)
        np.testing.assert_allclose(y, wanted, 2e-7, 0, err_msg=op_type)
        zero = wanted == 0
        np.testing.assert_array_equal(np.signbit(y[zero]), np.signbit(wanted[zero]), op_type)


def test_tanh_and_erf_do_not_pass_one_and_do_not_fall():
    x = np.sort(np.random.default_rng(0).uniform(3, 12, 16000).astype(np.float32))
    for op_type in ("Tanh", "Erf"):
        (y,) = folded(Call(op_type, [x]))
        assert y.max() == 1
        assert np.diff(y.astype(np.float64)).min() >= -2 * 2.0**-24


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_keeps_its_digits_below_zero(approximate):
    x = np.linspace(-4, 4, 8000).astype(np.float32)
    wide = x.astype(np.float64)
    if approximate == "none":
        exact, bound = wide / 2 * (1 + erf(wide / math.sqrt(2))), 3e-7
    else:
        inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3)
        exact, bound = wide / 2 * (1 + np.tanh(inner)), 0
    (y,) = folded(Call("Gelu", [x], {"approximate": approximate}, opset=20))
    np.testing.assert_allclose(y, exact, 4e-6, bound)
