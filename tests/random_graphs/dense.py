"""Operators that compute one element from many: products, convolutions, pooling, norms, sums."""

import math

import numpy as np
from random_graphs.builder import (
    EPSILON,
    FLOAT32,
    FLOATS,
    INT64,
    NUMBERS,
    MisfitError,
    attribute_or_input,
)


def _contraction(count, x, y):
    """Bound and error of a sum of ``count`` products."""
    bound = count * x.bound * y.bound
    error = count * (x.bound * y.error + y.bound * x.error + x.error * y.error)
    return bound, error


def matmul(scope):
    x = scope.any(ranks=(1, 4), bound=20)
    inner = x.shape[-1]
    rank = scope.integer(1, 3)
    if rank == 1:
        shape = (inner,)
    else:
        batch = tuple(dim if scope.flag() else 1 for dim in x.shape[:-2][-(rank - 2) :])
        shape = (*(batch if rank > 2 else ()), inner, scope.dim())
    y = scope.weight(x.dtype, shape) if scope.flag() else scope.operand(x.dtype, shape, bound=20)
    result = np.matmul(np.empty(x.shape, bool), np.empty(y.shape, bool)).shape
    bound, error = _contraction(max(inner, 1), x, y)
    scope.rounded("MatMul", [x, y], result, bound, error)


def gemm(scope):
    x = scope.any(ranks=(2, 2), bound=20)
    trans_a, trans_b = scope.integer(0, 1), scope.integer(0, 1)
    rows, inner = x.shape[::-1] if trans_a else x.shape
    columns = scope.dim()
    y = scope.weight(x.dtype, (columns, inner) if trans_b else (inner, columns))
    c = scope.one_of([None, (columns,), (rows, 1), (), (1, columns)])
    inputs = [x, y] if c is None else [x, y, scope.weight(x.dtype, c)]
    attrs = {"transA": trans_a, "transB": trans_b}
    if scope.flag():
        attrs |= {"alpha": 0.5, "beta": 2.0}
    bound, error = _contraction(max(inner, 1), x, y)
    scope.rounded("Gemm", inputs, (rows, columns), bound + 4, error, **attrs)


def _window(scope, spatial, kernel):
    """Attributes of a window and the sizes it gives; MisfitError when it does not fit."""
    attrs = {}
    same = scope.integer(0, 4) == 0
    strides = [scope.one_of([1, 2, 1]) for _ in spatial]
    dilations = [scope.one_of([1, 1, 2]) for _ in spatial]
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    if scope.flag():
        attrs["strides"] = strides
    else:
        strides = [1] * len(spatial)
    if scope.flag() and not same:
        attrs["dilations"] = dilations
    else:
        spans = list(kernel)
    if same:
        attrs["auto_pad"] = scope.one_of(["SAME_UPPER", "SAME_LOWER"])
        sizes = [-(-n // s) for n, s in zip(spatial, strides, strict=True)]
        return attrs, sizes
    pads = [0] * (2 * len(spatial))
    if scope.flag():
        pads = [scope.integer(0, k // 2) for k in [*kernel, *kernel]]
        attrs["pads"] = pads
    count = len(spatial)
    sizes = [
        (n + pads[i] + pads[i + count] - spans[i]) // strides[i] + 1 for i, n in enumerate(spatial)
    ]
    if min(sizes) < 1:
        raise MisfitError
    return attrs, sizes


def _image(scope, **conditions):
    return scope.pick(
        lambda v: all(dim > 0 for dim in v.shape[1:]), ranks=(3, 4), full=True, **conditions
    )


def conv(scope):
    x = _image(scope, bound=20)
    channels, spatial = x.shape[1], list(x.shape[2:])
    group = scope.one_of([d for d in range(1, channels + 1) if channels % d == 0])
    features = group * scope.integer(1, 3)
    kernel = [scope.integer(1, 3) for _ in spatial]
    attrs, sizes = _window(scope, spatial, kernel)
    w = scope.weight(x.dtype, (features, channels // group, *kernel), -1, 1)
    inputs = [x, w, scope.weight(x.dtype, (features,))] if scope.flag() else [x, w]
    if scope.flag():
        attrs["kernel_shape"] = kernel
    bound, error = _contraction(channels // group * math.prod(kernel), x, w)
    shape = (x.shape[0], features, *sizes)
    return scope.rounded("Conv", inputs, shape, bound + 2, error, group=group, **attrs)


def conv_transpose(scope):
    x = _image(scope, bound=20)
    channels, spatial = x.shape[1], x.shape[2:]
    kernel = [scope.integer(1, 3) for _ in spatial]
    strides = [scope.integer(1, 2) for _ in spatial]
    features = scope.integer(1, 3)
    w = scope.weight(x.dtype, (channels, features, *kernel), -1, 1)
    sizes = [(n - 1) * s + k for n, s, k in zip(spatial, strides, kernel, strict=True)]
    bound, error = _contraction(channels * math.prod(kernel), x, w)
    shape = (x.shape[0], features, *sizes)
    scope.rounded("ConvTranspose", [x, w], shape, bound, error, strides=strides)


def pool(scope):
    x = _image(scope)
    spatial = list(x.shape[2:])
    kernel = [scope.integer(1, 3) for _ in spatial]
    op_type = scope.one_of(["MaxPool", "AveragePool", "LpPool"])
    attrs, sizes = _window(scope, spatial, kernel)
    shape = (*x.shape[:2], *sizes)
    if op_type == "MaxPool":
        scope.simple(op_type, [x], shape, kernel_shape=kernel, **attrs)
        return
    if "dilations" in attrs and op_type != "MaxPool":
        raise MisfitError  # came later
    if op_type == "LpPool":
        if "auto_pad" in attrs or x.dtype != FLOAT32:
            raise MisfitError
        bound = x.bound * math.prod(kernel)
        p = scope.one_of([1, 2])
        error = x.error * math.prod(kernel) + (EPSILON[x.dtype] * bound if p == 2 else 0)
        scope.rounded(op_type, [x], shape, bound, error, kernel_shape=kernel, p=p, **attrs)
        return
    attrs["count_include_pad"] = scope.integer(0, 1)
    scope.rounded(op_type, [x], shape, kernel_shape=kernel, error=x.error, **attrs)


def global_pool(scope):
    x = _image(scope)
    shape = (*x.shape[:2], *(1 for _ in x.shape[2:]))
    scope.rounded(scope.one_of(["GlobalAveragePool", "GlobalMaxPool"]), [x], shape, error=x.error)


def batch_norm(scope):
    x = scope.pick(lambda v: v.rank >= 2 and v.shape[1] > 0, ranks=(2, 4), bound=100, full=True)
    batch_norm_of(scope, x)


def batch_norm_of(scope, x):
    channels = (x.shape[1],)
    scale, shift, mean = (scope.weight(x.dtype, channels) for _ in range(3))
    variance = scope.weight(x.dtype, channels, 1, 4)
    return scope.rounded(
        "BatchNormalization",
        [x, scale, shift, mean, variance],
        bound=2 * (x.bound + 2) + 2,
        error=2 * x.error,
        epsilon=1e-3,
    )


def layer_norm(scope):
    x = scope.any(ranks=(1, 4), full=True, bound=100)
    if scope.root.opset < 17:
        raise MisfitError
    axis = scope.integer(-x.rank, x.rank - 1)
    shape = x.shape[axis % x.rank :]
    inputs = [x, scope.weight(x.dtype, shape)]
    if scope.flag():
        inputs.append(scope.weight(x.dtype, shape))
    # Steepness: 1 / sqrt(epsilon), and the mean moves too.
    scope.rounded(
        "LayerNormalization",
        inputs,
        bound=2 * math.sqrt(math.prod(shape)) + 2,
        error=12 * x.error + 12 * EPSILON[x.dtype] * x.bound,
        axis=axis,
        epsilon=0.25,
    )


def instance_norm(scope):
    x = _image(scope, bound=100)
    scale, shift = (scope.weight(x.dtype, (x.shape[1],)) for _ in range(2))
    bound = 2 * math.sqrt(math.prod(x.shape[2:])) + 2
    error = 12 * x.error + 12 * EPSILON[x.dtype] * x.bound
    scope.rounded(
        "InstanceNormalization", [x, scale, shift], bound=bound, error=error, epsilon=0.25
    )


def softmax(scope):
    x = scope.any(ranks=(1, 4), full=True)
    op_type = scope.one_of(["Softmax", "LogSoftmax"])
    bound = 1 if op_type == "Softmax" else 2 * x.bound + math.log(max(x.size, 1))
    error = 2 * x.error + EPSILON[x.dtype] * x.bound * (x.dtype != FLOAT32)
    axis = scope.integer(-x.rank, x.rank - 1)
    scope.rounded(op_type, [x], bound=bound, error=error, axis=axis)


def reduction(scope):
    op_type = scope.one_of(["Sum", "Mean", "Max", "Min", "L1", "L2", "SumSquare", "LogSumExp"])
    x = scope.any(full=True, bound=60 if op_type != "LogSumExp" else 20)
    axes = scope.some_of(range(-x.rank, x.rank))
    if len({axis % max(x.rank, 1) for axis in axes}) != len(axes):
        raise MisfitError
    reduced = {axis % x.rank for axis in axes} or set(range(x.rank))
    keep = scope.integer(0, 1)
    shape = [1 if i in reduced else d for i, d in enumerate(x.shape) if keep or i not in reduced]
    count = math.prod(x.shape[i] for i in reduced)
    attrs, extra = {}, []
    if axes:
        since = 13 if op_type == "Sum" else 18
        attrs, extra = attribute_or_input(scope, since, "axes", axes)
    if scope.flag() or not keep:
        attrs["keepdims"] = keep
    bound = {
        "Sum": count * x.bound,
        "L1": count * x.bound,
        "L2": math.sqrt(count) * x.bound,
        "SumSquare": count * x.bound**2,
        "LogSumExp": x.bound + math.log(count),
    }.get(op_type, x.bound)
    error = {
        "Sum": count * x.error,
        "L1": count * x.error,
        "L2": math.sqrt(count) * x.error,
        "SumSquare": 2 * count * x.bound * x.error + count * x.error**2,
    }.get(op_type, x.error)
    make = scope.simple if op_type in ("Max", "Min") else scope.rounded
    make(f"Reduce{op_type}", [x, *extra], shape, bound, error, **attrs)


def integer_sum(scope):
    x = scope.any(dtypes=NUMBERS[2:], ranks=(1, 4), bound=10000)
    attrs, extra = attribute_or_input(scope, 13, "axes", [0])
    bound = x.bound * max(x.shape[0], 1)
    scope.simple("ReduceSum", [x, *extra], x.shape[1:], bound, keepdims=0, **attrs)


def arg_extreme(scope):
    x = scope.any(ranks=(1, 4), full=True, exact=True)
    axis = scope.integer(-x.rank, x.rank - 1)
    keep = scope.integer(0, 1)
    shape = list(x.shape)
    shape[axis % x.rank : axis % x.rank + 1] = [1] * keep
    attrs = {"axis": axis, "keepdims": keep, "select_last_index": scope.integer(0, 1)}
    op_type = scope.one_of(["ArgMax", "ArgMin"])
    scope.simple(op_type, [x], shape, max(x.shape), dtype=INT64, **attrs)


def cumulative_sum(scope):
    x = scope.any(dtypes=(FLOAT32, INT64), ranks=(1, 4), bound=1000)
    axis = scope.integer(-x.rank, x.rank - 1)
    count = max(x.shape[axis], 1)
    make = scope.rounded if x.dtype in FLOATS else scope.simple
    attrs = {"exclusive": scope.integer(0, 1), "reverse": scope.integer(0, 1)}
    inputs = [x, scope.constant(axis)]
    make("CumSum", inputs, bound=count * x.bound, error=count * x.error, **attrs)


def recurrent(scope):
    x = scope.pick(lambda v: True, dtypes=(FLOAT32,), ranks=(3, 3), full=True, bound=8)
    length, batch, size = x.shape
    hidden, op_type = scope.integer(1, 3), scope.one_of(["LSTM", "GRU", "RNN"])
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op_type]
    direction = scope.one_of(["forward", "reverse", "bidirectional"])
    count = 2 if direction == "bidirectional" else 1
    inputs = [
        x,
        scope.weight(FLOAT32, (count, gates * hidden, size), -0.5, 0.5),
        scope.weight(FLOAT32, (count, gates * hidden, hidden), -0.5, 0.5),
    ]
    if scope.flag():
        inputs.append(scope.weight(FLOAT32, (count, 2 * gates * hidden), -1, 1))
    state = (FLOAT32, (count, batch, hidden))
    # Each step turns the state by at most sum|R|, and adds what x brings; errors stay small.
    error = (x.error * size + 1e-5) * 2.0**length
    results = [
        (FLOAT32, (length, count, batch, hidden), 1, error),
        (*state, 1, error),
        *([(*state, length, error * length)] if op_type == "LSTM" else []),
    ]
    if scope.flag():
        results[scope.integer(0, len(results) - 1)] = None
    scope.node(op_type, inputs, results, hidden_size=hidden, direction=direction)


DENSE = (
    *(matmul, matmul, gemm, conv, conv, conv_transpose, pool, pool, global_pool, batch_norm),
    *(layer_norm, instance_norm, softmax, reduction, reduction, integer_sum, arg_extreme),
    *(cumulative_sum, recurrent),
)
