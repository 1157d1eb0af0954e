"""A program that calls every function of the API with arguments of any type.

It ends with status 0 when each call returned, or raised what callers may expect. The state of the
process is of no use afterwards, which is why this is no test by itself.
"""

import array

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ge import _aclop, aclop
from ge.aclop import acl

EXPECTED = (TypeError, ValueError, KeyError, aclop.AclError, OSError)
MODULES = [_aclop, acl, acl.op, acl.rt, acl.util]
SKIPPED = {"fail_with", "is_same_op"}


aclop.init("Ascend310P3")


class Odd:
    """Answers to everything, with nonsense."""

    dtype = "no dtype"
    shape = "no shape"

    def __index__(self):
        return -1

    def __iter__(self):
        return iter([self, None, 3])

    def __len__(self):
        return 2


def is_public(name, value, module):
    return getattr(value, "__module__", "") == module and name not in SKIPPED and name[0] != "_"


def functions():
    """Every function and class of the API by its name."""
    found = {}
    for module in MODULES:
        own = [n for n, value in vars(module).items() if is_public(n, value, module.__name__)]
        for name in getattr(module, "__all__", own):
            if callable(vars(module)[name]):
                found[f"{module.__name__}.{name}"] = vars(module)[name]
    return found


FUNCTIONS = functions()
MEMBERS = {
    kind: [name for name in dir(kind) if name != "__class__"]
    for kind in (aclop.TensorDesc, aclop.Attrs, aclop.CompiledOp)
}


def operator():
    x = aclop.TensorDesc("float16", (2, 3))
    return aclop.compile("Add", [x, x], [x])


def handles():
    """Handles of every kind, some of them destroyed."""
    desc, gone = (acl.create_tensor_desc(1, [2, 3], 2) for _ in range(2))
    acl.destroy_tensor_desc(gone)
    memory, _ = acl.rt.malloc(64, 0)
    freed, _ = acl.rt.malloc(64, 0)
    acl.rt.free(freed)
    handle, _ = acl.op.create_handle("Add", [desc, desc], [desc], 0)
    return [desc, gone, memory, freed, handle, acl.op.create_attr(), acl.rt.create_stream()[0]]


def values():
    """Values of all kinds that functions take, and of kinds that they do not."""
    desc = aclop.TensorDesc("float16", (2, 3))
    array_ = np.ones((2, 3), np.float16)
    held = acl.create_data_buffer(acl.rt.malloc(64, 0)[0], 64)
    simple = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.integers(-3, 20),
        st.floats(),
        st.text(max_size=4),
        st.binary(max_size=4),
        st.sampled_from(["Add", "Relu", "ConcatD", "float16", "int", "list_int"]),
        st.sampled_from([*handles(), held]),
        st.sampled_from(
            [desc, array_, array_.T, array_[::2], np.array("x"), array.array("f", [1])]
        ),
        st.sampled_from([aclop.Attrs(a=1), operator(), _aclop.NULL_POINTER, Odd(), print, Odd]),
        st.sampled_from([aclop.DataType.INT8, aclop.Format.ND, memoryview(b"ab"), 1j, object()]),
    )
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(st.text(max_size=2), inner, max_size=2),
        ),
        max_leaves=4,
    )


NAMES = ["out", "constant", "shape_range", "engine", "flag", "path", "attrs", "refresh", "kind"]


@settings(max_examples=1500, deadline=None, database=None, derandomize=True)
@given(
    st.sampled_from(sorted(FUNCTIONS)),
    st.lists(values(), max_size=9),
    st.dictionaries(st.sampled_from(NAMES), values(), max_size=1),
)
def confuse(name, positional, named):
    try:
        result = FUNCTIONS[name](*positional, **named)
    except EXPECTED:
        return
    use(result, positional)


@settings(max_examples=400, deadline=None, database=None, derandomize=True)
@given(st.data(), st.lists(values(), max_size=4))
def confuse_objects(data, positional):
    made = data.draw(
        st.sampled_from([aclop.TensorDesc("int8", (2,)), aclop.Attrs(a=1, b=[2]), operator()])
    )
    name = data.draw(st.sampled_from(MEMBERS[type(made)]))
    try:
        attribute = getattr(made, name)
        if callable(attribute):
            use(attribute(*positional), positional)
        elif positional:
            setattr(made, name, positional[0])
    except (*EXPECTED, AttributeError, IndexError):
        pass
    use(made, positional)


def use(result, arguments):
    """Use what came out, which must not crash either."""
    repr(result)
    if isinstance(result, aclop.CompiledOp):
        try:
            result(*arguments)
            result.close()
        except EXPECTED:
            pass


if __name__ == "__main__":
    confuse()
    confuse_objects()
