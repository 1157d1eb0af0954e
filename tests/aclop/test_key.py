"""What operators are found by: hashes as the C API has them, and which operators are the same."""

import json
from pathlib import Path

import pytest
from aclop.op_strategies import (
    ATTRS,
    DESCS,
    KEY_FIELDS,
    KINDS,
    OPS,
    OTHER_FIELDS,
    made_attrs,
    made_op,
)
from hypothesis import given
from hypothesis import strategies as st

from ge._aclop import attrs_hash, is_same_op, op_hash
from ge.aclop import Attrs, TensorDesc

HASHES = json.loads((Path(__file__).parents[1] / "data" / "aclop_hashes.json").read_text())
GOLDEN, BITS = 0x9E3779B9, 2**64 - 1


def attrs_of(*rows):
    attrs = Attrs()
    for i, (kind, value) in enumerate(rows):
        attrs.set(f"name{i}", value, kind)
    return attrs


@pytest.mark.parametrize(("kind", "value", "wanted"), HASHES["attrs"])
def test_hash_of_an_attribute(kind, value, wanted):
    assert attrs_hash(attrs_of((kind, value))) == wanted


def test_hashes_of_attributes_follow_each_other():
    rows = [(kind, value) for kind, value, _ in HASHES["chain"]]
    for count, (_, _, wanted) in enumerate(HASHES["chain"], 1):
        assert attrs_hash(attrs_of(*rows[:count])) == wanted
    assert attrs_hash(Attrs()) == attrs_hash(attrs_of(("list_int", []))) == 0


@pytest.mark.parametrize("op", HASHES["ops"])
def test_hash_of_an_operator(op):
    def descs(rows):
        return [
            TensorDesc(**row | {"constant": bytes.fromhex(row.get("constant", "")) or None})
            for row in rows
        ]

    made = op["type"], descs(op["inputs"]), descs(op["outputs"]), op.get("attrs")
    assert op_hash(*made, op.get("sequence")) == op["hash"]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=6))
def test_hash_of_integers(values):
    seed = 0
    for value in values:
        seed ^= ((value & BITS) + GOLDEN + (seed << 6) + (seed >> 2)) & BITS
    assert attrs_hash(attrs_of(("list_int", values))) == seed


@given(OPS, st.data())
def test_equal_operators_are_the_same(op, data):
    order = data.draw(st.permutations(sorted(op[3])))
    first, second = made_op(op), made_op(op, order)
    assert is_same_op(first, second)
    assert is_same_op(second, first)
    assert op_hash(*first) == op_hash(*second)


@given(OPS, st.data())
def test_what_is_not_in_the_key_does_not_count(op, data):
    first, second = made_op(op), made_op(op)
    for desc in second[1] + second[2]:
        for name, values in OTHER_FIELDS.items():
            setattr(desc, name, data.draw(values))
    assert is_same_op(first, second)
    assert op_hash(*first) == op_hash(*second)


@given(OPS, DESCS, st.data())
def test_one_other_field_makes_another_operator(op, fields, data):
    name = data.draw(st.sampled_from(sorted(KEY_FIELDS)))
    value = data.draw(KEY_FIELDS[name].filter(lambda v: v != fields[name]))
    side = data.draw(st.sampled_from([1, 2]))
    with_it, changed = ([*op[side], fields | change] for change in ({}, {name: value}))
    first = made_op((*op[:side], with_it, *op[side + 1 :]))
    second = made_op((*op[:side], changed, *op[side + 1 :]))
    assert not is_same_op(first, second)
    assert not is_same_op(second, first)


@given(OPS, ATTRS, st.data())
def test_one_other_attribute_makes_another_operator(op, attrs, data):
    kind, other_kind = data.draw(st.tuples(*[st.sampled_from(sorted(KINDS))] * 2))
    value = data.draw(KINDS[kind])
    other = data.draw(KINDS[other_kind].filter(lambda v: other_kind != kind or differ(v, value)))
    op_type, inputs, outputs, _ = made_op(op)
    changes = [{"n": (other_kind, other)}, {"renamed": (kind, value)}, {}]
    first = op_type, inputs, outputs, made_attrs({**attrs, "n": (kind, value)})
    for change in changes:
        second = op_type, inputs, outputs, made_attrs({**attrs, **change})
        assert not is_same_op(first, second)
        assert not is_same_op(second, first)


def differ(a, b):
    """Whether two values of one kind differ by more than floats may."""
    if isinstance(a, float):
        return abs(a - b) > 1e-6 and abs(a) != abs(b)
    if isinstance(a, list) and all(isinstance(x, float) for x in [*a, *b]):
        return len(a) != len(b) or any(differ(x, y) for x, y in zip(a, b, strict=True))
    return a != b


@given(st.floats(width=32), st.floats(width=32))
def test_floats_are_equal_within_a_millionth_but_not_across_infinity(a, b):
    wanted = (
        (a != a and b != b)
        or (abs(a) == abs(b) == float("inf"))
        or (abs(a) != float("inf") and abs(b) != float("inf") and abs(a - b) <= 1e-6)
    )
    first, second = ("Foo", [], [], Attrs(a=a)), ("Foo", [], [], Attrs(a=b))
    assert is_same_op(first, second) == wanted
