"""Types of 8 bits and less that NumPy has not: Cast, BitCast, QuantizeLinear; SwiGLU."""

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from ops.oracle import Call, check_folds, check_refused, check_shapes, import_model

F32 = np.float32
TYPES = {
    "FLOAT8E4M3FN": ml_dtypes.float8_e4m3fn,
    "FLOAT8E5M2": ml_dtypes.float8_e5m2,
    "FLOAT4E2M1": ml_dtypes.float4_e2m1fn,
    "INT4": ml_dtypes.int4,
    "INT2": ml_dtypes.int2,
    "UINT2": ml_dtypes.uint2,
}


def there_and_back(x, to, **attrs):
    """``x`` cast to ``to`` and from there to float32."""
    nodes = [
        helper.make_node("Cast", ["x"], ["narrow"], to=to, **attrs),
        helper.make_node("Cast", ["narrow"], ["y"], to=TensorProto.FLOAT),
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "g", [], [output], [numpy_helper.from_array(x, "x")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])
    return np.array([float(v) for v in import_model(model)["outputs"][0]["value"]], F32)


def numbers():
    """Every float16 that is a number, and what lies around the limits of the narrow types."""
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    edges = [448, 464, 464.01, 479, 57344, 61439, 61440, 6, 7, 0.25, 0.24, 0.75, 2.5, -2.5]
    return np.concatenate([halves[np.isfinite(halves)][::7].astype(F32), np.array(edges, F32)])


@pytest.mark.parametrize("name", ["FLOAT8E4M3FN", "FLOAT8E5M2", "FLOAT4E2M1"])
def test_floats_round_to_nearest_even_and_saturate(name):
    x = numbers()
    largest = float(ml_dtypes.finfo(TYPES[name]).max)
    with np.errstate(all="ignore"):
        wide = np.where(np.abs(x) > largest, np.copysign(largest, x), x).astype(F32)
        want = wide.astype(TYPES[name]).astype(F32)
    np.testing.assert_array_equal(there_and_back(x, getattr(TensorProto, name)), want)


@pytest.mark.parametrize("name", ["FLOAT8E4M3FN", "FLOAT8E5M2"])
def test_without_saturation_floats_overflow(name):
    x = np.concatenate([numbers(), np.array([np.inf, -np.inf, np.nan], F32)])
    with np.errstate(all="ignore"):
        want = x.astype(TYPES[name]).astype(F32)
    np.testing.assert_array_equal(there_and_back(x, getattr(TensorProto, name), saturate=0), want)


@pytest.mark.parametrize("name", ["INT4", "INT2", "UINT2"])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_integers_are_packed(name, count):
    info = ml_dtypes.iinfo(TYPES[name])
    x = np.resize(np.arange(info.min, info.max + 1), count).astype(np.int32)
    np.testing.assert_array_equal(there_and_back(x, getattr(TensorProto, name)), x.astype(F32))


def test_integers_keep_their_low_bits():
    got = there_and_back(np.array([9, -9, 16, 31], np.int64), TensorProto.INT4)
    np.testing.assert_array_equal(got, [-7, 7, 0, -1])


@pytest.mark.parametrize(
    ("mode", "want"),
    [("up", [1, 2, 2, 4, 1]), ("down", [1, 1, 1, 2, 0.5]), ("nearest", [1, 1, 2, 4, 1])],
)
def test_powers_of_two(mode, want):
    x = np.array([1, 1.25, 1.5, 3, 0.75], F32)
    got = there_and_back(x, TensorProto.FLOAT8E8M0, round_mode=mode)
    np.testing.assert_array_equal(got, np.array(want, F32))


def test_constants_of_packed_types_are_read():
    x = np.array([-8, 7, 3], ml_dtypes.int4)
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)
    graph = helper.make_graph([node], "g", [], [output], [numpy_helper.from_array(x, "x")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    assert import_model(model)["outputs"][0]["value"] == [-8, 7, 3]


@pytest.mark.parametrize("name", ["FLOAT4E2M1", "INT2", "UINT2"])
def test_quantize_to_packed_types(name):
    x = np.array([-9, -1, -0.4, 0, 0.6, 1.4, 2.6, 9], F32)
    nodes = [
        helper.make_node(
            "QuantizeLinear", ["x", "s"], ["q"], output_dtype=getattr(TensorProto, name)
        ),
        helper.make_node("Cast", ["q"], ["y"], to=TensorProto.FLOAT),
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    constants = [numpy_helper.from_array(x, "x"), numpy_helper.from_array(F32(2), "s")]
    graph = helper.make_graph(nodes, "g", [], [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])
    got = import_model(model)["outputs"][0]["value"]
    ratio = x / F32(2)
    if name == "FLOAT4E2M1":
        want = ratio.astype(ml_dtypes.float4_e2m1fn).astype(F32)
    else:
        info = ml_dtypes.iinfo(TYPES[name])
        want = np.clip(np.rint(ratio), float(info.min), float(info.max))
    np.testing.assert_array_equal(np.array(got, F32), want)


@pytest.mark.parametrize(
    ("x", "to"),
    [
        (np.array([1.5, -2], F32), TensorProto.INT32),
        (np.array([1, -2], np.int64), TensorProto.DOUBLE),
        (np.array([15360, 1], np.uint16), TensorProto.FLOAT16),
        (np.array([200, 1], np.uint8), TensorProto.INT8),
    ],
)
def test_bitcast(x, to):
    check_folds(Call("BitCast", [x], {"to": to}, 26))
    check_shapes(Call("BitCast", [x], {"to": to}, 26), hidden={0: (0,)})


def test_bitcast_to_another_width():
    call = Call("BitCast", [np.zeros(2, F32)], {"to": TensorProto.INT64}, 26)
    check_refused(call, "widths")


@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_swiglu(alpha):
    a, b = (np.linspace(-3, 3, 6, dtype=F32).reshape(2, 3) * k for k in (1, 0.5))
    imported = import_model(Call("SwiGLU", [a, b], {"alpha": alpha}, 28).model(constant=(0, 1)))
    got = np.array(imported["outputs"][0]["value"], F32).reshape(2, 3)
    np.testing.assert_allclose(got, a / (1 + np.exp(-alpha * a)) * b, 1e-5)
