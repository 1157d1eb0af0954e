"""Cast and CastLike."""

import ml_dtypes
import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper
from ops.oracle import Call, check_folds, check_refused, check_shapes, import_call

few = settings(max_examples=25)
DTYPES = (*(d for d in gen.NUMBERS if d != np.uint64), np.dtype(np.bool_))


def cast(x, dtype, opset=13):
    return Call("Cast", [x], {"to": helper.np_dtype_to_tensor_dtype(np.dtype(dtype))}, opset)


@settings(max_examples=100)
@given(data=st.data(), source=st.sampled_from(DTYPES), to=st.sampled_from(DTYPES))
def test_cast(data, source, to):
    # What a negative float becomes as an unsigned integer is not defined.
    low = 0 if source.kind == "f" and to.kind == "u" else None
    x = data.draw(gen.arrays(source, gen.shapes(max_rank=2), low=low, special=to.kind == "f"))
    check_folds(cast(x, to), rtol=0, atol=0)
    check_shapes(cast(x, to), hidden=data.draw(gen.hidden_dims([x])))


@pytest.mark.parametrize(
    "to", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.bool_]
)
@pytest.mark.parametrize("source", [np.float16, np.float32, np.float64])
def test_floats_beyond_integers_are_cast_like_onnxruntime(source, to):
    values = [np.nan, np.inf, -np.inf, 3e9, -3e9, 1e19, -1e19, 2**31, -(2**31), 2**63, -(2**63)]
    values += [0.9, -0.9, 127.9, 128, 255.9, 256, -128.9, -129, 300, -300, 40000, -40000, 65535.5]
    with np.errstate(over="ignore"):
        x = np.array(values * 7).astype(source)  # long enough for vectors and a rest
    check_folds(cast(x, to))


@few
@given(x=gen.arrays(np.float32, (5,), special=True))
def test_cast_to_and_from_bfloat16(x):
    bf16 = x.astype(ml_dtypes.bfloat16)
    to_bf16 = import_call(cast(x, gen.BF16), constant=(0,))["outputs"][0]
    assert to_bf16["dtype"] == "bfloat16"
    np.testing.assert_array_equal(np.array(to_bf16["value"], np.float32), bf16.astype(np.float32))
    back = import_call(cast(bf16, np.float32), constant=(0,))["outputs"][0]
    np.testing.assert_array_equal(np.array(back["value"], np.float32), bf16.astype(np.float32))


@pytest.mark.parametrize("name", ["FLOAT8E4M3FN", "FLOAT8E5M2", "INT4"])
def test_saturate_is_passed_on_for_small_floats(name):
    attrs = {"to": TensorProto.DataType.Value(name), "saturate": 0}
    imported = import_call(Call("Cast", [np.ones(4, np.float32)], attrs, opset=21))
    (node,) = [node for node in imported["nodes"] if node["type"] == "Cast"]
    assert node["attrs"].get("saturate") == (0 if name.startswith("FLOAT8") else None)


@pytest.mark.parametrize("to", [TensorProto.STRING, TensorProto.UNDEFINED, 999, -1, 2**40])
def test_types_that_ge_has_not_are_refused(to):
    check_refused(Call("Cast", [np.ones(2, np.float32)], {"to": to}), f"to = {to}")


@few
@given(data=st.data(), to=st.sampled_from(DTYPES))
def test_cast_like(data, to):
    x = data.draw(gen.arrays(np.float32, gen.shapes(max_rank=2), 0, 8))
    call = Call("CastLike", [x, np.ones(3, to)], {}, opset=15)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims([x])))
