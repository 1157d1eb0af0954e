"""Bad arguments, and handles and operators that are used too late: exceptions, never a crash."""

import threading
from pathlib import Path

import numpy as np
import pytest
from aclop.words import code, d, fresh

from ge import aclop
from ge.aclop import TensorDesc, acl

HERE = Path(__file__).parent


def test_arguments_of_any_type_never_crash(run, python, package, tmp_path):
    env = {"PYTHONPATH": package.parent}
    done = run(python, "-P", HERE / "confuse.py", cwd=tmp_path, env=env, timeout=120)
    assert (done.status, done.stderr[-3000:]) == (0, "")


@pytest.fixture
def add():
    n = fresh()
    return aclop.compile("Add", [d(n, dtype="float32")] * 2, [d(n, dtype="float32")]), n


def test_an_operator_is_closed_once(add):
    operator, n = add
    x = np.ones(n, np.float32)
    operator.close()
    for late in (operator.close, lambda: operator(x, x)):
        with pytest.raises(aclop.InvalidParamError, match="was closed"):
            late()


def test_an_operator_that_another_thread_closes_ends_its_run(add):
    operator, n = add
    x = np.ones(n, np.float32)
    codes = []

    def call():
        while codes.append(code(operator, x, x, out=np.empty_like(x))) or codes[-1] == 0:
            pass

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    while len(codes) < 50:
        pass
    operator.close()
    for thread in threads:
        thread.join()
    assert set(codes) == {0, 100000}


def test_threads_share_an_operator(add):
    operator, n = add
    wrong = []

    def call(value):
        x, y = np.full(n, value, np.float32), np.empty(n, np.float32)
        for _ in range(200):
            operator(x, x, out=y)
            if not (y == 2 * value).all():
                wrong.append(value)

    threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("arrays", "out", "error"),
    [
        (1, None, TypeError),
        (3, None, TypeError),
        ([None, None], None, TypeError),
        ([5, 5], None, TypeError),
        ("float64", None, aclop.ExecuteParamError),
        ("int32", None, aclop.ExecuteParamError),
        ("strided", None, ValueError),
        (2, "read only", ValueError),
        (2, "short", aclop.ExecuteParamError),
        (2, "two", TypeError),
    ],
)
def test_arrays_that_do_not_fit(add, arrays, out, error):
    operator, n = add
    x = np.ones(n, np.float32)
    if isinstance(arrays, int):
        arrays = [x] * arrays
    elif arrays == "strided":
        arrays = [np.ones(2 * n, np.float32)[::2]] * 2
    elif isinstance(arrays, str):
        arrays = [x.astype(arrays)] * 2
    outs = {"read only": bytes(4 * n), "short": np.ones(n - 1, np.float32), "two": [x, x]}
    with pytest.raises(error):
        operator(*arrays, out=outs.get(out))


def test_bytes_can_be_any_elements(add):
    operator, n = add
    x, y = np.arange(n, dtype=np.float32), bytearray(4 * n)
    assert operator(x.tobytes(), memoryview(x).cast("B"), out=y) is y
    np.testing.assert_array_equal(np.frombuffer(y, np.float32), x + x)


def test_descriptions_do_not_change_what_was_compiled():
    desc = d(fresh(), dtype="float32")
    operator = aclop.compile("Relu", [desc], [desc])
    (n,), desc.dims = desc.dims, (1,)
    assert operator.inputs[0].dims == (n,)
    assert operator(np.full(n, -1, np.float32)).shape == (n,)


DESTROY = {
    "tensor description": (lambda: acl.create_tensor_desc(1, [2], 2), acl.destroy_tensor_desc),
    "data buffer": (lambda: acl.create_data_buffer(0, 0), acl.destroy_data_buffer),
    "attributes": (acl.op.create_attr, acl.op.destroy_attr),
    "stream": (lambda: acl.rt.create_stream()[0], acl.rt.destroy_stream),
    "context": (lambda: acl.rt.create_context(0)[0], acl.rt.destroy_context),
}


@pytest.mark.parametrize("kind", DESTROY)
def test_handles_are_destroyed_once(kind):
    create, destroy = DESTROY[kind]
    handle = create()
    assert destroy(handle) in (None, 0)
    with pytest.raises(ValueError, match=f"is no {kind}: it was destroyed"):
        destroy(handle)
    with pytest.raises(ValueError, match="is no"):
        destroy(acl.rt.malloc(8, 0)[0])
    with pytest.raises(TypeError):
        destroy("handle")


def test_a_handle_of_another_kind_is_named():
    with pytest.raises(ValueError, match="is no data buffer, but a tensor description"):
        acl.get_data_buffer_addr(acl.create_tensor_desc(1, [2], 2))


def test_memory_that_was_freed_is_not_touched():
    desc = acl.create_tensor_desc(1, [2, 3], 2)
    memory, _ = acl.rt.malloc(64, 0)
    buffer = acl.create_data_buffer(memory, 64)
    assert acl.op.compile("Relu", [desc], [desc]) == 0
    assert acl.op.execute_v2("Relu", [desc], [buffer], [desc], [buffer], 0, 0) == 0
    assert acl.rt.free(memory) == 0
    for late in (
        lambda: acl.op.execute_v2("Relu", [desc], [buffer], [desc], [buffer], 0, 0),
        lambda: acl.rt.free(memory),
        lambda: acl.rt.memset(memory, 8, 0, 8),
        lambda: acl.util.ptr_to_bytes(memory, 8),
        lambda: acl.set_tensor_const(desc, memory, 8),
        lambda: acl.op.load(memory, 8),
    ):
        with pytest.raises(ValueError, match=r"not in memory that is known|was freed"):
            late()


def test_keywords_of_descriptions_are_checked():
    for wrong in ({"shape_range": [(1,)]}, {"name": 5}, {"constant": 5}, {"dims": "ab"}):
        with pytest.raises((TypeError, ValueError)):
            TensorDesc(**{"dtype": 0, "dims": (1,)} | wrong)


@pytest.mark.parametrize("count", [-1, 65536, 10**30])
def test_a_number_of_outputs_that_no_operator_has(count):
    with pytest.raises(ValueError, match=f"outputs is {count}; 0 to 65535 are accepted"):
        aclop.infer_shape("Add", [], count)


@pytest.mark.parametrize("size", [2**62, 2**63, 2**64, 10**30])
@pytest.mark.parametrize("allocate", [acl.rt.malloc_host, lambda size: acl.rt.malloc(size, 0)])
def test_more_memory_than_there_is(allocate, size):
    assert allocate(size) == (0, 207001)
    assert str(size) in acl.get_recent_err_msg()
