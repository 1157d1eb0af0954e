"""Operators that move elements without changing them, and those that look at shapes."""

import math

import numpy as np
from onnx import numpy_helper
from random_graphs.builder import (
    DTYPES,
    FLOATS,
    INT64,
    NUMBERS,
    MisfitError,
    attribute_or_input,
    elem_type,
)


def transpose(scope):
    x = scope.any(dtypes=DTYPES)
    perm = scope.one_of([None, *_permutations(scope, x.rank)])
    if perm is None:
        scope.simple("Transpose", [x], x.shape[::-1])
    else:
        scope.simple("Transpose", [x], [x.shape[i] for i in perm], perm=perm)


def _permutations(scope, rank):
    order = list(range(rank))
    if rank:
        i, j = scope.integer(0, rank - 1), scope.integer(0, rank - 1)
        order[i], order[j] = order[j], order[i]
    return [order] if rank else []


def reshape(scope):
    x = scope.any(dtypes=DTYPES)
    dims, rest = [], x.size
    for _ in range(scope.integer(0, 3)):
        divisors = [d for d in range(1, rest + 1) if rest % d == 0] or [0]
        dims.append(scope.one_of(divisors))
        rest = rest // dims[-1] if dims[-1] else 1
    if rest != 1 or x.size == 0:
        dims.append(0 if x.size == 0 else rest)
    shape, words = list(dims), list(dims)
    if x.size == 0:
        attrs = {"allowzero": 1}
        if scope.root.opset < 14:
            raise MisfitError
    else:
        attrs = {}
        if words and scope.flag():
            words[scope.integer(0, len(words) - 1)] = -1
        if words and x.rank and shape[0] == x.shape[0] and scope.flag():
            words[0] = 0
    scope.simple("Reshape", [x, scope.constant(words)], shape, **attrs)


def flatten(scope):
    x = scope.any(dtypes=DTYPES)
    axis = scope.integer(-x.rank, x.rank)
    split = axis % x.rank if axis < 0 else axis
    shape = (math.prod(x.shape[:split]), math.prod(x.shape[split:]))
    scope.simple("Flatten", [x], shape, axis=axis)


def squeeze(scope):
    x = scope.pick(lambda v: 1 in v.shape, dtypes=DTYPES)
    ones = [i for i, dim in enumerate(x.shape) if dim == 1]
    if scope.integer(0, 3) == 0:
        scope.simple("Squeeze", [x], [dim for dim in x.shape if dim != 1])
        return
    axes = scope.some_of(ones, least=1)
    attrs, extra = attribute_or_input(scope, 13, "axes", axes)
    shape = [dim for i, dim in enumerate(x.shape) if i not in axes]
    scope.simple("Squeeze", [x, *extra], shape, **attrs)


def unsqueeze(scope):
    x = scope.any(dtypes=DTYPES)
    axes = scope.some_of(range(x.rank + 1), least=1, most=2)
    rank = x.rank + len(axes)
    shape, dims = [], iter(x.shape)
    for i in range(rank):
        shape.append(1 if i in axes else next(dims))
    if scope.flag():
        axes = [axis - rank for axis in axes]
    scope.simple("Unsqueeze", [x, scope.constant(axes)], shape)


def concat(scope):
    x = scope.any(dtypes=DTYPES, ranks=(1, 4))
    axis = scope.integer(-x.rank, x.rank - 1)
    parts = [x]
    for _ in range(scope.integer(0, 3)):
        shape = list(x.shape)
        if scope.flag():
            shape[axis] = scope.dim()
        parts.insert(scope.integer(0, len(parts)), scope.operand(x.dtype, shape))
    shape = list(x.shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    bound, error = (max(getattr(p, name) for p in parts) for name in ("bound", "error"))
    scope.simple("Concat", parts, shape, bound, error, axis=axis)


def split(scope):
    x = scope.any(dtypes=DTYPES, ranks=(1, 4))
    axis = scope.integer(-x.rank, x.rank - 1)
    size, attrs, extra = x.shape[axis], {}, []
    divisors = [d for d in range(2, 5) if size % d == 0 and size]
    if scope.flag() and divisors:
        count = scope.one_of(divisors)
        sizes = [size // count] * count
        if scope.root.opset >= 18:
            attrs["num_outputs"] = count
    else:
        first = scope.integer(0, size)
        sizes = [first, size - first]
        if scope.flag():
            sizes.insert(1, 0)
        extra = [scope.constant(sizes)]
    results = []
    for part in sizes:
        shape = list(x.shape)
        shape[axis] = part
        results.append((x.dtype, shape, x.bound, x.error))
    scope.node("Split", [x, *extra], results, axis=axis, **attrs)


def slice_(scope):
    x = scope.any(dtypes=DTYPES, ranks=(1, 4))
    axes = scope.some_of(range(x.rank), least=1)
    starts = [scope.integer(-7, 7) for _ in axes]
    ends = [scope.one_of([2**62, -(2**63), -1, 0, 1, 2, 3, 5]) for _ in axes]
    steps = [scope.one_of([1, 1, 2, -1, -2, 3]) for _ in axes]
    shape = list(x.shape)
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        shape[axis] = len(range(shape[axis])[slice(start, end, step)])
    given = [axis - x.rank if scope.flag() else axis for axis in axes]
    inputs = [x, *(scope.constant(words) for words in (starts, ends, given, steps))]
    scope.simple("Slice", inputs, shape)


def pad(scope):
    x = scope.any(dtypes=NUMBERS, ranks=(1, 4))
    mode = scope.one_of(["constant", "constant", "edge", "reflect"])
    if mode != "constant" and 0 in x.shape:
        raise MisfitError
    low = -1 if mode == "constant" and min(x.shape, default=0) > 1 else 0
    most = 2 if mode == "constant" else min(2, min(x.shape) - 1)
    pads = [scope.integer(low if i < x.rank else 0, max(most, 0)) for i in range(2 * x.rank)]
    shape = [dim + pads[i] + pads[i + x.rank] for i, dim in enumerate(x.shape)]
    inputs = [x, scope.constant(pads)]
    bound = x.bound
    if mode == "constant" and scope.flag():
        inputs.append(scope.leaf(np.array(2, x.dtype), "data"))
        bound = max(bound, 2)
    scope.simple("Pad", inputs, shape, bound, mode=mode)


def _indices(scope, size, shape):
    """Indices, some from the end; constants or an input."""
    rng = np.random.default_rng(scope.integer(0, 999))
    kind = scope.one_of(["data", "input"])
    dtype = scope.one_of([np.int64, np.int32])
    return scope.leaf(rng.integers(-size, size, shape).astype(dtype), kind)


def gather(scope):
    x = scope.pick(lambda v: max(v.shape) > 0, dtypes=DTYPES, ranks=(1, 4))
    axis = scope.one_of([i for i, dim in enumerate(x.shape) if dim])
    indices = _indices(scope, x.shape[axis], scope.shape(0, 2))
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    scope.simple("Gather", [x, indices], shape, axis=scope.one_of([axis, axis - x.rank]))


def gather_elements(scope):
    x = scope.any(dtypes=DTYPES, ranks=(1, 4), full=True)
    axis = scope.integer(0, x.rank - 1)
    shape = [
        scope.integer(0, 4) if i == axis else scope.integer(1, d) for i, d in enumerate(x.shape)
    ]
    scope.simple("GatherElements", [x, _indices(scope, x.shape[axis], shape)], shape, axis=axis)


def gather_nd(scope):
    x = scope.any(dtypes=DTYPES, ranks=(1, 4), full=True)
    depth = scope.integer(1, x.rank)
    count = scope.integer(0, 3)
    rng = np.random.default_rng(scope.integer(0, 999))
    rows = rng.integers([-d for d in x.shape[:depth]], x.shape[:depth], (count, depth))
    indices = scope.leaf(rows, scope.one_of(["data", "input"]))
    scope.simple("GatherND", [x, indices], (count, *x.shape[depth:]))


def scatter_elements(scope):
    x = scope.any(dtypes=NUMBERS, ranks=(1, 3), full=True)
    axis = scope.integer(0, x.rank - 1)
    shape = list(x.shape)
    shape[axis] = scope.integer(1, x.shape[axis])
    order = np.random.default_rng(scope.integer(0, 999)).permutation(x.shape[axis])[: shape[axis]]
    # Different along the axis, so that no element is written twice.
    lines = order.reshape([-1 if i == axis else 1 for i in range(x.rank)])
    indices = scope.leaf(np.broadcast_to(lines, shape).copy(), scope.one_of(["data", "input"]))
    updates = scope.operand(x.dtype, shape)
    bound, error = max(x.bound, updates.bound), max(x.error, updates.error)
    scope.simple("ScatterElements", [x, indices, updates], None, bound, error, axis=axis)


def scatter_nd(scope):
    x = scope.any(dtypes=NUMBERS, ranks=(1, 3), full=True)
    rows = np.random.default_rng(scope.integer(0, 999)).permutation(x.shape[0])
    rows = rows[: scope.integer(1, x.shape[0])].reshape(-1, 1)
    indices = scope.leaf(rows, scope.one_of(["data", "input"]))
    updates = scope.operand(x.dtype, (len(rows), *x.shape[1:]))
    bound, error = max(x.bound, updates.bound), max(x.error, updates.error)
    scope.simple("ScatterND", [x, indices, updates], None, bound, error)


def expand(scope):
    x = scope.any(dtypes=DTYPES, ranks=(0, 3))
    words = [scope.one_of([1, dim]) if dim != 1 else scope.dim() for dim in x.shape]
    words = [scope.dim() for _ in range(scope.integer(0, 1))] + words
    shape = np.broadcast_shapes(x.shape, tuple(words))
    scope.simple("Expand", [x, scope.constant(words)], shape)


def tile(scope):
    x = scope.any(dtypes=NUMBERS, ranks=(1, 4))
    repeats = [scope.integer(0, 3) for _ in x.shape]
    shape = [dim * count for dim, count in zip(x.shape, repeats, strict=True)]
    scope.simple("Tile", [x, scope.constant(repeats)], shape)


def top_k(scope):
    x = scope.any(dtypes=(FLOATS[0], INT64), ranks=(1, 4), full=True, exact=True)
    axis = scope.integer(-x.rank, x.rank - 1)
    k = scope.integer(0, x.shape[axis])
    shape = list(x.shape)
    shape[axis] = k
    results = [(x.dtype, shape, x.bound, x.error), (INT64, shape, x.shape[axis], 0)]
    attrs = {"axis": axis, "largest": scope.integer(0, 1)}
    scope.node("TopK", [x, scope.constant([k])], results, **attrs)


def depth_to_space(scope):
    x = scope.pick(lambda v: v.shape[1] % 4 == 0 and v.shape[1], dtypes=FLOATS[:1], ranks=(4, 4))
    n, c, h, w = x.shape
    mode = scope.one_of(["DCR", "CRD"])
    scope.simple("DepthToSpace", [x], (n, c // 4, h * 2, w * 2), blocksize=2, mode=mode)


def shape_of(scope):
    x = scope.any(dtypes=DTYPES)
    sizes = scope.simple("Shape", [x], (x.rank,), max(x.shape, default=0), 0, INT64)
    if scope.flag() and x.rank and x.size:
        y = scope.operand(x.dtype, (x.size,))
        scope.simple("Reshape", [y, sizes], x.shape)
    elif scope.flag() and x.rank and x.size:
        scope.simple("Expand", [scope.new(x.dtype, (1,)), sizes], x.shape, 4, 0)


def filled(scope):
    shape = scope.shape(0, 3)
    array = np.array([1], scope.one_of(DTYPES))
    value = numpy_helper.from_array(array)
    sizes = scope.constant(list(shape))
    scope.simple("ConstantOfShape", [sizes], shape, 1, 0, array.dtype, value=value)


def one_hot(scope):
    indices = _indices(scope, 4, scope.shape(1, 2))
    if indices.dtype != INT64:
        raise MisfitError
    depth, values = scope.constant(4), scope.leaf(np.array([0.5, 2], np.float32), "data")
    shape = (*indices.shape, 4)
    scope.simple("OneHot", [indices, depth, values], shape, 2, 0, np.float32)


def trilu(scope):
    x = scope.any(dtypes=(FLOATS[0], INT64), ranks=(2, 4))
    if scope.root.opset < 14:
        raise MisfitError
    inputs = [x, scope.constant(scope.integer(-2, 2))] if scope.flag() else [x]
    scope.simple("Trilu", inputs, upper=scope.integer(0, 1))


def cast_back(scope):
    """A cast to a wider type and back."""
    x = scope.any(dtypes=(FLOATS[0], NUMBERS[3]))
    wide = np.dtype(np.float64 if x.dtype in FLOATS else np.int64)
    widened = scope.simple("Cast", [x], dtype=wide, to=elem_type(wide))
    scope.simple("Cast", [widened], dtype=x.dtype, to=elem_type(x.dtype))


MOVEMENT = (
    *(transpose, reshape, reshape, flatten, squeeze, unsqueeze, concat, concat, split, slice_),
    *(slice_, pad, gather, gather, gather_elements, gather_nd, scatter_elements, scatter_nd),
    *(expand, tile, top_k, depth_to_space, shape_of, filled, one_hot, trilu, cast_back),
)
