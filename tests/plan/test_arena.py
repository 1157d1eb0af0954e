"""The memory plan: tensors that are alive together never share a byte."""

from hypothesis import given
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
