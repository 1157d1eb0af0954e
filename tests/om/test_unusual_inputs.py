"""Inputs that are allowed but rare, and inputs that are wrong in rare ways."""

import numpy as np
import pytest
from om.om_files import build_om, read_om
from onnx import TensorProto, helper

import ge.om
from ge.errors import InputError
from ge.om import Tensor

A = np.arange(6, dtype=np.float32).reshape(2, 3)
B = np.array([10, 20, 30], np.float32)
BYTES = np.array([0, 1, 2, 128, 255, 0], np.uint8)  # as bools: F T T T T F


@pytest.fixture(scope="module")
def turned(compiled):
    """Call as ``turned(elem_type, open)``: an open model of a transposed [2,3], or of any size."""

    def model(elem_type, size_is_open):
        port = (elem_type, ["n", 3] if size_is_open else [2, 3])
        result = (elem_type, [3, "n"] if size_is_open else [3, 2])
        flags = ["--input_shape=x:-1,3"] if size_is_open else []
        nodes = [helper.make_node("Transpose", ["x"], ["y"], perm=[1, 0])]
        return ge.om.load(compiled(nodes, {"x": port}, {"y": result}, flags=flags))

    return model


@pytest.mark.parametrize("size_is_open", [False, True])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_nans_and_infinities_are_handed_on_bit_by_bit(turned, dtype, size_is_open):
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    x = np.array([[np.nan, np.inf, -np.inf], [-0.0, 0.0, -np.nan]], dtype)
    x.view(bits)[0, 0] += 5  # a payload
    (y,) = turned(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), size_is_open)(x)
    np.testing.assert_array_equal(y.view(bits), x.T.view(bits))


@pytest.mark.parametrize("size_is_open", [False, True])
def test_arrays_at_odd_addresses(turned, size_is_open):
    data = b"\0" * 3 + A.tobytes()
    x = np.ndarray(A.shape, A.dtype, data, 3)
    assert not x.flags.aligned
    model = turned(TensorProto.FLOAT, size_is_open)
    for given in (x, Tensor(memoryview(data)[3:], "float32", A.shape)):
        np.testing.assert_array_equal(model(given)[0], A.T)


def test_views_whose_elements_overlap(turned):
    x = np.lib.stride_tricks.as_strided(B, (2, 3), (0, 4))
    np.testing.assert_array_equal(turned(TensorProto.FLOAT, False)(x)[0], x.T)


@pytest.mark.parametrize("size_is_open", [False, True])
def test_every_byte_but_0_is_true(turned, size_is_open):
    (y,) = turned(TensorProto.BOOL, size_is_open)(BYTES.view(bool).reshape(2, 3))
    np.testing.assert_array_equal(y.view(np.uint8), (BYTES != 0).reshape(2, 3).T)


def test_every_byte_but_0_of_a_folded_constant_is_true(compiled):
    om = compiled(
        [helper.make_node("Cast", ["w"], ["y"], to=TensorProto.INT32)],
        {"x": [1]},
        {"y": (TensorProto.INT32, [6])},
        {"w": BYTES.view(bool)},
    )
    np.testing.assert_array_equal(ge.om.load(om)(B[:1])[0], BYTES != 0)


def test_every_byte_but_0_of_a_weight_is_true(compiled):
    port = (TensorProto.BOOL, [6])
    nodes = [helper.make_node("Xor", ["x", "w"], ["y"])]
    om = compiled(nodes, {"x": port}, {"y": port}, {"w": np.ones(6, bool)})
    parts = dict(read_om(om).blocks[0])
    assert bytes([1] * 6) in parts[1]
    parts[1] = parts[1].replace(bytes([1] * 6), BYTES.tobytes())
    om.write_bytes(build_om([list(parts.items())]))
    (y,) = ge.om.load(om)(np.ones(6, bool))
    np.testing.assert_array_equal(y.view(np.uint8), BYTES == 0)


def faults(model, *arrays):
    with pytest.raises(InputError) as caught:
        model(*arrays)
    return str(caught.value)


def test_arrays_in_the_other_order_are_both_named(add_model):
    text = faults(add_model, B, A)
    assert "[a]" in text and "[b]" in text
    assert "float32 [3]" in text and "float32 [2,3]" in text


def test_a_number_is_no_array_of_one(compiled):
    nodes = [helper.make_node("Neg", ["x"], ["y"]), helper.make_node("Neg", ["v"], ["w"])]
    ports = (TensorProto.FLOAT, []), [1]
    model = ge.om.load(
        compiled(nodes, dict(zip("xv", ports, strict=True)), dict(zip("yw", ports, strict=True)))
    )
    one = np.ones(1, np.float32)
    text = faults(model, one, one[0])
    assert "[1]" in text and "[]" in text
    assert model(one[0], one)[0].shape == ()


def test_arrays_without_elements_fit_only_where_there_are_none(add_model, open_om):
    assert "float32 [0,3]" in faults(add_model, A[:0], B)
    assert "float32 [0,3]" in faults(ge.om.load(open_om), A[:0])
    assert "uint8 [0]" in faults(add_model, A, b"")


@pytest.mark.parametrize("shape", [(0, 1 << 63), (1 << 70, 0)])
def test_dims_that_no_tensor_has(shape):
    with pytest.raises(ValueError, match="too large"):
        Tensor(b"", "float32", shape)


def test_very_many_dims_are_refused(add_model):
    assert "float32 [2,3] is accepted" in faults(add_model, Tensor(bytes(4), "float32", (1,) * 999))


@pytest.mark.parametrize("inputs", [None, [A, B], A])
def test_inputs_without_names_are_for_a_call(add_model, inputs):
    with pytest.raises(TypeError, match="dict of arrays by name"):
        add_model.run(inputs)


@pytest.mark.parametrize("name", [1, b"a", None])
def test_names_are_text(add_model, name):
    with pytest.raises(TypeError):
        add_model.run({name: A, "b": B})


@pytest.mark.parametrize("name", ["A", "a\0", "a ", "b" * 10000, "ä"])
def test_other_names_are_refused(add_model, name):
    with pytest.raises(InputError, match="no input of this name"):
        add_model.run({name: A, "b": B})


@pytest.mark.parametrize("threads", ["2", 1.5, A])
def test_threads_are_a_whole_number(add_model, threads):
    with pytest.raises(TypeError):
        add_model(A, B, threads=threads)


def test_an_enormous_number_of_threads_is_no_problem(compiled):
    shape = [1 << 18]
    model = ge.om.load(
        compiled([helper.make_node("Sin", ["x"], ["y"])], {"x": shape}, {"y": shape})
    )
    x = np.linspace(0, 9, shape[0], dtype=np.float32)
    (expected,) = model(x, threads=1)
    for threads in (100, 100_000, 1 << 40):
        np.testing.assert_array_equal(model(x, threads=threads)[0], expected)


def test_what_fails_inside_an_array_of_another_library_is_not_hidden(add_model):
    class Broken:
        dtype = "a dtype of another library"

        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("no longer on this device")

    with pytest.raises(RuntimeError, match="no longer on this device"):
        add_model(Broken(), B)
