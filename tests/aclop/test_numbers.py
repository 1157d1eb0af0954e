"""Results of operators beside NumPy and onnxruntime, with arrays that are read in place."""

import array

import ml_dtypes
import numpy as np
import onnxruntime
import pytest
from aclop.words import d, fresh
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from onnx import TensorProto, helper
from strategies import few

from ge import aclop
from ge.aclop import TensorDesc

BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Maximum": np.maximum}
SHAPES = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)


@few
@given(st.sampled_from(sorted(BINARY)), SHAPES, st.sampled_from(["float32", "int32"]), st.data())
def test_binary_operators(op_type, shapes, dtype, data):
    values = st.integers(-1000, 1000)
    a, b = (data.draw(hnp.arrays(dtype, shape, elements=values)) for shape in shapes.input_shapes)
    y = np.empty(shapes.result_shape, dtype)
    assert aclop.compile_and_execute(op_type, [a, b], [y]) is y
    np.testing.assert_array_equal(y, BINARY[op_type](a, b))


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint8", "int32", "bool"])
def test_every_element_of_an_array_that_is_made(dtype):
    n = fresh()
    x = (np.arange(n) % 2).astype(dtype)
    y = aclop.compile_and_execute("Identity", [x], [TensorDesc.of(x)])
    assert (type(y), y.dtype) == (np.ndarray, np.dtype(dtype))
    np.testing.assert_array_equal(y, x)


def test_bfloat16():
    x = np.linspace(-3, 3, fresh()).astype(ml_dtypes.bfloat16)
    relu = aclop.compile("Relu", [x], [x])
    y = relu(x)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, np.maximum(x, 0))
    # The same bits in elements that NumPy itself has.
    assert (relu(x.view(np.uint16), out=y.view(np.uint16)).view(x.dtype) == y).all()


def test_other_objects_with_a_buffer():
    n = fresh()
    x, y = array.array("f", range(n)), array.array("f", bytes(4 * n))
    double = aclop.compile("Add", [x, x], [y])
    double(x, memoryview(x), out=y)
    assert list(y) == [2 * value for value in x]


def test_results_are_memoryviews_where_there_is_no_numpy(fresh_process):
    assert fresh_process("""
        sys.modules["numpy"] = None
        from array import array
        x = array("f", [1, -2, 3])
        y = aclop.compile("Relu", [x], [x])(x)
        print(y.format, *y.tolist())
        half = aclop.compile("Relu", [d(3)], [d(3)])(bytes(6))
        print(half.format, half.nbytes)
    """) == ["f", "1.0", "0.0", "3.0", "B", "6"]


def test_results_in_place():
    x = np.arange(fresh(), dtype=np.float32)
    add = aclop.compile("Add", [x, x], [x])
    assert add(x, x, out=x) is x
    np.testing.assert_array_equal(x, 2 * np.arange(x.size))


def test_several_results():
    x = np.arange(2 * fresh(), dtype=np.float32).reshape(2, -1)
    rows = TensorDesc("float32", (1, x.shape[1]))
    attrs = {"split_dim": 0, "num_split": 2}
    split = aclop.compile("SplitD", [x], [rows, rows], attrs)
    first, second = split(x)
    np.testing.assert_array_equal(np.concatenate([first, second]), x)
    out = np.empty_like(first), np.empty_like(first)
    assert split(x, out=out) is out
    np.testing.assert_array_equal(out[1], x[1:])


def onnx_result(op_type, inputs, attrs):
    names = [f"x{i}" for i in range(len(inputs))]
    ports = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape)
        for name, x in zip(names, inputs, strict=True)
    ]
    node = helper.make_node(op_type, names, ["y"], **attrs)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "one", ports, [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, dict(zip(names, inputs, strict=True)))[0]


def floats(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


NCHW = aclop.Format.NCHW


@pytest.mark.parametrize(
    ("op_type", "inputs", "attrs", "onnx_type", "onnx_attrs", "format"),
    [
        (
            "Conv2D",
            [floats(1, 3, 8, 9), floats(4, 3, 3, 3), floats(4)],
            {"strides": [1, 1, 2, 1], "pads": [1, 1, 0, 1]},
            "Conv",
            {"strides": [2, 1], "pads": [1, 0, 1, 1]},
            NCHW,
        ),
        ("MatMulV2", [floats(5, 7), floats(7, 3)], {}, "MatMul", {}, 2),
        ("SoftmaxV2", [floats(3, 11)], {"axes": [-1]}, "Softmax", {"axis": -1}, 2),
        ("LeakyRelu", [floats(40)], {"negative_slope": 0.2}, "LeakyRelu", {"alpha": 0.2}, 2),
    ],
)
def test_beside_onnxruntime(op_type, inputs, attrs, onnx_type, onnx_attrs, format):
    wanted = onnx_result(onnx_type, inputs, onnx_attrs)
    descs = [TensorDesc.of(x, format if x.ndim == 4 else 2) for x in inputs]
    operator = aclop.compile(op_type, descs, [TensorDesc.of(wanted, descs[0].format)], attrs)
    np.testing.assert_allclose(operator(*inputs), wanted, rtol=1e-4, atol=1e-5)


def test_the_shape_that_is_inferred_is_that_of_the_result():
    x, w = floats(1, 3, 8, 9), floats(4, 3, 3, 3)
    descs = [TensorDesc.of(a, NCHW) for a in (x, w)]
    attrs = {"strides": [1, 1, 2, 1], "pads": [1, 1, 0, 1]}
    (y,) = aclop.infer_shape("Conv2D", descs, attrs=attrs)
    wanted = onnx_result("Conv", [x, w], {"strides": [2, 1], "pads": [1, 0, 1, 1]})
    assert (y.dtype, y.dims) == (aclop.DataType.FLOAT, wanted.shape)


def test_a_failure_of_values_names_the_operator():
    x, index = floats(3, 2), np.array([7], np.int64)
    with pytest.raises(aclop.AclError, match=r"Gather.*index 7 is outside") as caught:
        aclop.compile_and_execute("Gather", [x, index], [d(1, 2, dtype="float32")])
    assert caught.value.code == 507018
