"""Cases A and B: what compiling checks, in which order, and what finds an operator again."""

import numpy as np
import pytest
from aclop.words import (
    HOST,
    HOST_INDEPENDENT,
    NULL,
    built,
    code,
    compile_code,
    d,
    found,
    fresh,
)

from ge import aclop
from ge._aclop import compile_only
from ge.aclop import Attrs, CompileOpt, TensorDesc


def add(x1=None, x2=None, y=None, op_type="Add", **kwargs):
    """The code of compiling Add; what is not given is a float16 tensor [2,3]."""
    descs = [d(2, 3) if desc is None else desc for desc in (x1, x2, y)]
    return compile_code(op_type, descs[:2], descs[2:], **kwargs)


def same(n, **fields):
    """Arguments of an Add whose first input has these fields too."""
    return "Add", [d(n, 3, **fields), d(n, 3)], [d(n, 3)]


def tile(multiples, n):
    """Arguments of a Tile with a constant of float16 [1,n]; None: with an input instead."""
    count = d(2, dtype="int32")
    if multiples is not None:
        count.constant = np.array(multiples, np.int32)
    return "Tile", [d(1, n), count], [d(1, 2 * n)]


def absent_bias(third):
    """Arguments of a Conv2D whose third input is `third`."""
    x, w = d(1, 1, 4, 4, format=0), d(1, 1, 1, 1, format=0)
    attrs = {"strides": [1, 1, 1, 1], "pads": [0, 0, 0, 0]}
    return "Conv2D", [x, w, *third], [d(1, 1, 4, 4, format=0)], attrs


def concat(*names):
    """The code of compiling ConcatD with these dynamic names, which are not in the key."""
    n = fresh()
    inputs = [d(1, n, dynamic_input=name) for name in names]
    return compile_code("ConcatD", inputs, [d(len(names), n)], {"concat_dim": 0})


def test_a1_a2_the_same_operator_is_built_once():
    arguments = same(fresh())
    assert built(compile_only, *arguments) == 1
    assert built(compile_only, *arguments) == 0


@pytest.mark.parametrize(
    ("case", "call", "wanted"),
    [
        ("A6", lambda: add(flag=2), 200001),
        ("A6", lambda: add(flag=-1), 200001),
        ("A7", lambda: add(flag=2, op_type=NULL), 200001),
        ("A8", lambda: add(op_type=NULL), 100000),
        ("A10", lambda: add(x2=NULL), 100000),
        ("A11", lambda: compile_code("Add", [], [d(2, 3)]), 500002),
        ("A12", lambda: add(y=NULL), 100000),
        ("A13", lambda: add(d(2, 3, placement=HOST)), 200001),
        ("A14", lambda: add(y=d(2, 3, placement=HOST_INDEPENDENT)), 200001),
        ("A15", lambda: add(d(2, 3, placement=HOST, constant=bytes(12))), 0),
        ("A16", lambda: add(flag=1), 100000),
        ("A17", lambda: add(path="/nonexistent"), 0),
        ("A18", lambda: compile_code(*same(fresh()), engine=9), 500002),
        ("A19", lambda: found((*same(5), None), (*same(5), Attrs())), 0),
        ("A20", lambda: add(op_type=""), 500002),
        ("A21", lambda: add(op_type="NoSuchOp"), 500002),
        ("A22", lambda: compile_code("Add", [d(2, 3)], [d(2, 3)]), 500002),
        ("B1", lambda: add(d(-1, 3)), 100000),
        ("B2", lambda: add(d(-1, 3, shape_range=[(1, 16)])), 100000),
        ("B3", lambda: add(d(-1, 3, shape_range=[(1, 16), (3, 3)]), y=d(-1, 3)), 0),
        # An operator for every rank would be found by other tests, too: hence the attribute.
        ("B4", lambda: compile_code("Relu", [d(-2)], [d(-2)], {"b": 4}), 0),
        ("B5", lambda: compile_code("Relu", [d(-2, shape_range=[(1, 2)])], [d(-2)]), 100000),
        ("B6", lambda: add(d(2, 3, shape_range=[(1, 2)] * 5)), 0),
        ("B6", lambda: found(same(7, shape_range=[(1, 9)] * 5), same(7)), 100024),
        ("B7", lambda: add(y=d(-1, 3)), 0),
        ("B8", lambda: add(*[d(3, -2)] * 3), 500002),
        ("B9", lambda: compile_code(*absent_bias([None])), 0),
        ("B9", lambda: compile_code(*absent_bias([TensorDesc.absent()])), 0),
        ("B10", lambda: compile_code(*absent_bias([NULL])), 100000),
        ("B11", lambda: found(absent_bias([None]), absent_bias([])), 100024),
        ("B12", lambda: found(tile((1, 2), 2), tile((1, 2), 2)), 0),
        ("B13", lambda: found(tile((1, 2), 3), tile((2, 1), 3)), 100024),
        ("B14", lambda: found(tile((1, 2), 4), tile(None, 4)), 100024),
        ("B15", lambda: code(d, 2, constant=b""), 100000),
        ("B17", lambda: concat("x", "x", "x"), 0),
        ("B18", lambda: concat("x", "x", "y", "x"), 100000),
        ("B19", lambda: concat("x", "", "x"), 100000),
        ("B22", lambda: found(same(8, storage_format=29), same(8)), 100024),
        ("B23", lambda: found(same(9, storage_dims=(27,)), same(9, storage_dims=(3, 9))), 0),
        ("B24", lambda: found(same(10, name="first"), same(10, name="second")), 0),
    ],
)
def test_code(case, call, wanted):
    assert call() == wanted


def test_a23_options_are_not_part_of_the_key():
    arguments = same(fresh())
    compile_only(*arguments)
    aclop.set_compile_option(CompileOpt.OP_DEBUG_LEVEL, "1")
    assert built(compile_only, *arguments) == 0


def test_a24_no_soc_is_a_failure_that_stays(fresh_process):
    codes = fresh_process(
        """
        print(compile_code("Add", [d(2, 3)] * 2, [d(2, 3)]))
        print(code(aclop.set_compile_option, 0, "origin"))
        print(compile_code("Add", [d(2, 3)] * 2, [d(2, 3)]))
        """,
        ASCEND_SOC_VERSION=None,
    )
    assert codes == ["500001"] * 3


def test_b16_constants_are_copied():
    values = np.array([1, 2], np.int32)
    desc = d(2, dtype="int32", constant=values)
    values[:] = 7
    assert desc.constant == np.array([1, 2], np.int32).tobytes()


@pytest.mark.parametrize(
    ("case", "names"), [("B17", "xxx"), ("B20", " xx "), ("B21", "xy")], ids=lambda value: value
)
def test_groups_of_dynamic_inputs_are_runs_of_a_name(case, names):
    assert concat(*(name.strip() for name in names)) != 100000


def test_execute_of_what_was_compiled_with_other_constants_names_the_input():
    compile_only(*tile((1, 2), fresh()))
    op_type, inputs, outputs = tile((1, 2), 77)
    compile_only(op_type, inputs, outputs)
    op_type, inputs, outputs = tile((2, 1), 77)
    with pytest.raises(aclop.OpNotFoundError) as caught:
        aclop.execute(op_type, [(inputs[0], bytes(154)), inputs[1]], outputs)
    assert caught.value.nearest.differences == ("input 1: the constant has other bytes",)
