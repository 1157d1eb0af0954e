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


def _slice(scope, x):
    """Part of one axis; no tensor without elements."""
    axis = scope.integer(0, x.rank - 1)
    backwards = scope.integer(0, 2) == 0
    first = scope.integer(0, max(x.shape[axis] - 2, 0))
    count = x.shape[axis] - first
    words = [[-1 - first], [-100], [axis], [-1]] if backwards else [[first], [100], [axis], [1]]
    shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
    return scope.simple("Slice", [x, *map(scope.constant, words)], shape)


def slices_of_slices(scope):
    x = scope.any(ranks=(1, 4), full=True)
    for _ in range(scope.integer(2, 3)):
        x = _slice(scope, x)


def moves_that_meet(scope):
    """Two tensors that are turned alike, or not quite, joined, and turned back."""
    x = scope.any(ranks=(2, 4), full=True, bound=100)
    y = scope.operand(x.dtype, x.shape, bound=100)
    order = sorted(range(x.rank), key=lambda _: scope.integer(0, 9))
    axis = scope.integer(0, x.rank)
    is_view = scope.flag()

    def turn(v, perm):
        if is_view:
            shape = (*v.shape[:axis], 1, *v.shape[axis:])
            return scope.simple("Unsqueeze", [v, scope.constant([axis])], shape)
        return scope.simple("Transpose", [v], [v.shape[i] for i in perm], perm=perm)

    a = turn(x, order)
    b = turn(y, order if scope.integer(0, 3) else list(range(x.rank)))
    if a.shape != b.shape:
        raise MisfitError
    if scope.flag():
        total = max(x.bound, y.bound)
        joined = scope.integer(0, a.rank - 1)
        shape = (*a.shape[:joined], 2 * a.shape[joined], *a.shape[joined + 1 :])
        error = max(a.error, b.error)
        z = scope.simple("Concat", [a, b], shape, total, error, axis=joined)
    else:
        z = scope.rounded("Add", [a, b], None, x.bound + y.bound, a.error + b.error)
    z = _between(scope, _slice(scope, z) if scope.flag() else z)
    if scope.flag():
        perm = [*range(1, z.rank), 0] if is_view else [order.index(i) for i in range(x.rank)]
        scope.simple("Transpose", [z], [z.shape[i] for i in perm], perm=perm)
    elif 1 in z.shape:
        at = z.shape.index(1)
        shape = (*z.shape[:at], *z.shape[at + 1 :])
        scope.simple("Squeeze", [z, scope.constant([at])], shape)


def _product(scope, x, columns, bias):
    """x [rows, inner] times weights, with a bias or without."""
    inner = x.shape[1]
    turned = scope.integer(0, 1)
    w = scope.weight(x.dtype, (columns, inner) if turned else (inner, columns), -1, 1)
    inputs = [x, w, scope.weight(x.dtype, (columns,))] if bias else [x, w]
    bound = max(inner, 1) * x.bound + 2
    return scope.rounded(
        "Gemm", inputs, (x.shape[0], columns), bound, max(inner, 1) * x.error, transB=turned
    )


def scaled_product(scope):
    """A product times a number, straight or through moves and a piece of its columns."""
    x = scope.any(dtypes=(FLOAT32,), ranks=(2, 2), full=True, bound=20)
    y = _product(scope, x, 6, scope.flag())
    if scope.flag():
        parts = [(y.dtype, (y.shape[0], n), y.bound, y.error) for n in (2, 4)]
        y = scope.node("Split", [y, scope.constant([2, 4])], parts, axis=1)[scope.integer(0, 1)]
    if scope.flag():
        columns = y.shape[1]
        y = scope.simple(
            "Reshape", [y, scope.constant([-1, 2, columns // 2])], (y.shape[0], 2, columns // 2)
        )
        perm = [1, 0, 2]
        y = scope.simple("Transpose", [y], [y.shape[i] for i in perm], perm=perm)
    _times(scope, y, _number(scope, y, 0.375), 2 * y.bound, 2 * y.error)


def lstm_cell(scope):
    x = scope.any(dtypes=(FLOAT32,), ranks=(2, 2), full=True, bound=8)
    rows, hidden = x.shape[0], scope.integer(1, 3)
    h = scope.operand(FLOAT32, (rows, hidden), bound=4)
    c = scope.operand(FLOAT32, (rows, hidden), bound=4)
    p = _product(scope, x, 4 * hidden, scope.flag())
    q = _product(scope, h, 4 * hidden, scope.flag())
    total = scope.rounded("Add", [p, q], None, p.bound + q.bound, p.error + q.error)
    parts = [(FLOAT32, (rows, hidden), total.bound, total.error)] * 4
    gates = scope.node("Split", [total, scope.constant([hidden] * 4)], parts, axis=1)
    kinds = ["Sigmoid", "Sigmoid", "Sigmoid", scope.one_of(["Tanh", "Tanh", "Sigmoid"])]
    i, f, o, g = (
        scope.rounded(kind, [gate], bound=1, error=gate.error)
        for kind, gate in zip(kinds, gates, strict=True)
    )
    kept = _times(scope, f, c, c.bound, c.error + c.bound * f.error)
    added = _times(scope, i, g, 1, i.error + g.error)
    new_c = scope.rounded("Add", [kept, added], None, c.bound + 1, kept.error + added.error)
    t = scope.rounded("Tanh", [new_c], bound=1, error=new_c.error)
    _times(scope, o, t, 1, o.error + t.error)


PATTERNS = (
    affine_conv,
    gelu_formula,
    hard_swish_formula,
    lstm_cell,
    moves_that_meet,
    norm_formula,
    padded,
    scaled_product,
    slices_of_slices,
    swish_formula,
    there_and_back,
)
