"""The functions that users of pyACL know: what a script does, and what arguments are taken."""

import json
import threading
import warnings

import numpy as np
import pytest
from aclop.words import fresh

from ge.aclop import acl


def run_add(x1, x2):
    """What a script for pyACL does, from host arrays to a host array."""
    acl.rt.set_device(0)
    stream, ret = acl.rt.create_stream()
    assert ret == 0
    descs, buffers, memory = [], [], []
    for array in (x1, x2, None):
        nbytes = x1.nbytes
        address, ret = acl.rt.malloc(nbytes, 0)
        assert ret == 0
        if array is not None:
            content = array.tobytes()
            host = acl.util.bytes_to_ptr(content)
            assert acl.rt.memcpy(address, nbytes, host, nbytes, 1) == 0
        memory.append(address)
        buffers.append(acl.create_data_buffer(address, nbytes))
        descs.append(acl.create_tensor_desc(1, list(x1.shape), 2))
    attr = acl.op.create_attr()
    assert acl.op.compile("Add", descs[:2], descs[2:], attr) == 0
    args = "Add", descs[:2], buffers[:2], descs[2:], buffers[2:], attr, stream
    assert acl.op.execute_v2(*args) == 0, acl.get_recent_err_msg()
    assert acl.rt.synchronize_stream(stream) == 0
    content = bytes(x1.nbytes)
    host = acl.util.bytes_to_ptr(content)
    assert acl.rt.memcpy(host, len(content), memory[2], len(content), 2) == 0
    for address, buffer, desc in zip(memory, buffers, descs, strict=True):
        assert acl.rt.free(address) == 0
        assert acl.destroy_data_buffer(buffer) == 0
        assert acl.destroy_tensor_desc(desc) is None
    assert acl.op.destroy_attr(attr) is None
    assert acl.rt.destroy_stream(stream) == 0
    return np.frombuffer(content, x1.dtype).reshape(x1.shape)


def test_a_script():
    x1 = np.arange(2 * fresh(), dtype=np.float16).reshape(2, -1)
    np.testing.assert_array_equal(run_add(x1, x1[::-1]), x1 + x1[::-1])


def test_a_handle():
    n = fresh()
    desc, attr = acl.create_tensor_desc(0, [n], 2), acl.op.create_attr()
    assert acl.op.create_handle("Relu", [desc], [desc], attr) == (0, 100024)
    assert acl.op.compile("Relu", [desc], [desc]) == 0
    handle, ret = acl.op.create_handle("Relu", [desc], [desc], attr)
    assert ret == 0
    x, y = np.full(n, -2, np.float32), np.ones(n, np.float32)
    inputs, outputs = (
        [acl.create_data_buffer(acl.util.numpy_to_ptr(array), array.nbytes)] for array in (x, y)
    )
    assert acl.op.execute_with_handle(handle, inputs, outputs, 0) == 0
    assert not y.any()
    assert acl.op.execute_with_handle(handle, inputs * 2, outputs, 0) == 100021
    assert acl.op.destroy_handle(handle) is None
    with pytest.raises(ValueError, match="is no operator handle"):
        acl.op.execute_with_handle(handle, inputs, outputs, 0)


def test_cast():
    n = fresh()
    src, dst = (acl.create_tensor_desc(dtype, [n], 2) for dtype in (0, 3))
    attr = acl.op.create_attr()
    acl.op.set_attr_int(attr, "dst_type", 3)
    assert acl.op.compile("Cast", [src], [dst], attr) == 0
    x, y = np.linspace(-9, 9, n, dtype=np.float32), np.zeros(n, np.int32)
    buffers = [acl.create_data_buffer(acl.util.numpy_to_ptr(a), a.nbytes) for a in (x, y)]
    assert acl.op.cast(src, buffers[0], dst, buffers[1], 0, 0) == 0
    np.testing.assert_array_equal(y, x.astype(np.int32))
    handle, ret = acl.op.create_handle_for_cast(src, dst, 0)
    assert ret == 0 and handle != 0
    assert acl.op.cast(src, buffers[0], 0, buffers[1], 0, 0) == 100000


@pytest.mark.parametrize(
    "call",
    [
        lambda d, a: acl.create_tensor_desc(1, (2, 3), 2),
        lambda d, a: acl.create_tensor_desc("float16", [2, 3], 2),
        lambda d, a: acl.create_tensor_desc(1, [2, 3]),
        lambda d, a: acl.create_tensor_desc(1, [2.0], 2),
        lambda d, a: acl.set_tensor_shape(d, (2, 3)),
        lambda d, a: acl.op.set_attr_list_float(a, "x", [1]),
        lambda d, a: acl.op.set_attr_list_int(a, "x", (1,)),
        lambda d, a: acl.op.set_attr_list_string(a, "x", [b"x"]),
        lambda d, a: acl.op.set_attr_int(a, b"x", 1),
        lambda d, a: acl.op.set_attr_int(a, "x", "1"),
        lambda d, a: acl.op.execute("Add", (d,), [], [d], [], a, 0),
        lambda d, a: acl.op.execute(5, [d], [], [d], [], a, 0),
        lambda d, a: acl.get_tensor_desc_size("x"),
        lambda d, a: acl.get_tensor_desc_size(1.0),
        lambda d, a: acl.get_tensor_desc_size(desc=d),
    ],
)
def test_wrong_types(call):
    with pytest.raises(TypeError):
        call(acl.create_tensor_desc(1, [2], 2), acl.op.create_attr())


@pytest.mark.parametrize(
    "call",
    [
        lambda d, a: acl.create_tensor_desc(1, [2**63], 2),
        lambda d, a: acl.create_tensor_desc(2**31, [2], 2),
        lambda d, a: acl.op.set_attr_list_int(a, "x", [2**63]),
        lambda d, a: acl.op.set_attr_list_bool(a, "x", [256]),
        lambda d, a: acl.op.set_attr_bool(a, "x", -1),
        lambda d, a: acl.op.execute("Add", [d, d], [0], [d], [0], a, 0),
        lambda d, a: acl.op.execute("Add", [d], [0], [d], [0], a, 12345),
        lambda d, a: acl.get_tensor_desc_size(a),
        lambda d, a: acl.op.destroy_attr(d),
        lambda d, a: acl.create_data_buffer(-1, 1),
        lambda d, a: acl.rt.memcpy(4096, 8, 4096, 8, 0),
    ],
)
def test_wrong_values(call):
    with pytest.raises(ValueError):
        call(acl.create_tensor_desc(1, [2], 2), acl.op.create_attr())


def test_statuses_come_last():
    desc, attr = acl.create_tensor_desc(1, [2], 2), acl.op.create_attr()
    assert acl.op.set_attr_data_type(attr, "t", 1) == (attr, 0)
    assert acl.op.set_attr_list_data_type(attr, "t", [1, 3]) == (attr, 0)
    assert acl.op.set_attr_bool(attr, "b", True) == 0
    assert acl.trans_tensor_desc_format(desc, 2) == (0, 200001)
    assert acl.rt.malloc(0, 0) == (0, 100000)
    assert acl.op.get_compileopt(0) == ("", 200001)
    assert acl.op.start_dump_args(1, ".") == acl.op.stop_dump_args(1) == 207000


def test_missing_descriptions_are_null():
    desc, attr = acl.create_tensor_desc(1, [2], 2), acl.op.create_attr()
    buffer = acl.create_data_buffer(0, 0)
    assert acl.op.execute("Add", [desc], [buffer, buffer], [desc], [buffer], attr, 0) == 100000
    assert acl.op.execute("Add", [desc, 0], [buffer, buffer], [desc], [buffer], attr, 0) == 100000


def test_arrays_of_numpy_are_lists_of_attributes():
    attr = acl.op.create_attr()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert acl.op.set_attr_list_int(attr, "i", np.array([1, 2])) == 0
        assert acl.op.set_attr_list_float(attr, "f", np.array([1.5])) == 0
        assert acl.op.set_attr_list_list_int(attr, "l", [np.array([1]), [2]]) == 0


def test_the_text_of_a_failure_is_that_of_the_thread_and_given_once():
    texts = []
    assert acl.set_tensor_shape(0, [1]) == 100000
    thread = threading.Thread(target=lambda: texts.append(acl.get_recent_err_msg()))
    thread.start()
    thread.join()
    texts += [acl.get_recent_err_msg(), acl.get_recent_err_msg()]
    assert texts == [None, "EH0002: desc is NULL. Pass a valid pointer.", None]


def test_beginning_and_ending(fresh_process, tmp_path):
    config = {"soc_version": "Ascend310P3", "max_opqueue_num": "5"}
    (tmp_path / "acl.json").write_text(json.dumps(config))
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "worse.json").write_text('{"max_opqueue_num": 0}')
    codes = fresh_process(
        """
        print(acl.finalize(), acl.init("missing.json"), acl.init("bad.json"))
        print(acl.init("worse.json"), acl.init("acl.json"), acl.init(), acl.get_soc_name())
        print(acl.finalize(), acl.finalize(), acl.init())
        """,
        ASCEND_SOC_VERSION=None,
    )
    assert codes[:3] == ["100001", "100003", "100006"]
    assert codes[3:7] == ["100000", "0", "100002", "Ascend310P3"]
    assert codes[7:] == ["0", "100037", "0"]


def test_arrays_over_memory():
    address, _ = acl.rt.malloc(24, 0)
    assert acl.rt.memset(address, 24, 0, 24) == 0
    array = acl.util.ptr_to_numpy(address + 8, (2, 2), np.dtype(np.float32).num)
    array[:] = 1
    assert acl.util.ptr_to_bytes(address, 12) == bytes(8) + np.float32(1).tobytes()
    assert acl.rt.free(address) == 0
    array[:] = 2  # the memory lives as long as the array
    with pytest.raises(ValueError):
        acl.util.ptr_to_numpy(address, (2, 2), "float32")


def test_memory_that_was_shown_is_known_while_somebody_has_it():
    array = np.arange(4, dtype=np.uint8)
    address = acl.util.numpy_to_ptr(array)
    assert acl.util.ptr_to_bytes(address, 4) == bytes(range(4))
    for _ in range(300):  # others come and go, and are forgotten at times
        acl.util.bytes_to_ptr(bytes(100))
    assert acl.util.ptr_to_bytes(address, 4) == bytes(range(4))
    del array
    for _ in range(300):
        acl.util.bytes_to_ptr(bytes(100))
    with pytest.raises(ValueError, match="not in memory that is known"):
        acl.util.ptr_to_bytes(address, 4)
