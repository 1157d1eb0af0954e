"""Properties of descriptions and attributes: what is set comes back, in memory of its own."""

import array
import math

import numpy as np
import pytest
from aclop.op_strategies import ATTRS, INT64, KEY_FIELDS, OTHER_FIELDS, made_attrs
from hypothesis import given
from hypothesis import strategies as st

from ge._aclop import data_type_size
from ge.aclop import Attrs, DataType, TensorDesc, acl


@given(st.fixed_dictionaries({**KEY_FIELDS, **OTHER_FIELDS}))
def test_getters_return_what_was_set(fields):
    desc = TensorDesc(**fields)
    assert {name: getattr(desc, name) for name in fields} == fields
    assert desc == desc.copy() == TensorDesc(**fields)


@given(st.fixed_dictionaries({**KEY_FIELDS, **OTHER_FIELDS}), st.data())
def test_one_other_field_makes_descriptions_unequal(fields, data):
    name = data.draw(st.sampled_from(sorted(fields)))
    other = data.draw({**KEY_FIELDS, **OTHER_FIELDS}[name].filter(lambda v: v != fields[name]))
    desc = TensorDesc(**fields)
    changed = desc.copy()
    setattr(changed, name, other)
    assert changed != desc
    assert getattr(desc, name) == fields[name]


@given(st.lists(INT64, max_size=5), st.integers(-1, 45))
def test_size_is_the_product_and_0_beyond_64_bits(dims, dtype):
    elements = 0 if any(dim < 0 for dim in dims) else math.prod(dims)
    elements = elements if elements < 2**64 else 0
    nbytes = elements * data_type_size(dtype)
    desc = TensorDesc(dtype, dims)
    assert desc.elements == elements
    assert desc.nbytes == (nbytes if nbytes < 2**64 else 0)


@given(st.lists(st.integers(-3, 40), max_size=5))
def test_both_forms_of_the_api_agree(dims):
    desc, handle = TensorDesc(1, dims), acl.create_tensor_desc(1, dims, 2)
    assert acl.get_tensor_desc_size(handle) == desc.nbytes
    assert acl.get_tensor_desc_num_dims(handle) == (2**64 - 2 if desc.rank is None else desc.rank)
    assert [acl.get_tensor_desc_dim(handle, i) for i in range(len(dims))] == dims
    acl.destroy_tensor_desc(handle)


@given(ATTRS)
def test_attributes_come_back_with_value_and_kind(values):
    attrs = made_attrs(values)
    assert dict(attrs) == {name: value for name, (_, value) in values.items()}
    assert {name: attrs.kind(name) for name in attrs} == {
        n: kind for n, (kind, _) in values.items()
    }
    assert list(attrs) == sorted(values, key=str.encode)
    assert attrs == attrs.copy() == made_attrs(values, sorted(values))


@given(ATTRS, st.data())
def test_attributes_are_a_mapping(values, data):
    attrs, wanted = made_attrs(values), {name: value for name, (_, value) in values.items()}
    for name in data.draw(st.permutations(sorted(values))):
        assert (name in attrs, attrs.get(name)) == (True, wanted[name])
        assert attrs.pop(name) == wanted.pop(name)
        assert (name in attrs, attrs.get(name, 5), len(attrs)) == (False, 5, len(wanted))
    with pytest.raises(KeyError):
        attrs["a"]
    with pytest.raises(KeyError):
        del attrs["a"]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "bool"),
        (np.bool_(True), "bool"),
        (1, "int"),
        (np.int8(1), "int"),
        (1.0, "float"),
        (np.float16(1), "float"),
        ("a", "string"),
        (DataType.INT8, "data_type"),
        ([], "list_int"),
        ((1, 2), "list_int"),
        (np.array([1, 2]), "list_int"),
        (array.array("f", [1]), "list_float"),
        ([1, 2.5], "list_float"),
        ([True], "list_bool"),
        (["a"], "list_string"),
        ([DataType.INT8], "list_data_type"),
        ([[1], []], "list_list_int"),
        (np.zeros((2, 2), int), "list_list_int"),
    ],
)
def test_kind_of_a_value(value, kind):
    assert Attrs(a=value).kind("a") == kind


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (None, TypeError),
        ({}, TypeError),
        ([1, "a"], TypeError),
        ([None], TypeError),
        (1j, TypeError),
        (2**63, ValueError),
        ([-(2**63) - 1], ValueError),
        (1e300, ValueError),
        ("a\0b", ValueError),
        ("\ud800", ValueError),
    ],
)
def test_values_that_no_attribute_can_have(value, error):
    attrs = Attrs(a=1)
    with pytest.raises(error):
        attrs["a"] = value
    assert dict(attrs) == {"a": 1}
