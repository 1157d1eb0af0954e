"""The memory plan: tensors that are alive together never share a byte."""

import itertools
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ge import _testing

ALIGN = 512


def aligned(size):
    return -(-size // ALIGN) * ALIGN


@st.composite
def claims(draw):
    spans = draw(
        st.lists(
            st.tuples(st.integers(0, 40), st.integers(0, 15), st.integers(0, 5000)), max_size=40
        )
    )
    return [(first, first + length, size) for first, length, size in spans]


def lower_bound(claims):
    """The most bytes that are alive at one step: no plan can do with less."""
    steps = range(max((last for _, last, _ in claims), default=0) + 1)
    return max(sum(aligned(s) for f, e, s in claims if f <= step <= e) for step in steps)


@given(claims(), st.booleans())
def test_tensors_alive_together_never_share_bytes(claims, reuse):
    offsets, size = _testing.plan_claims(claims, reuse=reuse)
    for i, (first, last, nbytes) in enumerate(claims):
        assert offsets[i] % ALIGN == 0
        assert offsets[i] + nbytes <= size
        for j in range(i):
            apart_in_time = reuse and (claims[j][1] < first or last < claims[j][0])
            apart_in_space = (
                offsets[j] + claims[j][2] <= offsets[i] or offsets[i] + nbytes <= offsets[j]
            )
            assert apart_in_time or apart_in_space


@given(claims())
def test_reuse_lies_between_the_live_bytes_and_no_reuse(claims):
    _, size = _testing.plan_claims(claims)
    _, without = _testing.plan_claims(claims, reuse=False)
    assert lower_bound(claims) <= size <= without


def test_without_reuse_every_tensor_has_its_own_bytes():
    offsets, size = _testing.plan_claims([(0, 0, 1), (1, 1, 513), (2, 2, 0)], reuse=False)
    assert (offsets, size) == ([0, 512, 1536], 1536)


def test_a_chain_needs_two_buffers():
    _, size = _testing.plan_claims([(step, step + 1, 1000) for step in range(10_000)])
    assert size == 2 * 1024


def test_equal_claims_give_equal_plans():
    claims = [(i % 7, i % 7 + i % 5, 100 * (i % 11)) for i in range(200)]
    assert _testing.plan_claims(claims) == _testing.plan_claims(claims)


def smallest_arena(claims):
    """Tries all orders of placing each claim at the lowest offset that is free for it."""

    def arena(order):
        placed = []
        for first, last, size in order:
            beside = [p for p in placed if p[0] <= last and first <= p[1]]
            offset = 0
            for _, _, begin, end in sorted(beside, key=lambda p: p[2:]):
                if begin >= offset + aligned(size):
                    break
                offset = max(offset, end)
            placed.append((first, last, offset, offset + aligned(size)))
        return max((end for *_, end in placed), default=0)

    return min(map(arena, itertools.permutations(claims)))


small_sets = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 4), st.integers(0, 4)), max_size=6
).map(lambda rows: [(first, first + length, ALIGN * size) for first, length, size in rows])


# The bound is 4 blocks, the smallest arena 5.
ABOVE_THE_BOUND = [
    (first, last, ALIGN * size)
    for first, last, size in [
        (3, 5, 1),
        (5, 5, 3),
        (0, 1, 3),
        (0, 3, 1),
        (2, 4, 1),
        (2, 2, 2),
        (4, 4, 2),
    ]
]


@given(small_sets)
@example(ABOVE_THE_BOUND)
def test_the_arena_of_a_few_tensors_is_the_smallest_there_is(claims):
    assert _testing.plan_claims(claims)[1] == smallest_arena(claims)


def cut(rng, left, right, bottom, top, pieces):
    """Cut a rectangle of steps and blocks into claims that fill it."""
    if pieces > 1:
        for by_step in rng.sample([True, False], 2):
            low, high = (left, right) if by_step else (bottom, top)
            if high - low < 2:
                continue
            at = rng.randrange(low + 1, high)
            first = pieces // 2
            if by_step:
                halves = [(left, at, bottom, top), (at, right, bottom, top)]
            else:
                halves = [(left, right, bottom, at), (left, right, at, top)]
            return [
                claim
                for half, count in zip(halves, (first, pieces - first), strict=True)
                for claim in cut(rng, *half, count)
            ]
    return [(left, right - 1, ALIGN * (top - bottom))]


@pytest.mark.parametrize("pieces", [8, 16, 40, 100])
@pytest.mark.parametrize("seed", range(5))
def test_a_filled_arena_is_found_again_or_nearly(pieces, seed):
    claims = cut(random.Random(seed), 0, 60, 0, 40, pieces)
    random.Random(seed).shuffle(claims)
    _, size = _testing.plan_claims(claims)
    assert lower_bound(claims) == 40 * ALIGN
    assert size <= 1.03 * 40 * ALIGN
