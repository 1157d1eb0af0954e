"""Cases D: running operators that were compiled, with descriptions and with handles."""

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
    execute_code,
    found,
    fresh,
    with_memory,
)

from ge import aclop
from ge._aclop import DataBuffer, compile_only, create_handle
from ge.aclop import CompileFlag, acl


def add(n, **fields):
    return "Add", [d(n, 3, **fields), d(n, 3)], [d(n, 3)]


def relu(rows, n, **fields):
    return "Relu", [d(rows, n, **fields)], [d(rows, n)]


def ranged(n, *rows):
    """Arguments of a Relu for these numbers of rows."""
    return relu(-1, n, shape_range=[rows, (n, n)])


def add_buffers(second, refresh=True):
    """The code of an Add with this as the second input."""
    n = fresh()
    op_type, inputs, outputs = add(n)
    compile_only(op_type, inputs, outputs)
    rows = [*with_memory(inputs[:1]), (inputs[1], second)]
    return code(aclop.execute, op_type, rows, with_memory(outputs), refresh=refresh)


def empty(call, **kwargs):
    """The code of a call whose outputs have no elements and whose buffers are all NULL."""
    desc = d(0, fresh())
    return code(call, "Add", [(desc, NULL)] * 2, [(desc, NULL)], **kwargs)


def two_outputs(*descs):
    return execute_code("Foo", [d(2, 3)], list(descs))


def in_fuzz_mode(call):
    """What a call gives when operators are looked up for all shapes first."""
    aclop.set_compile_flag(CompileFlag.FUZZ)
    try:
        return call()
    finally:
        aclop.set_compile_flag(CompileFlag.DEFAULT)


def in_range(rows, asked, result=None):
    n = fresh()
    inputs, outputs = [d(asked, n)], [d(asked if result is None else result, n)]
    return found(ranged(n, *rows), ("Relu", inputs, outputs))


def handle_code(inputs, outputs, nbytes=12):
    """The code of running the handle of an Add on so many buffers."""
    n = fresh()
    compile_only(*add(n))
    memory = np.zeros(max(nbytes, 1) * n, np.uint8)
    buffer = DataBuffer(memory.ctypes.data if nbytes else 0, 6 * n if nbytes else 0)
    return code(create_handle(*add(n)).execute, [buffer] * inputs, [buffer] * outputs)


@pytest.mark.parametrize(
    ("case", "call", "wanted"),
    [
        ("D1", lambda: execute_code(*add(fresh())), 100024),
        ("D2", lambda: found(add(20), add(20)), 0),
        ("D3", lambda: found(add(21), add(21, dtype="float32")), 100024),
        ("D4", lambda: add_buffers(NULL), 100000),
        ("D5", lambda: add_buffers(DataBuffer(0, 4)), 100000),
        ("D5", lambda: add_buffers(DataBuffer(0, 4), refresh=False), 145000),
        ("D7", lambda: execute_code("Foo", [d(0, 3)], [d(0, 3)]), 0),
        ("D7b", lambda: empty(aclop.execute), 0),
        ("D7b", lambda: empty(aclop.execute, refresh=False), 0),
        ("D7b", lambda: empty(aclop.compile_and_execute), 100000),
        ("D8", lambda: two_outputs(d(0, 3), d(2, 3)), 100024),
        ("D9", lambda: two_outputs(), 100024),
        ("D10", lambda: execute_code("Foo", [d(-1, 3)], [d(2, 3)]), 100000),
        ("D10", lambda: in_fuzz_mode(lambda: execute_code("Foo", [d(-1, 3)], [d(2, 3)])), 100024),
        ("D11", lambda: in_range((1, 16), 16), 0),
        ("D11", lambda: in_range((1, 16), 17), 100024),
        ("D11b", lambda: in_range((1, 16), 0, 1), 100024),
        ("D11b", lambda: in_range((1, 16), 0), 0),
        ("D12", lambda: in_range((2, None), 1), 100024),
        ("D12", lambda: in_range((2, None), 1000), 0),
        ("D13", lambda: handle_code(3, 1), 100021),
        ("D14", lambda: handle_code(2, 2), 100022),
        ("D15", lambda: handle_code(2, 1, nbytes=0), 0),
        ("D16", lambda: acl.op.execute_with_handle(0, [], [], 0), 100000),
        ("D16", lambda: code(acl.op.destroy_handle, 0), 0),
        ("D17", lambda: code(create_handle, *add(22, placement=HOST)), 200001),
        ("D18", lambda: add_buffers(bytes(5)), 145000),
        ("D22", lambda: code(aclop.set_max_op_queue_num, 0), 100000),
    ],
)
def test_code(case, call, wanted):
    assert call() == wanted


def test_d6_the_slot_of_an_absent_input_may_be_empty():
    x, w, y = (np.ones((1, 1, n, n), np.float32) for n in (4, 1, 4))
    descs = [d(*a.shape, dtype="float32", format=0) for a in (x, w, y)]
    attrs = {"strides": [1] * 4, "pads": [0] * 4}
    rows = [(descs[0], x), (descs[1], 3 * w), (None, DataBuffer(0, 0))]
    aclop.compile_and_execute("Conv2D", rows, [(descs[2], y)], attrs)
    np.testing.assert_array_equal(y, 3 * x)


@pytest.mark.parametrize(
    ("case", "placement", "builds"), [("D19", HOST, 2), ("D20", HOST_INDEPENDENT, 1)]
)
def test_host_values_are_constants_or_not(case, placement, builds):
    x = np.arange(2 * fresh(), dtype=np.float32).reshape(2, -1)
    axis = d(1, dtype="int32", placement=placement)

    def sum_along(value):
        y = np.empty(x.shape[1 - value], np.float32)
        rows = [x, (axis, np.array([value], np.int32))]
        # The shape of the result is written to the description, not looked at.
        aclop.compile_and_execute("ReduceSum", rows, [y], {"keep_dims": False})
        np.testing.assert_allclose(y, x.sum(axis=value), rtol=1e-5)

    first, again = built(sum_along, 0), built(sum_along, 0)
    assert (first, again) == (1, 0)
    assert built(sum_along, 1) + first == 2 if case == "D19" else builds + 1


def test_d21_the_operator_used_longest_ago_goes(fresh_process):
    assert fresh_process("""
        aclop.set_max_op_queue_num(1)
        x, y = [("Relu", [d(n)], [d(n)]) for n in (5, 6)]
        compile_only(*x), compile_only(*y)
        print(execute_code(*x), execute_code(*y))
    """) == ["100024", "0"]


def test_shapes_of_results_are_refreshed():
    n = fresh()
    compile_only(*ranged(n, 1, 16))
    x, y = np.full((2, n), -1, np.float16), np.empty((16, n), np.float16)
    desc = d(16, n)
    aclop.execute("Relu", [x], [(desc, y)])
    assert desc.dims == (2, n)
    assert not y[:2].any()


def test_compiled_operators_with_open_dims_take_the_shapes_of_arrays():
    n = fresh()
    relu_of_any = aclop.compile(*ranged(n, 1, 16))
    for rows in (1, 7, 16):
        x, y = np.full((rows, n), 3, np.float16), np.empty((rows, n), np.float16)
        assert relu_of_any(x, out=y) is y
        assert (y == 3).all()
    x, y = np.empty((17, n), np.float16), np.empty((17, n), np.float16)
    assert code(relu_of_any, x, out=y) == 100024
    with pytest.raises(TypeError, match="out="):
        relu_of_any(x)


def test_compile_code_of_a_handle_that_was_never_compiled_names_the_nearest():
    n = fresh()
    assert compile_code(*add(n)) == 0
    with pytest.raises(aclop.OpNotFoundError) as caught:
        create_handle("Add", [d(n, 3), d(n, 3)], [d(n, 3, dtype="float32")])
    assert caught.value.code == 100024
    assert f"Add(float16 [{n},3] ND" in caught.value.nearest.description
    assert caught.value.nearest.differences == (
        "output 0: data type is float32, compiled: float16",
    )
