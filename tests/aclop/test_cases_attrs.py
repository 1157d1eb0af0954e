"""Cases C: attributes, and attributes as a part of the key."""

import pytest
from aclop.words import code, d, found, fresh

from ge import aclop
from ge._aclop import compile_only, create_handle
from ge.aclop import Attrs, DataType, acl


def relu(n, attrs):
    """Arguments of a Relu with attributes that it does not know, which are a part of the key."""
    return "Relu", [d(n, 3)], [d(n, 3)], attrs


def look_up(compiled, asked):
    """The code of a look-up with some attributes after a compile with others."""
    n = fresh()
    return found(relu(n, compiled), relu(n, asked))


@pytest.mark.parametrize(
    ("case", "compiled", "asked", "wanted"),
    [
        ("C11", {"a": True}, {"a": True}, 0),
        ("C13", {"a": 1, "b": 2}, {"b": 2, "a": 1}, 0),
        ("C14", {"a": 1.0}, {"a": 1.0000005}, 100024),
        ("C15", {"a": 0.0}, {"a": -0.0}, 0),
        ("C16", {"a": [[1, 2], [3]]}, {"a": [[1], [2, 3]]}, 100024),
        ("C17", {"a": 1}, {"b": 1}, 100024),
        ("C18", {"a": 1}, {"a": True}, 100024),
        ("C19", {"negative_slope": 0.0}, {}, 100024),
    ],
)
def test_look_up(case, compiled, asked, wanted):
    assert look_up(compiled, asked) == wanted


def attr():
    return acl.op.create_attr()


@pytest.mark.parametrize(
    ("case", "call", "wanted"),
    [
        ("C1", lambda: acl.op.set_attr_int(0, "a", 1), 100000),
        ("C2", lambda: acl.op.set_attr_int(attr(), "", 1), 0),
        ("C3", lambda: acl.op.set_attr_string(attr(), "a", "a"), 0),
        ("C6", lambda: acl.op.set_attr_list_int(attr(), "a", []), 0),
        ("C9", lambda: acl.op.set_attr_list_list_int(attr(), "a", []), 0),
        ("C11", lambda: acl.op.set_attr_bool(attr(), "a", 200), 0),
        ("C12", lambda: acl.op.set_attr_data_type(attr(), "a", -1)[1], 0),
        ("C20", lambda: code(compile_only, "ReduceSumD", [d(2, 3)], [d(2)]), 500002),
    ],
)
def test_code(case, call, wanted):
    assert call() == wanted


def test_c3_a_name_that_is_set_again_has_the_new_kind():
    attrs = Attrs(k=1)
    attrs["k"] = "a"
    assert (dict(attrs), attrs.kind("k")) == ({"k": "a"}, "string")


def test_c6_an_empty_list_has_the_kind_that_was_said():
    attrs = Attrs()
    attrs.set("a", [], "list_float")
    assert (attrs["a"], attrs.kind("a")) == ([], "list_float")


def test_c12_undefined_is_stored_as_the_graph_has_it():
    attrs = Attrs(a=DataType.UNDEFINED)
    assert str(attrs) == "{a = 28}"
    assert attrs["a"] is DataType.UNDEFINED


def test_c21_operators_keep_their_attributes():
    attrs = Attrs(a=1)
    arguments = relu(fresh(), attrs)
    operator = aclop.compile(*arguments)
    attrs.clear()
    assert operator.attrs == Attrs(a=1)
    assert code(create_handle, *arguments) == 100024
