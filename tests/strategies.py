"""Hypothesis strategies that the operator, planner and front-end tests share."""

import ml_dtypes
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SIGNED = tuple(np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64))
UNSIGNED = tuple(np.dtype(t) for t in (np.uint8, np.uint16, np.uint32, np.uint64))
INTEGERS = SIGNED + UNSIGNED
BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = tuple(np.dtype(t) for t in (np.float16, np.float32, np.float64))
NUMBERS = INTEGERS + FLOATS


# For tests that there are many of, each of which compiles a model per example.
few = settings(max_examples=settings.default.max_examples // 5)


def shapes(min_rank=0, max_rank=4, min_dim=0, max_dim=4):
    """Static shapes as tuples."""
    return st.lists(st.integers(min_dim, max_dim), min_size=min_rank, max_size=max_rank).map(tuple)


@st.composite
def broadcastable(draw, count=2, max_rank=4, max_dim=4):
    """``count`` shapes that broadcast to one another as in NumPy; dims of 0 are among them."""
    result = draw(shapes(max_rank=max_rank, max_dim=max_dim))
    operands = []
    for _ in range(count):
        kept = draw(st.integers(0, len(result)))
        dims = result[len(result) - kept :]
        ones = draw(st.lists(st.booleans(), min_size=kept, max_size=kept))
        operands.append(tuple(1 if one else dim for dim, one in zip(dims, ones, strict=True)))
    return operands


def elements(dtype, low=None, high=None, special=False):
    """Single values: integers of the whole range of ``dtype`` or floats in [-8, 8], or in
    [low, high]; ``special`` adds NaN, infinities, signed zeros and halves."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return st.booleans()
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        lowest = info.min if low is None else max(int(low), info.min)
        highest = info.max if high is None else min(int(high), info.max)
        return st.one_of(
            st.integers(lowest, highest), st.integers(max(lowest, -5), min(highest, 5))
        )
    values = st.floats(-8 if low is None else low, 8 if high is None else high, width=16)
    if special:
        rare = [np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5]
        values = st.one_of(values, st.sampled_from(rare))
    return values


@st.composite
def arrays(draw, dtype, shape, low=None, high=None, special=False):
    """Arrays of ``dtype`` and ``shape`` (a tuple or a strategy), bfloat16 included."""
    dtype = np.dtype(dtype)
    shape = draw(shape) if isinstance(shape, st.SearchStrategy) else shape
    plain = np.dtype(np.float32) if dtype == BF16 else dtype
    array = draw(hnp.arrays(plain, shape, elements=elements(dtype, low, high, special)))
    return array.astype(dtype)


def axis_of(rank):
    """An axis of a tensor of ``rank`` >= 1, counted from either end."""
    return st.integers(-rank, rank - 1)


def axis_lists(rank, min_size=0):
    """Distinct axes of a tensor of ``rank``, each counted from either end, in any order."""
    if rank == 0:
        return st.just([])
    sides = st.lists(st.booleans(), min_size=rank, max_size=rank)
    distinct = st.lists(st.integers(0, rank - 1), min_size=min_size, max_size=rank, unique=True)
    return st.builds(lambda axes, back: [a - rank if back[a] else a for a in axes], distinct, sides)


@st.composite
def hidden_dims(draw, inputs, keep=()):
    """What the compiler is not told about ``inputs``: index to axes, or to None for the rank.

    Inputs in ``keep`` (constants) and those left out stay as they are.
    """
    hidden = {}
    for i, array in enumerate(inputs):
        if array is None or i in keep:
            continue
        kind = draw(st.sampled_from(["known", "dims", "rank"]))
        if kind == "rank":
            hidden[i] = None
        elif kind == "dims" and array.ndim:
            axes = st.lists(st.integers(0, array.ndim - 1), min_size=1, unique=True)
            hidden[i] = tuple(draw(axes))
    return hidden
