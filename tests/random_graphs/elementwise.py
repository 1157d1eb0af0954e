"""Operators that work element by element, casts among them."""

import numpy as np
from random_graphs.builder import (
    BOOL,
    DTYPES,
    EPSILON,
    FLOAT16,
    FLOATS,
    INTEGERS,
    NUMBERS,
    MisfitError,
    elem_type,
)

# Steepness and greatest result.
SMOOTH = {
    "Sigmoid": (0.25, 1),
    "Tanh": (1, 1),
    "Erf": (1.2, 1),
    "Softsign": (1, 1),
    "Sin": (1, 1),
    "Cos": (1, 1),
    "Atan": (1, 1.6),
    "HardSigmoid": (0.2, 1),
}
GROWING = ("Softplus", "LeakyRelu", "Elu", "Celu", "Selu", "HardSwish", "Mish")
PLAIN = ("Relu", "Neg", "Abs", "Identity")
SINCE = {"HardSwish": 14, "Mish": 18, "Gelu": 20}


def smooth(scope):
    op_type = scope.one_of(SMOOTH)
    steepness, bound = SMOOTH[op_type]
    x = scope.any()
    scope.rounded(op_type, [x], bound=bound, error=steepness * x.error)


def growing(scope):
    op_type = scope.one_of(GROWING)
    if SINCE.get(op_type, 1) > scope.root.opset:
        raise MisfitError
    x = scope.any(dtypes=FLOATS[:1] if op_type == "Celu" else FLOATS)
    scope.rounded(op_type, [x], bound=2 * x.bound + 1, error=2 * x.error)


def gelu(scope):
    x = scope.any()
    if scope.root.opset < 20:
        raise MisfitError
    approximate = scope.one_of(["none", "tanh"])
    scope.rounded("Gelu", [x], error=1.2 * x.error, approximate=approximate)


def plain(scope):
    op_type = scope.one_of(PLAIN)
    x = scope.any(dtypes=FLOATS if op_type == "Relu" else NUMBERS)
    scope.simple(op_type, [x])


def exponential(scope):
    x = scope.any(bound=4)
    scope.rounded("Exp", [x], bound=np.exp(x.bound), error=np.exp(x.bound) * x.error)


def square_root(scope):
    x = scope.any()
    absolute = scope.simple("Abs", [x])
    scope.rounded("Sqrt", [absolute], bound=x.bound**0.5, error=x.error**0.5)


def stepping(scope):
    scope.simple(scope.one_of(["Floor", "Ceil", "Round", "Sign"]), [scope.any(exact=True)])


def clip(scope):
    x = scope.any(dtypes=NUMBERS)
    low, high = (scope.leaf(np.array(limit, x.dtype), "data") for limit in (-2, 3))
    low, high = scope.one_of([(low, high), (low, None), (None, high)])
    bound = min(x.bound, 3) if low and high else max(x.bound, 3)
    scope.simple("Clip", [x, low, high] if high else [x, low], bound=bound)


def _pair(scope, dtypes, bound, exact=False):
    """Two operands whose shapes broadcast, and the shape of the result."""
    x = scope.any(dtypes=dtypes, bound=bound, exact=exact)

    def fits(y):
        try:
            return np.broadcast_shapes(x.shape, y.shape) is not None
        except ValueError:
            return False

    if scope.flag():
        y = scope.pick(fits, dtypes=(x.dtype,), bound=bound, exact=exact)
    else:
        dropped = scope.integer(0, x.rank)
        shape = tuple(dim if scope.integer(0, 3) else 1 for dim in x.shape[dropped:])
        y = scope.new(x.dtype, shape)
    pair = [x, y] if scope.flag() else [y, x]
    return pair, np.broadcast_shapes(x.shape, y.shape)


def _exact_or(scope, dtype, error, bound):
    """The error of an operator that IEEE 754 or integers decide; float16 may be done in float32."""
    return error + EPSILON[FLOAT16] * bound if dtype == FLOAT16 else error


def sum_of_two(scope):
    (x, y), shape = _pair(scope, NUMBERS, 1000)
    bound, error = x.bound + y.bound, x.error + y.error
    if error and x.dtype in FLOATS:
        error += EPSILON[x.dtype] * bound
    error = _exact_or(scope, x.dtype, error, bound)
    scope.simple(scope.one_of(["Add", "Sub"]), [x, y], shape, bound, error)


def product(scope):
    (x, y), shape = _pair(scope, NUMBERS, 100)
    bound = x.bound * y.bound
    error = x.bound * y.error + y.bound * x.error + x.error * y.error
    if error and x.dtype in FLOATS:
        error += EPSILON[x.dtype] * bound
    scope.simple("Mul", [x, y], shape, bound, _exact_or(scope, x.dtype, error, bound))


def quotient(scope):
    x = scope.any(dtypes=NUMBERS)
    shape = tuple(dim if scope.flag() else 1 for dim in x.shape)
    y = scope.weight(x.dtype, shape, 1, 3)
    error = x.error + EPSILON[x.dtype] * x.bound if x.dtype in FLOATS else 0
    scope.simple("Div", [x, y], error=error)


def extremes(scope):
    (x, y), shape = _pair(scope, NUMBERS, np.inf)
    inputs = [x, y, x] if scope.flag() else [x, y]
    bound, error = max(x.bound, y.bound), max(x.error, y.error)
    scope.simple(scope.one_of(["Min", "Max"]), inputs, shape, bound, error)


def several(scope):
    x = scope.any(bound=100)
    others = [scope.operand(x.dtype, x.shape, bound=100) for _ in range(scope.integer(0, 3))]
    inputs = [x, *others]
    total, error = (sum(getattr(v, part) for v in inputs) for part in ("bound", "error"))
    scope.rounded(scope.one_of(["Sum", "Mean"]), inputs, bound=total, error=error)


def power(scope):
    x = scope.any(bound=30, exact=True)
    exponent = scope.one_of([2.0, 3.0, 1.0])
    y = scope.leaf(np.array(exponent, x.dtype), "data")
    scope.rounded("Pow", [x, y], bound=max(1, x.bound) ** exponent)


def comparison(scope):
    op_type = scope.one_of(["Less", "Greater", "Equal", "LessOrEqual", "GreaterOrEqual"])
    inputs, shape = _pair(scope, NUMBERS, np.inf, exact=True)
    scope.simple(op_type, inputs, shape, 1, 0, BOOL)


def logic(scope):
    if scope.integer(0, 3) == 0:
        scope.simple("Not", [scope.any(dtypes=(BOOL,))])
        return
    inputs, shape = _pair(scope, (BOOL,), 1)
    scope.simple(scope.one_of(["And", "Or", "Xor"]), inputs, shape)


def remainder(scope):
    x = scope.any(dtypes=INTEGERS)
    y = scope.weight(x.dtype, (), 1, 5)
    scope.simple("Mod", [x, y], bound=5)


def where(scope):
    (x, y), shape = _pair(scope, NUMBERS, np.inf)
    condition = scope.operand(BOOL, tuple(dim if scope.flag() else 1 for dim in shape))
    bound, error = max(x.bound, y.bound), max(x.error, y.error)
    shape = np.broadcast_shapes(shape, condition.shape)
    scope.simple("Where", [condition, x, y], shape, bound, error, x.dtype)


def cast(scope):
    x = scope.any(dtypes=DTYPES)
    to = scope.one_of(DTYPES)
    if x.dtype in FLOATS and to not in FLOATS and not x.exact:
        raise MisfitError
    bound = 1 if to == BOOL else x.bound
    error = x.error + (EPSILON[to] * x.bound if to == FLOAT16 and x.dtype != BOOL else 0)
    scope.simple("Cast", [x], dtype=to, bound=bound, error=error, to=elem_type(to))


def prelu(scope):
    x = scope.any(ranks=(1, 4), bound=100)
    slope = scope.weight(x.dtype, (x.shape[1] if x.rank > 1 else 1,) + (1,) * max(x.rank - 2, 0))
    scope.rounded("PRelu", [x, slope], bound=2 * x.bound, error=2 * x.error)


def gated(scope):
    """Swish out of two nodes: its input has two readers."""
    x = scope.any(bound=100)
    gate = scope.rounded("Sigmoid", [x], bound=1, error=x.error / 4)
    error = x.error + x.bound * gate.error
    scope.rounded("Mul", [x, gate], error=error)


def quantise(scope):
    x = scope.any(dtypes=FLOATS[:1], exact=True)
    scale = scope.leaf(np.array(0.25, np.float32), "data")
    dtype = np.dtype(scope.one_of([np.int8, np.uint8]))
    zero = scope.leaf(np.array(3, dtype), "data")
    quantised = scope.simple("QuantizeLinear", [x, scale, zero], dtype=dtype, bound=255)
    scope.simple("DequantizeLinear", [quantised, scale, zero], dtype=x.dtype, bound=64)


ELEMENTWISE = (
    *(smooth, growing, gelu, plain, exponential, square_root, stepping, clip, sum_of_two, product),
    *(quotient, extremes, several, power, comparison, logic, remainder, where, cast, prelu, gated),
    quantise,
)
