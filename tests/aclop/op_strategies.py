"""Hypothesis strategies for descriptions, attributes and operators, as plain Python values."""

from hypothesis import strategies as st

from ge.aclop import Attrs, DataType, TensorDesc

INT64 = st.integers(-(2**63), 2**63 - 1)
INT32 = st.integers(-(2**31), 2**31 - 1)
NAMES = st.text("abcxyz_é", max_size=6)
FLOATS = st.floats(width=32, allow_nan=False)
DTYPES = st.sampled_from(sorted(set(DataType) - {DataType.UNDEFINED}))

SCALARS = {
    "bool": st.booleans(),
    "int": INT64,
    "float": FLOATS,
    "string": NAMES,
    "data_type": DTYPES,
}
KINDS = {
    **SCALARS,
    **{f"list_{kind}": st.lists(values, max_size=3) for kind, values in SCALARS.items()},
    "list_list_int": st.lists(st.lists(INT64, max_size=3), max_size=3),
}
ATTRS = st.dictionaries(
    NAMES,
    st.sampled_from(sorted(KINDS)).flatmap(lambda kind: st.tuples(st.just(kind), KINDS[kind])),
    max_size=4,
)

RANGES = st.lists(st.tuples(INT64, st.none() | st.integers(0, 2**63 - 1)), max_size=4)
# Fields of a description that are a part of the key, in the order of the constructor.
KEY_FIELDS = {
    "dtype": INT32,
    "dims": st.lists(INT64, max_size=6).map(tuple),
    "format": INT32,
    "storage_format": INT32,
    "shape_range": RANGES.map(tuple),
    "placement": INT32,
    "constant": st.none() | st.binary(min_size=1, max_size=5),
}
OTHER_FIELDS = {
    "name": NAMES,
    "dynamic_input": NAMES,
    "storage_dims": st.lists(INT64, max_size=6).map(tuple),
    "value_range": RANGES.map(tuple),
}
DESCS = st.fixed_dictionaries(KEY_FIELDS)
# type, inputs, outputs, attributes
OPS = st.tuples(NAMES, st.lists(DESCS, max_size=3), st.lists(DESCS, max_size=2), ATTRS)


def made_desc(fields):
    return TensorDesc(**fields)


def made_attrs(values, order=None):
    attrs = Attrs()
    for name in order or values:
        kind, value = values[name]
        attrs.set(name, value, kind)
    return attrs


def made_op(op, order=None):
    """The arguments of a call; `order` is that in which attributes are set."""
    op_type, inputs, outputs, attrs = op
    return (
        op_type,
        [made_desc(fields) for fields in inputs],
        [made_desc(fields) for fields in outputs],
        made_attrs(attrs, order),
    )
