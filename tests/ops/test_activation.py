"""Activation functions and Clip."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded, import_call

# type: (opset, attributes with a range of their values)
ACTIVATIONS = {
    "Celu": (28, {"alpha": (0.5, 2)}),
    "Elu": (6, {"alpha": (0.5, 2)}),
    "Gelu": (20, {}),
    "HardSigmoid": (6, {"alpha": (0, 1), "beta": (0, 1)}),
    "HardSwish": (14, {}),
    "LeakyRelu": (16, {"alpha": (0, 1)}),
    "Mish": (18, {}),
    "Relu": (14, {}),
    "Selu": (6, {"alpha": (1, 2), "gamma": (1, 2)}),
    "Shrink": (9, {"lambd": (0, 2), "bias": (-1, 1)}),
    "Sigmoid": (13, {}),
    "Softplus": (7, {}),
    "Softsign": (7, {}),
    "Swish": (24, {"alpha": (0.5, 2)}),
    "ThresholdedRelu": (10, {"alpha": (0, 2)}),
}
FLOATS = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64), gen.BF16)


@st.composite
def attributes(draw, ranges):
    """Each attribute left out or with a value of its range."""
    chosen = {}
    for name, (low, high) in ranges.items():
        if draw(st.booleans()):
            chosen[name] = draw(st.floats(low, high, width=32))
    return chosen


@pytest.mark.parametrize("op_type", ACTIVATIONS)
@gen.few
@given(data=st.data(), dtype=st.sampled_from(FLOATS))
def test_activations_fold_to_the_values_of_onnxruntime(op_type, data, dtype):
    opset, ranges = ACTIVATIONS[op_type]
    attrs = data.draw(attributes(ranges))
    x = data.draw(gen.arrays(dtype, gen.shapes(min_rank=1, max_rank=2)))
    # bfloat16 and float16 go through float32 in onnxruntime as well
    check_folds(Call(op_type, [x], attrs, opset=max(opset, 7)), atol=2e-6)


@pytest.mark.parametrize("op_type", ACTIVATIONS)
@gen.few
@given(data=st.data())
def test_activations_keep_shape_and_dtype(op_type, data):
    x = data.draw(gen.arrays(np.float32, gen.shapes()))
    opset = max(ACTIVATIONS[op_type][0], 7)
    imported = check_shapes(Call(op_type, [x], opset=opset), hidden=data.draw(gen.hidden_dims([x])))
    assert len(imported["nodes"]) == 3


@gen.few
@given(x=gen.arrays(np.float32, gen.shapes(max_rank=2)))
def test_gelu_by_tanh(x):
    check_folds(Call("Gelu", [x], {"approximate": "tanh"}, opset=20), atol=2e-6)


def test_gelu_by_something_else_is_refused():
    call = Call("Gelu", [np.ones(2, np.float32)], {"approximate": "sigmoid"}, opset=20)
    check_refused(call, "approximate", "sigmoid", "none and tanh")


def test_activations_of_special_values():
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 100, -100], np.float32)
    for op_type in ("Elu", "LeakyRelu", "Relu", "Selu", "Sigmoid", "Softplus", "Softsign"):
        check_folds(Call(op_type, [x], opset=14))


def test_selu_with_its_usual_constants_is_one_selu():
    call = Call("Selu", [np.ones(2, np.float32)], {"alpha": 1.67326324, "gamma": 1.05070098})
    assert import_call(call)["nodes"][1]["type"] == "Selu"


def test_leaky_relu_and_hard_sigmoid_have_the_defaults_of_onnx():
    x = np.array([-1.0, 1.0], np.float32)
    slope = import_call(Call("LeakyRelu", [x]))["nodes"][1]["attrs"]["negative_slope"]
    assert slope == pytest.approx(0.01)
    attrs = import_call(Call("HardSigmoid", [x]))["nodes"][1]["attrs"]
    assert (attrs["alpha"], attrs["beta"]) == (pytest.approx(0.2), pytest.approx(0.5))


@gen.few
@given(data=st.data(), dtype=st.sampled_from([d for d in gen.NUMBERS if d.itemsize != 2]))
def test_clip_takes_each_bound_or_none(data, dtype):
    x = data.draw(gen.arrays(dtype, gen.shapes()))
    bounds = [
        np.array(data.draw(gen.elements(dtype, -4, 4)), dtype) if data.draw(st.booleans()) else None
        for _ in range(2)
    ]
    if all(bound is not None for bound in bounds):
        bounds.sort()  # the other order is left undefined by onnxruntime
    call = Call("Clip", [x, *bounds], opset=13)
    check_folds(call)
    check_shapes(call, constant=(1, 2), hidden=data.draw(gen.hidden_dims([x])))


def test_clip_with_crossed_bounds_gives_the_upper_one():
    call = Call("Clip", [np.array([0, 5], np.int32), np.array(4, np.int32), np.array(2, np.int32)])
    assert folded(call)[0].tolist() == [2, 2]


@gen.few
@given(x=gen.arrays(np.float32, gen.shapes()), attrs=attributes({"min": (-3, 0), "max": (0, 3)}))
def test_clip_of_old_opsets_reads_attributes(x, attrs):
    check_folds(Call("Clip", [x], attrs, opset=7))
    check_shapes(Call("Clip", [x], attrs, opset=10))


def test_a_bound_that_is_no_scalar_is_refused():
    call = Call("Clip", [np.ones(3, np.float32), np.zeros(3, np.float32)])
    check_refused(call, "node", "min", "[3]", "scalar")
