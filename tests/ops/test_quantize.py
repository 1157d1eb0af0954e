"""QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear."""

import ml_dtypes
import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded, import_call
from ops.test_conv import node_of

from ge import _testing

EXAMPLES = settings(max_examples=30)  # every example is a session of onnxruntime

F32 = np.float32


@st.composite
def dequantized(draw):
    dtype = draw(st.sampled_from([np.int8, np.uint8, np.int32]))
    x = draw(gen.arrays(dtype, gen.shapes(max_rank=3, min_dim=1)))
    attrs, count = {}, ()
    if x.ndim and draw(st.booleans()):
        axis = attrs["axis"] = draw(gen.axis_of(x.ndim))
        count = (x.shape[axis],)
    inputs = [x, draw(gen.arrays(np.float32, count, low=0.125, high=2))]
    if dtype != np.int32 and draw(st.booleans()):
        inputs.append(draw(gen.arrays(dtype, count)))
    return Call("DequantizeLinear", inputs, attrs, draw(st.sampled_from([13, 19, 21])))


@EXAMPLES
@given(call=dequantized())
def test_dequantized_values(call):
    check_folds(call, rtol=0, atol=0)


@EXAMPLES
@given(call=dequantized(), data=st.data())
def test_dequantized_shapes(call, data):
    hidden = data.draw(gen.hidden_dims(call.inputs, keep=(1, 2)))
    if hidden.get(0, ()) is None and call.inputs[1].ndim:
        hidden = {}
    check_shapes(call, constant=(1, 2), hidden=hidden)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16])
def test_dequantized_blocks(dtype):
    x = np.arange(24, dtype=dtype).reshape(2, 6, 2)
    scale = np.arange(1, 9, dtype=F32).reshape(2, 2, 2)
    zero = np.arange(8, dtype=dtype).reshape(2, 2, 2)
    call = Call("DequantizeLinear", [x, scale, zero], {"axis": 1, "block_size": 3}, 21)
    check_folds(call, rtol=0, atol=0)


@pytest.mark.parametrize("block", [2, 4, 5, 7])
def test_dequantized_blocks_of_which_the_last_is_short(block):
    x = np.arange(2 * 7 * 2, dtype=np.int8).reshape(2, 7, 2)
    blocks = -(-7 // block)
    scale = np.arange(1, 4 * blocks + 1, dtype=F32).reshape(2, blocks, 2)
    zero = np.arange(4 * blocks, dtype=np.int8).reshape(2, blocks, 2)
    call = Call("DequantizeLinear", [x, scale, zero], {"axis": 1, "block_size": block}, 21)
    want = (x - np.repeat(zero, block, 1)[:, :7]) * np.repeat(scale, block, 1)[:, :7]
    np.testing.assert_array_equal(folded(call)[0], want)
    assert (
        import_call(call, hidden={0: (0, 1), 1: (0, 1), 2: (0, 1)})["outputs"][0]["shape"][2] == 2
    )


def test_half_scale_gives_half_values():
    x = np.arange(-5, 5, dtype=np.int8)
    call = Call("DequantizeLinear", [x, np.array(0.3, np.float16)], opset=19)
    check_folds(call, rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16])
@EXAMPLES
@given(data=st.data())
def test_quantized_values(dtype, data):
    x = data.draw(gen.arrays(F32, gen.shapes(max_rank=3, min_dim=1)))
    attrs, count = {}, ()
    if x.ndim and data.draw(st.booleans()):
        axis = attrs["axis"] = data.draw(gen.axis_of(x.ndim))
        count = (x.shape[axis],)
    scale = data.draw(gen.arrays(F32, count, low=0.015625, high=2))
    zero = data.draw(gen.arrays(dtype, count))
    check_folds(Call("QuantizeLinear", [x, scale, zero], attrs, 21))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16])
def test_quantized_values_of_blocks(dtype):
    x = np.arange(24, dtype=F32).reshape(2, 6, 2) - 7
    scale = np.arange(1, 9, dtype=F32).reshape(2, 2, 2) / 4
    zero = np.arange(8, dtype=dtype).reshape(2, 2, 2)
    check_folds(Call("QuantizeLinear", [x, scale, zero], {"axis": 1, "block_size": 3}, 21))


def test_dynamic_quantization_values():
    x = np.array([[-1.5, 0.25], [3.0, 2.0]], F32)
    check_folds(Call("DynamicQuantizeLinear", [x], outputs=3))


@EXAMPLES
@given(data=st.data())
def test_dynamic_quantization_of_any_values(data):
    x = data.draw(gen.arrays(F32, gen.shapes(max_rank=2, min_dim=1)))
    limits = data.draw(st.sampled_from([(-3, 5), (1, 2), (-2, -1), (0, 0)]))
    check_folds(Call("DynamicQuantizeLinear", [np.asarray(np.clip(x, *limits), F32)], outputs=3))


def test_dynamic_quantization_is_one_operator():
    call = Call("DynamicQuantizeLinear", [np.zeros((2, 3), F32)], outputs=3)
    node = node_of(check_shapes(call), "DynamicQuantV2")
    assert node["attrs"]["dst_type"] == 4


@pytest.mark.parametrize("attrs", [{"dst_type": 2}, {"quant_mode": "pertoken"}])
def test_other_dynamic_quantization_is_refused(attrs):
    x = np.zeros((2, 3), F32)
    accepted = {"dst_type": 4, "quant_mode": "pertensor"}
    rows = [("float32", x.shape, x.tobytes())]
    with pytest.raises(_testing.CompileError, match="pertensor"):
        _testing.run_node("DynamicQuantV2", rows, accepted | attrs, outputs=3)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_quantized_shapes(dtype, axis):
    x = np.zeros((2, 3), F32)
    count = () if axis is None else (x.shape[axis],)
    inputs = [x, np.ones(count, F32), np.zeros(count, dtype)]
    call = Call("QuantizeLinear", inputs, {} if axis is None else {"axis": axis}, 13)
    node = node_of(check_shapes(call, constant=(1, 2)), "Quantize")
    assert node["attrs"]["dtype"] == ("torch.qint8" if dtype == np.int8 else "torch.quint8")


def test_quantized_to_uint8_without_zero_point():
    call = Call("QuantizeLinear", [np.zeros((2, 3), F32), np.array(0.5, F32)])
    assert check_shapes(call)["outputs"][0]["dtype"] == "uint8"


@pytest.mark.parametrize("dtype", [np.int16, np.uint16])
def test_quantized_to_16_bits(dtype):
    call = Call(
        "QuantizeLinear", [np.zeros(3, F32), np.array(0.5, F32), np.array(0, dtype)], opset=21
    )
    check_shapes(call)


def test_quantized_blocks():
    inputs = [np.zeros((2, 5), F32), np.ones((2, 3), F32), np.zeros((2, 3), np.int8)]
    call = Call("QuantizeLinear", inputs, {"axis": 1, "block_size": 2}, 21)
    node = node_of(check_shapes(call), "Quantize")
    assert node["attrs"]["block_size"] == 2


def test_dynamic_quantization_computes_its_scale_and_zero_point():
    x = np.array([[-1.5, 0.25], [3.0, 2.0]], F32)
    call = Call("DynamicQuantizeLinear", [x], outputs=3)
    check_shapes(call)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            Call("QuantizeLinear", [np.zeros((2, 3), F32), np.ones(2, F32)], {"axis": 1}),
            ["[2]", "[3]"],
        ),
        (
            Call("DequantizeLinear", [np.zeros((2, 3), np.int8), np.ones(2, F32)], {"axis": 1}),
            ["[2]", "[2,3]"],
        ),
        (
            Call("DequantizeLinear", [np.zeros(3, np.int8), F32(1), np.uint8(0)]),
            ["int8", "uint8"],
        ),
        (
            Call(
                "DequantizeLinear",
                [np.zeros((2, 5), np.int8), np.ones((2, 2), F32)],
                {"block_size": 2},
                21,
            ),
            ["[2,2]", "[2,3]"],
        ),
        (
            Call("QuantizeLinear", [np.zeros((2, 3), F32), np.ones(3, F32)], {"axis": 7}),
            ["axis 7"],
        ),
    ],
)
def test_wrong_calls_are_refused(call, words):
    check_refused(call, *words)


@pytest.mark.parametrize("dtype", [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2])
def test_float8_is_rounded_to_nearest_even(dtype):
    limit = float(ml_dtypes.finfo(dtype).max)
    codes = np.arange(256, dtype=np.uint8).view(dtype).astype(F32)
    exact = np.unique(codes[np.isfinite(codes)])
    middles = (exact[1:] + exact[:-1]) / 2
    x = np.concatenate([exact, middles, np.nextafter(middles, F32(np.inf)), -middles])
    rows = [
        ("float32", x.shape, x.tobytes()),
        ("float32", (), F32(1).tobytes(), "const"),
        (np.dtype(dtype).name, (), np.zeros(1, dtype).tobytes(), "const"),
    ]
    attrs = {"dtype": np.dtype(dtype).name, "axis": 0}
    ((name, _, data),), _ = _testing.run_node("Quantize", rows, attrs)
    assert name == np.dtype(dtype).name
    got = np.frombuffer(data, dtype).astype(F32)
    np.testing.assert_array_equal(got, np.clip(x.astype(dtype).astype(F32), -limit, limit))


@pytest.mark.parametrize("saturate", [True, False])
@pytest.mark.parametrize("dtype", [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2])
def test_float8_beyond_its_range(dtype, saturate):
    x = np.array([1e9, -1e9, np.inf, np.nan], F32)
    rows = [("float32", x.shape, x.tobytes()), ("float32", (), F32(1).tobytes())]
    attrs = {"dtype": np.dtype(dtype).name, "axis": 0} | ({} if saturate else {"saturate": False})
    ((_, _, data),), _ = _testing.run_node("Quantize", rows, attrs)
    limit = float(ml_dtypes.finfo(dtype).max)
    beyond = np.inf if dtype is ml_dtypes.float8_e5m2 else np.nan
    expected = [limit, -limit, limit, np.nan] if saturate else [beyond, -beyond, beyond, np.nan]
    np.testing.assert_array_equal(np.frombuffer(data, dtype).astype(F32), np.array(expected, F32))


def test_int4_shares_bytes():
    x = np.array([-9, -8, -0.5, 1.5, 6.6], F32)
    rows = [
        ("float32", x.shape, x.tobytes()),
        ("float32", (), F32(1).tobytes()),
        ("int4", (), b"\x01"),
    ]
    ((_, shape, data),), _ = _testing.run_node("Quantize", rows, {"dtype": "int4", "axis": 0})
    assert shape == (5,)
    nibbles = [n for byte in data for n in (byte & 15, byte >> 4)][:5]
    assert [n - 16 if n > 7 else n for n in nibbles] == [-8, -7, 1, 3, 7]
