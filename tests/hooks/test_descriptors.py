"""What operator functions get: dictionaries of tensors, values of attributes."""

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from ge._operators import _descriptors

# python-hooks: what is in every dictionary.
ALWAYS = {
    *("shape", "ori_shape", "format", "ori_format", "sub_format", "dtype"),
    *("addr_type", "ddr_base_prop", "total_shape", "slice_offset", "valid_shape"),
    *("L1_addr_offset", "L1_fusion_type", "L1_workspace_size", "L1_addr_flag", "L1_valid_size"),
    *("split_index", "atomic_type", "input_c_values", "is_input_const"),
}
dims = st.lists(st.integers(-1, 9), max_size=5)
dtypes = st.sampled_from(["float16", "float32", "int8", "bool", "int64", "bfloat16"])


def row(shape, dtype, **more):
    return {"shape": shape, "dtype": dtype, "format": "ND", "ori_format": "NCHW", **more}


@given(shape=dims | st.just([-2]), dtype=dtypes, as_int8=st.booleans())
def test_every_tensor_has_the_same_keys(shape, dtype, as_int8):
    found = _descriptors.describe(row(shape, dtype), bool_as_int8=as_int8)
    assert found.keys() >= ALWAYS
    assert found["shape"] == found["ori_shape"] == tuple(shape)
    assert (found["format"], found["ori_format"]) == ("ND", "NCHW")
    assert found["dtype"] == ("int8" if dtype == "bool" and as_int8 else dtype)
    assert ("range" in found) == any(dim < 0 for dim in shape)


@given(shape=dims.filter(lambda shape: -1 in shape))
def test_range_of_every_dim_holds_it(shape):
    found = _descriptors.describe(row(shape, "float16"), bool_as_int8=True)
    assert len(found["range"]) == len(shape)
    for dim, (low, high) in zip(shape, found["range"], strict=True):
        assert (low, high) == ((dim, dim) if dim >= 0 else (0, None))


def test_open_end_of_a_range_is_none():
    given_row = row([-1, -1], "float16", range=[[1, -1], [2, 8]])
    found = _descriptors.describe(given_row, bool_as_int8=True)
    assert found["range"] == found["ori_range"] == ((1, None), (2, 8))


numbers = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(
    pair=st.tuples(st.just("int"), numbers)
    | st.tuples(st.just("bool"), st.booleans())
    | st.tuples(st.just("str"), st.text())
    | st.tuples(st.just("float"), floats)
    | st.tuples(st.just("listInt"), st.lists(numbers))
    | st.tuples(st.just("listFloat"), st.lists(floats))
    | st.tuples(st.just("listListInt"), st.lists(st.lists(numbers)))
)
def test_attribute_and_the_same_as_a_default_are_one_value(pair):
    kind, value = pair
    text = value if kind == "str" else json.dumps(value)
    found = _descriptors.argument({"type": kind, "value": value})
    assert found == _descriptors.argument({"type": kind, "default": text})
    assert type(found) is (tuple if kind.startswith("list") else type(value))
    assert json.loads(json.dumps(found)) == value


def test_numbers_that_json_has_not():
    for text, value in (("inf", math.inf), ("-inf", -math.inf)):
        assert _descriptors.argument({"type": "float", "value": text}) == value
    assert math.isnan(_descriptors.argument({"type": "float", "value": "nan"}))
