"""Model.run: arrays in, arrays out, and what is said when they do not fit."""

import array
import sys
import threading

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper

import ge.om
from ge import errors
from ge.om import Tensor

A = np.arange(6, dtype=np.float32).reshape(2, 3)
B = np.array([10, 20, 30], np.float32)


@pytest.fixture(scope="session")
def identity(compiled):
    """Call as ``identity(elem_type, shape)``: an open model of ``y = -(-x)`` of that type."""
    made = {}

    def model(elem_type, shape=(2, 3)):
        key = elem_type, tuple(shape)
        if key not in made:
            flip = "Not" if elem_type == TensorProto.BOOL else "Neg"
            nodes = [helper.make_node(flip, ["x"], ["t"]), helper.make_node(flip, ["t"], ["y"])]
            if elem_type in (TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT64):
                nodes = [helper.make_node("Max", ["x", "x"], ["y"])]
            port = (elem_type, list(shape))
            om = compiled(nodes, {"x": port}, {"y": port}, opset=18, name="identity")
            made[key] = ge.om.load(om)
        return made[key]

    return model


def test_by_name_gives_outputs_by_name(add_model):
    outputs = add_model.run({"b": B, "a": A})
    assert list(outputs) == ["twice", "top"]
    np.testing.assert_array_equal(outputs["twice"], 2 * (A + B))
    np.testing.assert_array_equal(outputs["top"], A + B + np.array([1, 2, 3], np.float32))


def test_by_position_gives_a_tuple(add_model):
    twice, top = add_model(A, B)
    np.testing.assert_array_equal(twice, 2 * (A + B))
    assert (top.dtype, top.shape) == (np.float32, (2, 3))


def test_results_are_writable_and_belong_to_the_caller(add_model):
    (first, _), (second, _) = add_model(A, B), add_model(A, 2 * B)
    np.testing.assert_array_equal(first, 2 * (A + B))
    first[:] = 0
    np.testing.assert_array_equal(second, 2 * (A + 2 * B))


def test_inputs_are_left_as_they_are(add_model):
    a, b = A.copy(), B.copy()
    add_model(a, b)
    np.testing.assert_array_equal(a, A)
    np.testing.assert_array_equal(b, B)


@pytest.mark.parametrize(
    "a",
    [
        np.asfortranarray(A),
        np.repeat(A, 2, axis=1)[:, ::2],
        A[::-1][::-1],
        np.broadcast_to(A, (2, 2, 3))[1],
        A.astype(">f4"),
        memoryview(A),
        memoryview(A.tobytes()).cast("f", [2, 3]),
        Tensor(A.tobytes(), "float32", (2, 3)),
    ],
    ids=["fortran", "strided", "reversed", "broadcast", "big endian", "view", "cast", "tensor"],
)
def test_any_layout_and_kind_of_buffer_is_taken(add_model, a):
    np.testing.assert_array_equal(add_model(a, B)[0], 2 * (A + B))


def test_read_only_arrays_are_taken(add_model):
    a = A.copy()
    a.flags.writeable = False
    np.testing.assert_array_equal(add_model(a, B)[0], 2 * (A + B))


def test_standard_library_array_is_taken(add_model):
    np.testing.assert_array_equal(add_model(A, array.array("f", [10, 20, 30]))[0], 2 * (A + B))


def test_object_with_array_interface_is_taken(add_model):
    class Tensorlike:
        dtype = "a dtype of another library"

        def __array__(self, dtype=None, copy=None):
            return A

    np.testing.assert_array_equal(add_model(Tensorlike(), B)[0], 2 * (A + B))


@pytest.mark.parametrize(
    ("elem_type", "dtype"),
    [
        (TensorProto.FLOAT, np.float32),
        (TensorProto.FLOAT16, np.float16),
        (TensorProto.DOUBLE, np.float64),
        (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
        (TensorProto.INT8, np.int8),
        (TensorProto.UINT8, np.uint8),
        (TensorProto.INT16, np.int16),
        (TensorProto.UINT16, np.uint16),
        (TensorProto.INT32, np.int32),
        (TensorProto.INT64, np.int64),
        (TensorProto.UINT64, np.uint64),
        (TensorProto.BOOL, np.bool_),
    ],
)
def test_every_dtype_comes_back_as_it_went_in(identity, elem_type, dtype):
    model = identity(elem_type)
    x = np.array([[0, 1, 2], [3, 4, 5]]).astype(dtype)
    assert model.inputs[0].dtype == np.dtype(dtype).name
    (y,) = model(x)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, x)


def test_bfloat16_is_taken_as_uint16_too(identity):
    x = np.array([[1, 2, 3], [4, 5, 6]], ml_dtypes.bfloat16)
    model = identity(TensorProto.BFLOAT16)
    for given in (x.view(np.uint16), Tensor(x.view(np.uint16), "bfloat16", x.shape), x.T.copy().T):
        np.testing.assert_array_equal(model(given)[0], x)


def test_uint16_is_not_taken_for_float16(identity):
    with pytest.raises(errors.InputError, match="uint16"):
        identity(TensorProto.FLOAT16)(np.zeros((2, 3), np.uint16))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"])
def test_float8_is_taken_and_given_as_ml_dtypes(compiled, name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    port = (helper.np_dtype_to_tensor_dtype(dtype), [2, 2])
    om = compiled(
        [helper.make_node("Transpose", ["x"], ["y"])], {"x": port}, {"y": port}, opset=21, ir=10
    )
    x = np.array([[0.5, 1], [2, 4]]).astype(dtype)
    model = ge.om.load(om)
    for given in (x, x.view(np.uint8)):
        (y,) = model(given)
        assert y.dtype == dtype
        np.testing.assert_array_equal(y.astype(np.float32), x.T.astype(np.float32))


@pytest.mark.parametrize("name", ["int4", "int2", "uint2", "float4_e2m1fn", "float8_e8m0fnu"])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 9])
def test_packed_types_are_taken_and_given_as_ml_dtypes(compiled, name, count):
    dtype = np.dtype(getattr(ml_dtypes, name))
    elem_type = helper.np_dtype_to_tensor_dtype(dtype)
    om = compiled(
        [
            helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.FLOAT),
            helper.make_node("Cast", ["x2"], ["narrow"], to=elem_type),
        ],
        {"x": (elem_type, [count]), "x2": (TensorProto.FLOAT, [count])},
        {"wide": (TensorProto.FLOAT, [count]), "narrow": (elem_type, [count])},
        opset=25,
        ir=13,
    )
    x = np.resize([1, 0.5, 2, 1] if "e8m0" in name else [1, 0, -2, -1], count).astype(np.float32)
    x = np.abs(x) if name == "uint2" else x
    wide, narrow = ge.om.load(om)(x.astype(dtype), x)
    np.testing.assert_array_equal(wide, x)
    assert narrow.dtype == dtype
    np.testing.assert_array_equal(narrow.astype(np.float32), x)


def test_packed_integers_without_ml_dtypes_are_one_in_a_byte(compiled, monkeypatch):
    port = (TensorProto.INT4, [3])
    om = compiled(
        [helper.make_node("Identity", ["x"], ["y"])], {"x": port}, {"y": port}, opset=21, ir=10
    )
    packed = Tensor(bytes([0x8F, 0x07]), "int4", (3,))
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    (y,) = ge.om.load(om)(packed)
    assert (y.dtype, y.tolist()) == (np.int8, [-1, -8, 7])


def test_memory_that_is_no_longer_needed_is_not_read(identity):
    model = identity(TensorProto.FLOAT)
    buffers, _ = model._run([("x", A)], None, profile=False, poison=True)
    np.testing.assert_array_equal(np.asarray(buffers[0]), A)


def test_tensors_without_elements(identity):
    (y,) = identity(TensorProto.FLOAT, (0, 3))(np.zeros((0, 3), np.float32))
    assert (y.shape, y.dtype) == ((0, 3), np.float32)


@pytest.mark.parametrize("scalar", [np.float32(7), np.array(7, np.float32)], ids=["value", "array"])
def test_scalars_have_no_dims(identity, scalar):
    (y,) = identity(TensorProto.FLOAT, ())(scalar)
    assert (y.shape, float(y)) == ((), 7)


def test_sizes_of_inputs_that_the_model_leaves_open(open_om):
    model = ge.om.load(open_om)
    assert model.inputs[0].shape == model.outputs[0].shape == (None, 3)
    assert model.inputs[0].range == ((1, 8), (3, 3))
    for count in (1, 5, 8, 2):
        x = np.ones((count, 3), np.float32)
        np.testing.assert_array_equal(model(x)[0], -x)
    for shape in ((2, 4), (9, 3), (0, 3)):
        text = faults(model, np.zeros(shape, np.float32))
        assert "float32 [-1,3]" in text and "1~8" in text


def test_size_that_depends_on_the_values(compiled):
    om = compiled(
        [helper.make_node("NonZero", ["x"], ["y"])],
        {"x": [2, 3]},
        {"y": (TensorProto.INT64, [2, "n"])},
    )
    model = ge.om.load(om)
    for x in (A, np.zeros_like(A), A + 1):
        np.testing.assert_array_equal(model(x)[0], np.nonzero(x))


def faults(model, *arrays, **named):
    with pytest.raises(errors.InputError) as caught:
        if named:
            model.run(named)
        else:
            model(*arrays)
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == "E10001"
    return str(caught.value)


def test_everything_wrong_with_the_inputs_is_said_at_once(add_model):
    text = faults(add_model, a=A.astype(np.float64), b=np.zeros(4, np.float32), c=B)
    assert "float64 [2,3]" in text and "float32 [2,3]" in text
    assert "float32 [4]" in text and "float32 [3]" in text
    assert "[c]" in text and "a, b" in text


def test_missing_input_is_named_with_what_it_should_be(add_model):
    text = faults(add_model, a=A)
    assert "b" in text and "float32 [3]" in text and "missing" in text
    assert "missing" in faults(add_model)


def test_too_many_arrays_are_counted(add_model):
    text = faults(add_model, A, B, B)
    assert "3 arrays" in text and "takes 2" in text


def test_other_rank_is_refused(add_model):
    assert "[1,2,3]" in faults(add_model, A[None], B)


def test_what_is_no_array_is_refused_with_what_is(add_model):
    text = faults(add_model, a=[[1.0, 2.0, 3.0]] * 2, b=None)
    assert "[a] is a list" in text and "[b] is a NoneType" in text
    assert "a float32[2,3], b float32[3]" in text
    assert "[b] is a float" in faults(add_model, A, 3.0)


@pytest.mark.parametrize(
    "value",
    [
        np.array(["x"] * 3),
        np.array([None] * 3),
        np.zeros(3, "datetime64[s]"),
        np.zeros(3, [("re", "f4"), ("im", "f4")]),
        np.zeros(3, np.longdouble),
    ],
    ids=["text", "object", "time", "record", "long double"],
)
def test_elements_that_no_model_has_are_refused(add_model, value):
    assert "[b] has elements of" in faults(add_model, A, value)


def test_bytes_are_bytes_and_not_reinterpreted(add_model):
    assert "uint8 [12]" in faults(add_model, A, B.tobytes())


def test_tensor_checks_dtype_and_size():
    with pytest.raises(ValueError, match="takes 24 bytes, but the buffer has 12"):
        Tensor(bytes(12), "float32", (2, 3))
    with pytest.raises(ValueError, match="'float' is not known"):
        Tensor(bytes(12), "float", (3,))
    with pytest.raises(ValueError, match="negative"):
        Tensor(b"", "float32", (-1, 0))
    with pytest.raises(ValueError, match="contiguous"):
        Tensor(A.T, "float32", (3, 2))
    with pytest.raises(TypeError):
        Tensor([1.0], "float32", (1,))


def test_failure_of_a_node_names_it(index_om):
    model = ge.om.load(index_om)
    x = np.zeros((4, 2), np.float32)
    with pytest.raises(errors.RunError, match="pick") as caught:
        model(x, np.array([0, 1, 9]))
    assert caught.value.code == "E14001"
    assert model(x, np.array([0, 1, -1]))[0].shape == (3, 2)  # it can still be run


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_results_do_not_depend_on_threads(identity, threads):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((257, 1031), dtype=np.float32)
    np.testing.assert_array_equal(identity(TensorProto.FLOAT, x.shape)(x, threads=threads)[0], x)


@pytest.mark.parametrize("threads", [0, -1])
def test_impossible_number_of_threads_is_refused(add_model, threads):
    with pytest.raises(ValueError, match="threads"):
        add_model(A, B, threads=threads)


def test_many_threads_run_one_model_at_once(add_model):
    failures = []

    def work(seed):
        a = np.random.default_rng(seed).standard_normal((2, 3), dtype=np.float32)
        for _ in range(100):
            if not np.array_equal(add_model(a, B)[0], (a + B) + (a + B)):
                failures.append(seed)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures


def test_profile_has_nodes_in_order_and_the_same_outputs(add_model):
    profile = add_model.profile({"a": A, "b": B})
    assert [(node.name, node.type, node.calls) for node in profile.nodes] == [
        ("add", "Add", 1),
        ("double", "Add", 1),
        ("top_node", "Add", 1),
    ]
    assert all(0 <= node.seconds < 10 for node in profile.nodes)
    np.testing.assert_array_equal(profile.outputs["twice"], 2 * (A + B))


def test_closed_model_says_so(add_om):
    with ge.om.load(add_om) as model:
        assert not model.closed
    assert model.closed
    model.close()
    for use in (
        lambda: model(A, B),
        lambda: model.run({"a": A, "b": B}),
        lambda: model.profile({"a": A, "b": B}),
        lambda: model.graph,
        lambda: model.weights,
        model.__enter__,
    ):
        with pytest.raises(errors.ClosedError, match="closed") as caught:
            use()
        assert str(add_om) in str(caught.value)
    assert model.inputs[0].name == "a"


def test_closing_while_others_run_lets_them_finish(identity, compiled):
    shape = [1 << 20]
    om = compiled([helper.make_node("Neg", ["x"], ["y"])], {"x": shape}, {"y": shape})
    x = np.ones(shape, np.float32)
    for _ in range(5):
        model = ge.om.load(om)
        results = []

        def work(model=model, results=results):
            try:
                while True:
                    results.append(float(model(x)[0][-1]))
            except errors.ClosedError:
                pass

        worker = threading.Thread(target=work)
        worker.start()
        while not results:
            pass
        model.close()
        worker.join(timeout=60)
        assert not worker.is_alive()
        assert set(results) == {-1.0}
