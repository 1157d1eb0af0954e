"""Values of LSTM, GRU, RNN."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import BF16, Call, check_folds, check_refused, folded, run
from ops.test_recurrent import ACTIVATIONS, cell

import ge

EXAMPLES = settings(max_examples=60)  # every example is a session of onnxruntime
F32 = np.float32
TYPES = ["LSTM", "GRU", "RNN"]
INPUTS = ["b", "sequence_lens", "initial_h", "initial_c", "p"]
LOOSE = {"rtol": 1e-4, "atol": 1e-5}


def fill(call, seed):
    """Random numbers in place of ones; sequence lengths stay."""
    rng = np.random.default_rng(seed)
    call.inputs[:] = [
        x if x is None or x.dtype != F32 else rng.uniform(-1, 1, x.shape).astype(F32)
        for x in call.inputs
    ]
    return call


@st.composite
def layers(draw):
    op_type = draw(st.sampled_from(TYPES))
    direction = draw(st.sampled_from(["forward", "reverse", "bidirectional"]))
    attrs = {}
    if op_type == "GRU":
        attrs["linear_before_reset"] = draw(st.integers(0, 1))
    if op_type == "LSTM" and draw(st.booleans()):
        attrs["input_forget"] = 1
    seq, batch, size, hidden = (draw(st.integers(1, n)) for n in (4, 3, 9, 9))
    call = cell(
        op_type,
        direction,
        seq,
        batch,
        size,
        hidden,
        draw(st.sets(st.sampled_from(INPUTS))),
        **attrs,
    )
    if len(call.inputs) > 4 and call.inputs[4] is not None:
        lengths = [draw(st.integers(1, seq)) for _ in range(batch)]
        call.inputs[4] = np.array(lengths, np.int32)
    return fill(call, draw(st.integers(0, 99)))


@EXAMPLES
@given(call=layers())
def test_layers(call):
    check_folds(call, **LOOSE)


@pytest.mark.parametrize("op_type", TYPES)
@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize(
    ("function", "more"),
    [
        ("Affine", {"activation_alpha": [0.5], "activation_beta": [0.25]}),
        ("Elu", {"activation_alpha": [0.5]}),
        ("HardSigmoid", {"activation_alpha": [0.3], "activation_beta": [0.4]}),
        ("LeakyRelu", {"activation_alpha": [0.1]}),
        ("Relu", {}),
        ("ScaledTanh", {"activation_alpha": [0.5], "activation_beta": [0.7]}),
        ("Sigmoid", {}),
        ("Softplus", {}),
        ("Softsign", {}),
        ("Tanh", {}),
        ("ThresholdedRelu", {"activation_alpha": [0.1]}),
    ],
)
def test_activations(op_type, direction, function, more):
    count = ACTIVATIONS[op_type] * (2 if direction == "bidirectional" else 1)
    attrs = {name: values * count for name, values in more.items()}
    call = cell(op_type, direction, hidden=3, activations=[function] * count, **attrs)
    check_folds(fill(call, 1), **LOOSE)


@pytest.mark.parametrize("op_type", TYPES)
def test_clip_bounds_what_the_activations_see(op_type):
    optional = {"b", "initial_h", "initial_c", "p"} if op_type == "LSTM" else {"b", "initial_h"}
    check_folds(fill(cell(op_type, seq=4, hidden=5, optional=optional, clip=0.5), 3), **LOOSE)


@pytest.mark.parametrize("op_type", TYPES)
def test_batch_first(op_type):
    forward = fill(cell(op_type, seq=4, batch=2, size=3, hidden=3), 4)
    swapped = Call(op_type, list(forward.inputs), {**forward.attrs, "layout": 1}, 14)
    swapped.inputs[0] = np.ascontiguousarray(forward.inputs[0].transpose(1, 0, 2))
    expected = folded(Call(op_type, forward.inputs, forward.attrs, 14, 2))
    got = folded(Call(op_type, swapped.inputs, swapped.attrs, 14, 2))
    np.testing.assert_array_equal(got[0], expected[0].transpose(2, 0, 1, 3))
    np.testing.assert_array_equal(got[1], expected[1].transpose(1, 0, 2))


@pytest.mark.parametrize("op_type", TYPES)
@pytest.mark.parametrize(
    ("dtype", "tolerance"), [(np.float16, 2e-3), (BF16, 2e-2), (np.float64, 1e-6)]
)
def test_other_floats(op_type, dtype, tolerance):
    call = fill(cell(op_type, "bidirectional", hidden=5, optional=("b", "initial_h")), 5)
    inputs = [x if x is None or x.dtype != F32 else x.astype(dtype) for x in call.inputs]
    wide = [x if x is None or x.dtype != dtype else x.astype(F32) for x in inputs]
    got = folded(Call(op_type, inputs, call.attrs, 22, call.outputs))
    expected = folded(Call(op_type, wide, call.attrs, 22, call.outputs))
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == dtype
        np.testing.assert_allclose(one.astype(F32), other, tolerance, tolerance)


def test_empty_sequences_keep_the_first_state():
    call = fill(cell("GRU", batch=2, optional=("sequence_lens", "initial_h")), 6)
    call.inputs[4] = np.array([0, 2], np.int32)
    y, y_h = folded(call)
    np.testing.assert_array_equal(y_h[0, 0], call.inputs[5][0, 0])
    np.testing.assert_array_equal(y[:, 0, 0], 0)


def test_large_layer():
    call = fill(cell("LSTM", seq=3, batch=2, size=67, hidden=70, optional=("b",)), 7)
    check_folds(call, **LOOSE)


@pytest.mark.parametrize("length", [-1, 4])
def test_sequence_lengths_outside_are_refused(length):
    call = cell("RNN", seq=3, batch=1, optional=("sequence_lens",))
    call.inputs[4] = np.array([length], np.int32)
    check_refused(call, f"length {length}", "0 to 3", constant=range(5))


def quantized_lstm(direction, per_row, dtype, batch=1, optional=()):
    rng = np.random.default_rng(0)
    seq, size, hidden = 5, 7, 9
    directions = 2 if direction == "bidirectional" else 1
    limits = np.iinfo(dtype)

    def weights(inputs):
        shape = (directions, 4 * hidden) if per_row else (directions,)
        # onnxruntime wants equal zero points in a matrix, and those of int8 rows to be 0.
        point = np.full(shape, 0 if per_row and limits.min else rng.integers(100, 120))
        return (
            rng.integers(limits.min, limits.max, (directions, inputs, 4 * hidden)).astype(dtype),
            rng.uniform(0.002, 0.006, shape).astype(F32),
            point.astype(dtype),
        )

    w, w_scale, w_point = weights(size)
    r, r_scale, r_point = weights(hidden)
    state = (directions, batch, hidden)
    more = {
        "b": rng.uniform(-1, 1, (directions, 8 * hidden)).astype(F32),
        "sequence_lens": np.full(batch, seq - 1, np.int32),
        "initial_h": rng.uniform(-1, 1, state).astype(F32),
        "initial_c": rng.uniform(-1, 1, state).astype(F32),
        "p": rng.uniform(-1, 1, (directions, 3 * hidden)).astype(F32),
    }
    x = rng.uniform(-2, 3, (seq, batch, size)).astype(F32)
    given = [value if name in optional else None for name, value in more.items()]
    inputs = [x, w, r, *given, w_scale, w_point, r_scale, r_point]
    attrs = {"direction": direction, "hidden_size": hidden}
    return Call("DynamicQuantizeLSTM", inputs, attrs, 14, 3, "com.microsoft")


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("per_row", [False, True])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
@pytest.mark.parametrize("optional", [(), ("b", "initial_h", "initial_c")])
def test_quantized_lstm_rounds_x_and_the_state_as_onnxruntime_does(
    direction, per_row, dtype, optional
):
    check_folds(quantized_lstm(direction, per_row, dtype, optional=optional), **LOOSE)


def test_quantized_lstm_without_scales_is_refused():
    call = quantized_lstm("forward", False, np.int8)
    call.inputs[8] = None
    check_refused(call, "input 8 is missing", constant=range(12))
    call = quantized_lstm("forward", False, np.int8)
    call.inputs[1] = call.inputs[1].astype(F32)
    check_refused(call, "int8 and uint8", constant=range(12))


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "linear GRU", "RNN", "int8", "uint8"])
def test_constant_weights_are_packed_once(direction, kind):
    op_type = kind.removeprefix("linear ")
    if op_type in TYPES:
        sizes = {"seq": 7, "batch": 3, "size": 67, "hidden": 70, "optional": ("b",)}
        attrs = {"linear_before_reset": int(kind == "linear GRU")} if op_type == "GRU" else {}
        call = fill(cell(op_type, direction, **sizes, **attrs), 7)
    else:
        call = quantized_lstm(direction, False, np.dtype(kind), optional=("b",))
    constant = [i for i, x in enumerate(call.inputs) if i and x is not None]
    flags = {"soc_version": "Ascend310P3", "precision_mode_v2": "origin"}
    expected = run(call)
    with ge.compile(call.model(constant), **flags) as compiled, compiled.model as model:
        assert model.memory.packed_bytes > 0
        for threads in 1, 3:
            got = model.run({"x0": call.inputs[0]}, threads=threads).values()
            for ours, theirs in zip(got, expected, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
