"""Opsets 1 to 6: forms that later opsets write otherwise.

onnxruntime has no kernels for most of them.  The oracle is the same computation in a newer opset,
or what the text of the schema says, in NumPy.
"""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, defs
from ops.oracle import Call, assert_close, check_refused, folded, import_call, run

F32 = np.dtype(np.float32)
FLOATS = (np.dtype(np.float64), F32, np.dtype(np.float16))


def check_same(old, new):
    """``old`` becomes constants with the values that onnxruntime computes for ``new``."""
    for got, expected in zip(folded(old), run(new), strict=True):
        assert got.dtype == expected.dtype
        assert got.shape == expected.shape
        assert_close(got, expected)


def check_values(old, *values):
    for got, expected in zip(folded(old), values, strict=True):
        assert got.dtype == expected.dtype
        assert got.shape == expected.shape
        assert_close(got, expected)


def numbers(*shape, dtype=F32):
    """Distinct values, negative ones among them."""
    count = int(np.prod(shape))
    return (np.arange(count) - count // 2).reshape(shape).astype(dtype)


# Operators of one input whose versions before opset 7 compute what the version of opset 7 does.
# fmt: off
UNCHANGED = [
    "Abs", "ArgMax", "ArgMin", "Ceil", "Elu", "Exp", "Flatten", "Floor", "HardSigmoid", "Hardmax",
    "Identity", "LeakyRelu", "Log", "LogSoftmax", "LpNormalization", "Neg", "Reciprocal",
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
    "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Relu", "Shape", "Sigmoid", "Size",
    "Softmax", "Softplus", "Softsign", "Sqrt", "Squeeze", "Tanh", "Transpose",
]
# fmt: on
OLD_SCHEMAS = [
    (schema.name, schema.since_version)
    for schema in defs.get_all_schemas_with_history()
    if schema.domain == "" and schema.name in UNCHANGED and schema.since_version < 7
]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize(("op_type", "opset"), OLD_SCHEMAS)
def test_operators_that_did_not_change(op_type, opset, dtype):
    x = (numbers(2, 3, 1, dtype=dtype) + 4).astype(dtype)
    # the dtype that onnxruntime lacks
    lacks = np.float64 if op_type == "Hardmax" else np.float16
    (expected,) = run(Call(op_type, [x.astype(F32) if dtype == lacks else x], opset=7))
    if expected.dtype == F32:
        expected = expected.astype(dtype)
    check_values(Call(op_type, [x], opset=opset), expected)


@pytest.mark.parametrize("op_type", ["Relu", "Neg", "Sum", "Elu"])
def test_memory_that_could_be_shared_changes_nothing(op_type):
    call = Call(op_type, [numbers(2, 3)], {"consumed_inputs": [1]}, opset=1)
    check_same(call, Call(op_type, [numbers(2, 3)], opset=7 if op_type != "Sum" else 8))


@st.composite
def aligned_operands(draw, dtype):
    """Two operands of which the second one stands for axes of the first, and the attributes."""
    shape = draw(gen.shapes(max_rank=4, max_dim=3))
    count = draw(st.integers(0, len(shape)))
    axis = draw(st.integers(0, len(shape) - count))
    attrs = {"broadcast": 1, "axis": axis}
    if axis == len(shape) - count and draw(st.booleans()):
        del attrs["axis"]
    part = tuple(1 if draw(st.booleans()) else d for d in shape[axis : axis + count])
    shown = part + (1,) * (len(shape) - axis - count)
    a = draw(gen.arrays(dtype, shape, low=0.5, high=3))
    return a, draw(gen.arrays(dtype, part, low=0.5, high=3)), shown, attrs


BINARY = {
    "Add": F32, "Sub": F32, "Mul": F32, "Div": F32, "Pow": F32, "Greater": F32, "Less": F32,
    "Equal": np.dtype(np.int32), "And": np.dtype(bool), "Or": np.dtype(bool),
    "Xor": np.dtype(bool),
}  # fmt: skip


@pytest.mark.parametrize("op_type", BINARY)
@gen.few
@given(data=st.data(), opset=st.integers(1, 6))
def test_the_second_operand_stands_for_axes_of_the_first(op_type, data, opset):
    a, b, shown, attrs = data.draw(aligned_operands(BINARY[op_type]))
    call = Call(op_type, [a, b], attrs, opset)
    expected = run(Call(op_type, [a, b.reshape(shown)], opset=13))
    assert expected[0].shape == a.shape
    check_values(call, *expected)
    hidden = data.draw(gen.hidden_dims([a, b], keep=(1,)))
    if None not in hidden.values():
        shape = import_call(call, hidden=hidden)["outputs"][0]["shape"]
        assert all(dim in (-1, real) for dim, real in zip(shape, a.shape, strict=True))


@pytest.mark.parametrize(
    ("shapes", "attrs", "words"),
    [
        (((2, 3), (3,)), {}, ["[3]", "broadcast = 1"]),
        (((2, 3), (3,)), {"broadcast": 0, "axis": 1}, ["[3]", "broadcast = 1"]),
        (((3,), (2, 3)), {"broadcast": 1}, ["[2,3]", "more dims"]),
        (((2, 1), (2, 3)), {"broadcast": 1}, ["[2,3]", "does not broadcast"]),
        (((2, 3), (2,)), {"broadcast": 1}, ["[2]", "does not broadcast"]),
        (((2, 3), (2,)), {"broadcast": 1, "axis": 2}, ["axis 2", "0 to 1"]),
        (((2, 3), (3,)), {"broadcast": 1, "axis": -1}, ["axis -1", "0 to 1"]),
        (((2, 3), (3, 2)), {"broadcast": 1, "axis": 2**40}, ["axis", "0 to 0"]),
    ],
)
@pytest.mark.parametrize("op_type", ["Add", "Div"])
def test_operands_that_do_not_fit_are_refused(op_type, shapes, attrs, words):
    check_refused(Call(op_type, [np.ones(s, F32) for s in shapes], attrs, 6), "node", *words)


def test_an_axis_of_an_unknown_rank_is_refused():
    call = Call("Add", [np.ones((2, 3), F32), np.ones(2, F32)], {"broadcast": 1, "axis": 0}, 6)
    check_refused(call, "axis", "unknown rank", hidden={0: None})


@pytest.mark.parametrize("opset", [1, 6])
def test_gemm_broadcasts_c_when_told_to(opset):
    a, b, c = numbers(2, 3), numbers(3, 4), numbers(4)
    attrs = {"alpha": 0.5, "beta": 2.0}
    new = Call("Gemm", [a, b, c], attrs, 13)
    check_same(Call("Gemm", [a, b, c], attrs | {"broadcast": 1}, opset), new)
    full = np.broadcast_to(c, (2, 4)).copy()
    check_same(Call("Gemm", [a, b, full], attrs, opset), new)
    check_refused(Call("Gemm", [a, b, c], attrs, opset), "input 2", "[4]", "broadcast = 1")


@pytest.mark.parametrize("opset", [1, 6])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_batch_normalization_in_test_mode(opset, dtype):
    inputs = [numbers(2, 3, 2, dtype=dtype)]
    inputs += [(np.array([1, 2, 3]) + i).astype(dtype) for i in range(4)]
    attrs = {"epsilon": 0.25, "is_test": 1, "consumed_inputs": [0, 0, 0, 1, 1]}
    new = Call("BatchNormalization", inputs, {"epsilon": 0.25}, 9)
    check_same(Call("BatchNormalization", inputs, attrs, opset), new)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize(("opset", "attrs"), [(1, {"is_test": 1}), (6, {"is_test": 1}), (7, {})])
@pytest.mark.parametrize("sample", [(), (3,), (3, 2), (3, 1, 2)])
def test_batch_normalization_of_each_element(dtype, opset, attrs, sample):
    x = numbers(2, *sample, dtype=dtype)
    inputs = [x] + [(numbers(*sample) + 5 + i).astype(dtype) for i in range(4)]
    scale, bias, mean, variance = (p.astype(np.float64) for p in inputs[1:])
    expected = (x - mean) / np.sqrt(variance + np.float32(0.25)) * scale + bias
    attrs = attrs | {"epsilon": 0.25, "spatial": 0}
    check_values(Call("BatchNormalization", inputs, attrs, opset), expected.astype(dtype))


def test_statistics_of_each_element_have_the_shape_of_a_sample():
    inputs = [np.ones((2, 3, 4), F32)] + [np.ones(3, F32)] * 4
    attrs = {"spatial": 0, "is_test": 1}
    check_refused(Call("BatchNormalization", inputs, attrs, 6), "input 1", "[3,4]", "spatial 0")
    check_refused(
        Call("BatchNormalization", inputs, attrs, 6), "spatial 0", "unknown rank", hidden={0: None}
    )


@pytest.mark.parametrize("opset", [1, 6])
@pytest.mark.parametrize("attrs", [{}, {"is_test": 0}])
def test_training_is_refused(opset, attrs):
    x, params = np.ones((2, 3), F32), [np.ones(3, F32)] * 4
    check_refused(Call("BatchNormalization", [x, *params], attrs, opset), "is_test 0", "training")
    check_refused(Call("Dropout", [x], attrs, opset), "is_test 0", "training")


@pytest.mark.parametrize("opset", [1, 6])
def test_dropout_in_test_mode(opset):
    x = numbers(2, 3)
    check_values(Call("Dropout", [x], {"is_test": 1, "ratio": 0.3}, opset), x)
    imported = import_call(Call("Dropout", [x], {"is_test": 1}, opset, outputs=2))
    assert [output["shape"] for output in imported["outputs"]] == [[2, 3], [2, 3]]


@pytest.mark.parametrize("name", ["FLOAT", "FLOAT16", "DOUBLE", "INT8", "UINT64", "BOOL", "INT32"])
def test_cast_takes_the_name_of_a_type(name):
    x = numbers(2, 3) / 2
    new = Call("Cast", [abs(x)], {"to": TensorProto.DataType.Value(name)}, 13)
    check_same(Call("Cast", [abs(x)], {"to": name}, 1), new)


@pytest.mark.parametrize("name", ["float", "", "STRING", "INT", "BFLOAT16"])
def test_other_names_of_types_are_refused(name):
    check_refused(Call("Cast", [np.ones(2, F32)], {"to": name}, 1), "attribute to")


@pytest.mark.parametrize("attrs", [{}, {"min": 0.5}, {"max": 0.5}, {"min": -1.0, "max": 0.5}])
def test_clip_without_a_bound_has_none(attrs):
    x = np.array([-np.inf, -2, 0, 1, np.inf], F32)
    expected = np.clip(x, attrs.get("min", -np.inf), attrs.get("max", np.inf))
    check_values(Call("Clip", [x], attrs, 1), expected)


def test_concat_joins_channels_unless_told_otherwise():
    x, y = numbers(2, 3), numbers(2, 1)
    check_values(Call("Concat", [x, y], {}, 1), np.concatenate([x, y], 1))
    check_values(Call("Concat", [x, x], {"axis": 0}, 1), np.concatenate([x, x], 0))
    check_refused(Call("Concat", [x, y], {}, 4), "attribute axis is missing")


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge"])
@pytest.mark.parametrize(("opset", "name"), [(1, "paddings"), (2, "pads"), (6, "pads")])
def test_pads_are_an_attribute(opset, name, mode):
    x = numbers(3, 4)
    old = Call("Pad", [x], {name: [1, 0, 2, 3], "mode": mode}, opset)
    check_same(old, Call("Pad", [x, np.array([1, 0, 2, 3])], {"mode": mode}, 13))
    wrong = {"pads": "paddings", "paddings": "pads"}[name]
    check_refused(Call("Pad", [x], {wrong: [0, 0, 0, 0]}, opset), f"attribute {name} is missing")


@pytest.mark.parametrize("wanted", [[6], [3, -1], [0, 3, 1]])
def test_the_shape_of_reshape_is_an_attribute(wanted):
    x = numbers(2, 3)
    new = Call("Reshape", [x, np.array(wanted)], opset=13)
    check_same(Call("Reshape", [x], {"shape": wanted, "consumed_inputs": [1]}, 1), new)
    check_refused(Call("Reshape", [x], {}, 1), "attribute shape is missing")


def test_split_takes_sizes_from_either_place():
    x = numbers(4, 3)
    parts = np.split(x, [1])
    attrs = {"axis": 0}
    check_values(Call("Split", [x], attrs | {"split": [1, 3]}, 1, outputs=2), *parts)
    check_values(Call("Split", [x, np.array([1, 3], F32)], attrs, 1, outputs=2), *parts)
    check_values(Call("Split", [x], attrs, 1, outputs=2), *np.split(x, 2))
    check_values(Call("Split", [x], {}, 2, outputs=2), *np.split(x, 2))
    check_refused(Call("Split", [x], {}, 1, outputs=2), "attribute axis is missing")


@pytest.mark.parametrize(("tiles", "axis"), [(2, 0), (3, 1), (1, 2), (0, 1)])
def test_tile_repeats_along_one_axis(tiles, axis):
    x = numbers(2, 1, 3)
    call = Call("Tile", [x, np.array([tiles], F32), np.array([axis], F32)], opset=1)
    check_values(call, np.concatenate([x] * tiles, axis) if tiles else x[:, :0])
    shape = import_call(call)["outputs"][0]["shape"]
    assert shape == [-1, -1, -1]


def test_tile_takes_one_number_each():
    x, one, two = np.ones((2, 3), F32), np.ones(1, F32), np.ones(2, F32)
    check_refused(Call("Tile", [x, two, one], opset=1), "input 1", "[2]", "one element")
    check_refused(Call("Tile", [x, one, two], opset=1), "input 2", "[2]", "one element")
    check_refused(Call("Tile", [x, one, one], opset=1), "unknown rank", hidden={0: None})


@pytest.mark.parametrize(("mode", "new_mode"), [("nearest", "nearest"), ("bilinear", "linear")])
def test_upsample_has_a_scale_for_each_side(mode, new_mode):
    x = numbers(1, 2, 3, 4)
    attrs = {"height_scale": 2.0, "width_scale": 1.5, "mode": mode}
    scales = {"scales": [1.0, 1.0, 2.0, 1.5], "mode": new_mode}
    check_same(Call("Upsample", [x], attrs, 1), Call("Upsample", [x], scales, 7))


def test_upsample_asks_for_both_scales_and_a_mode_of_its_time():
    x, scales = np.ones((1, 1, 2, 2), F32), {"height_scale": 2.0, "width_scale": 2.0}
    check_refused(Call("Upsample", [x], {"height_scale": 2.0}, 1), "width_scale is missing")
    check_refused(Call("Upsample", [x], scales | {"mode": "linear"}, 1), "linear", "bilinear")


@pytest.mark.parametrize("opset", [1, 6])
@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4), (1, 3, 2, 2)])
def test_a_slope_per_channel(opset, shape):
    x, slope = numbers(*shape), np.array([0.5, -1, 2], F32)
    expected = np.where(x < 0, x * slope.reshape(3, *[1] * (len(shape) - 2)), x)
    check_values(Call("PRelu", [x, slope], opset=opset), expected)
    check_values(Call("PRelu", [x, slope[:1]], opset=opset), np.where(x < 0, x / 2, x))


def test_a_slope_that_is_not_per_channel_is_refused():
    check_refused(Call("PRelu", [np.ones((2, 3, 4), F32), np.ones(4, F32)], opset=6), "[4]")


@pytest.mark.parametrize(("attrs", "p"), [({}, 2), ({"p": 1.0}, 1), ({"p": 2.5}, 2.5)])
def test_the_power_of_pooling_need_not_be_whole(attrs, p):
    x = numbers(1, 2, 4)
    powers = np.abs(x.astype(np.float64)) ** p
    pooled = (powers[..., :-1] + powers[..., 1:]) ** (1 / p)
    kernel = {"kernel_shape": [2]}
    check_values(Call("LpPool", [x], attrs | kernel, 1), pooled.astype(F32))
    whole = powers.sum(-1, keepdims=True) ** (1 / p)
    check_values(Call("GlobalLpPool", [x], attrs, 1), whole.astype(F32))
    for power in (0.5, float("nan"), float("inf")):
        check_refused(Call("GlobalLpPool", [x], {"p": power}, 1), "p is")
        check_refused(Call("LpPool", [x], {"p": power} | kernel, 1), "p is")


@pytest.mark.parametrize("opset", [1, 6])
def test_selu_has_the_constants_of_its_opset(opset):
    x = numbers(2, 3)
    alpha, gamma = (1.6732, 1.0507) if opset == 1 else (1.67326319217681, 1.05070102214813)
    expected = gamma * np.where(x > 0, x, alpha * np.expm1(x.astype(np.float64)))
    got = folded(Call("Selu", [x], opset=opset))[0]
    np.testing.assert_allclose(got, expected, rtol=2e-6)


def test_top_k_and_slice_take_attributes():
    x = numbers(3, 5)
    attrs = {"starts": [0, -2], "ends": [1, 9], "axes": [0, 1]}
    check_values(Call("Slice", [x], attrs, 1), x[0:1, -2:])
    order = np.argsort(-x, axis=1)[:, :2]
    values = np.take_along_axis(x, order, 1)
    check_values(Call("TopK", [x], {"k": 2, "axis": 1}, 1, outputs=2), values, order)


@pytest.mark.parametrize("op_type", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("opset", [1, 3, 6])
def test_recurrent_networks(op_type, opset):
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op_type]
    rng = np.random.default_rng(1)
    shapes = [(3, 2, 5), (1, gates * 4, 5), (1, gates * 4, 4), (1, 2 * gates * 4)]
    inputs = [rng.uniform(-1, 1, shape).astype(F32) for shape in shapes]
    outputs = 3 if op_type == "LSTM" else 2
    attrs = {"hidden_size": 4}
    old = Call(op_type, inputs, attrs | {"output_sequence": 1}, opset, outputs)
    check_same(old, Call(op_type, inputs, attrs, 14, outputs))


@pytest.mark.parametrize("opset", [1, 6])
@pytest.mark.parametrize("op_type", ["AveragePool", "MaxPool"])
def test_pooling_leaves_padding_out(op_type, opset):
    x = numbers(1, 2, 5, 5)
    attrs = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2]}
    check_same(Call(op_type, [x], attrs, opset), Call(op_type, [x], attrs, 7))


def test_an_opset_of_zero_is_refused():
    check_refused(Call("Add", [np.ones(2, F32)] * 2, opset=0), "opset 0", "older than")
