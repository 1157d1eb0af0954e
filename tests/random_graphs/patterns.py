"""Formulas of several operators that the compiler's passes look for, and near misses of them."""

import math

import numpy as np
from random_graphs.builder import EPSILON, FLOAT32, MisfitError
from random_graphs.dense import batch_norm_of, conv


def _number(scope, x, number):
    """A constant of one element; mostly the number that a pattern wants."""
    number = number if scope.integer(0, 5) else number + 0.5
    return scope.leaf(np.array(number, x.dtype).reshape([1] * scope.integer(0, 1)), "data")


def _times(scope, x, y, bound, error):
    pair = [x, y] if scope.flag() else [y, x]
    return scope.rounded("Mul", pair, x.shape, bound, error)


def gelu_formula(scope):
    x = scope.any(dtypes=(FLOAT32,), bound=100)
    root = _number(scope, x, math.sqrt(2))
    inner = scope.rounded("Div", [x, root], error=x.error)
    inner = scope.rounded("Erf", [inner], bound=1, error=1.2 * inner.error)
    one = _number(scope, x, 1)
    inner = scope.rounded("Add", [inner, one], bound=2.5, error=inner.error)
    whole = _times(scope, x, inner, 2.5 * x.bound, 2.5 * x.error + x.bound * inner.error)
    half = _number(scope, x, 0.5)
    _times(scope, whole, half, whole.bound, whole.error)


def swish_formula(scope):
    x = scope.any(bound=100)
    argument = x
    if scope.flag():
        scale = _number(scope, x, 1.5)
        argument = _times(scope, x, scale, 2 * x.bound, 2 * x.error)
    gate = scope.rounded("Sigmoid", [argument], bound=1, error=0.25 * argument.error)
    _times(scope, x, gate, x.bound, x.error + x.bound * gate.error)


def hard_swish_formula(scope):
    x = scope.any(dtypes=(FLOAT32,), bound=100)
    three, zero, six = (
        scope.leaf(np.array(number, x.dtype), "data") for number in (3, 0, 6 + scope.integer(0, 1))
    )
    inner = scope.rounded("Add", [x, three], bound=x.bound + 3, error=x.error)
    inner = scope.simple("Clip", [inner, zero, six], bound=7)
    whole = _times(scope, x, inner, 7 * x.bound, 7 * x.error + x.bound * inner.error)
    scope.rounded("Div", [whole, _number(scope, x, 6)], error=whole.error)


def norm_formula(scope):
    """LayerNorm or RmsNorm."""
    x = scope.any(dtypes=(FLOAT32,), ranks=(1, 4), full=True, bound=20)
    if scope.root.opset >= 18:
        raise MisfitError  # axes became an input
    axis = -1 if scope.integer(0, 3) else 0
    shape = list(x.shape)
    shape[axis] = 1
    mean_of = {"axes": [axis], "keepdims": 1}
    centred = x
    if scope.flag():
        mean = scope.rounded("ReduceMean", [x], shape, error=x.error, **mean_of)
        centred = scope.rounded("Sub", [x, mean], bound=2 * x.bound, error=2 * x.error)
    bound, error = centred.bound, centred.error + EPSILON[FLOAT32] * centred.bound
    squares = _times(scope, centred, centred, bound**2, 2 * bound * error)
    mean = scope.rounded("ReduceMean", [squares], shape, error=squares.error, **mean_of)
    epsilon = _number(scope, x, 0.25)
    total = scope.rounded("Add", [mean, epsilon], bound=mean.bound + 1, error=mean.error)
    root = scope.rounded("Sqrt", [total], bound=total.bound**0.5, error=total.error)
    quotient = scope.rounded(
        "Div", [centred, root], bound=2 * bound, error=2 * error + 4 * bound * root.error
    )
    if scope.flag():
        gamma = scope.weight(x.dtype, x.shape[-1:])
        _times(scope, quotient, gamma, 2 * quotient.bound, 2 * quotient.error)


def affine_conv(scope):
    """A convolution and what may follow it."""
    y = conv(scope)
    for _ in range(scope.integer(1, 3)):
        kind = scope.one_of(["BatchNormalization", "Mul", "Add", "Sub", "Div"])
        if y.bound > 1e5:
            raise MisfitError
        if kind == "BatchNormalization":
            y = batch_norm_of(scope, y)
            continue
        shape = (y.shape[1], *(1 for _ in y.shape[2:])) if scope.integer(0, 2) else ()
        factor = scope.weight(y.dtype, shape, 1, 2)
        bound = 2 * y.bound if kind == "Mul" else y.bound + 2
        y = scope.rounded(kind, [y, factor], y.shape, bound, 2 * y.error)


def padded(scope):
    """Padding in front of a convolution or a pooling."""
    x = scope.pick(lambda v: all(dim > 0 for dim in v.shape[1:]), ranks=(3, 4), full=True, bound=20)
    count = x.rank - 2
    pads = [scope.integer(0, 1) for _ in range(2 * count)]
    words = [0, 0, *pads[:count], 0, 0, *pads[count:]]
    shape = (*x.shape[:2], *(n + pads[i] + pads[i + count] for i, n in enumerate(x.shape[2:])))
    p = scope.simple("Pad", [x, scope.constant(words)], shape)
    if min(shape[2:]) < 2:
        raise MisfitError
    sizes = (*shape[:2], *(n - 1 for n in shape[2:]))
    op_type = scope.one_of(["Conv", "MaxPool", "AveragePool"])
    kernel = [2] * count
    if op_type == "MaxPool":
        scope.simple(op_type, [p], sizes, kernel_shape=kernel)
    elif op_type == "AveragePool":
        scope.rounded(op_type, [p], sizes, error=p.error, kernel_shape=kernel)
    else:
        w = scope.weight(p.dtype, (2, shape[1], *kernel), -1, 1)
        terms = shape[1] * math.prod(kernel)
        sizes = (sizes[0], 2, *sizes[2:])
        scope.rounded(op_type, [p, w], sizes, terms * p.bound, terms * p.error)


def there_and_back(scope):
    """A move, elementwise operators, and a move that undoes the first or does not."""
    x = scope.any(ranks=(1, 4))
    order = sorted(range(x.rank), key=lambda _: scope.integer(0, 9))
    back = [order.index(i) for i in range(x.rank)] if scope.integer(0, 3) else order
    if scope.flag():
        y = scope.simple("Transpose", [x], [x.shape[i] for i in order], perm=order)
        y = _between(scope, y)
        scope.simple("Transpose", [y], [y.shape[i] for i in back], perm=back)
        return
    axis = scope.integer(0, x.rank)
    shape = (*x.shape[:axis], 1, *x.shape[axis:])
    y = scope.simple("Unsqueeze", [x, scope.constant([axis])], shape)
    y = _between(scope, y)
    if scope.flag():
        scope.simple("Squeeze", [y, scope.constant([axis])], x.shape)
    elif x.size:
        scope.simple(
            "Reshape", [y, scope.constant([-1, x.shape[-1]])], (x.size // x.shape[-1], x.shape[-1])
        )


def _between(scope, y):
    for _ in range(scope.integer(0, 2)):
        y = scope.simple(scope.one_of(["Neg", "Abs", "Relu"]), [y])
    return y


PATTERNS = (
    affine_conv,
    gelu_formula,
    hard_swish_formula,
    norm_formula,
    padded,
    swish_formula,
    there_and_back,
)
