"""LSTM, GRU, RNN."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_refused, check_shapes, import_call
from ops.test_conv import node_of

EXAMPLES = settings(max_examples=30)  # every example is a session of onnxruntime
F32 = np.float32
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
ACTIVATIONS = {"LSTM": 3, "GRU": 2, "RNN": 1}


def cell(
    op_type, direction="forward", seq=3, batch=2, size=2, hidden=2, optional=(), opset=14, **attrs
):
    """A call; `optional` names the inputs to add."""
    directions, rows = 2 if direction == "bidirectional" else 1, GATES[op_type] * hidden
    inputs = [
        np.ones((seq, batch, size), F32),
        np.ones((directions, rows, size), F32),
        np.ones((directions, rows, hidden), F32),
    ]
    state = (directions, batch, hidden)
    more = {
        "b": np.ones((directions, 2 * rows), F32),
        "sequence_lens": np.full(batch, seq, np.int32),
        "initial_h": np.ones(state, F32),
    }
    if op_type == "LSTM":
        more |= {"initial_c": np.ones(state, F32), "p": np.ones((directions, 3 * hidden), F32)}
    inputs += [value if name in optional else None for name, value in more.items()]
    while inputs[-1] is None:
        inputs.pop()
    attrs |= {"direction": direction, "hidden_size": hidden}
    return Call(op_type, inputs, attrs, opset, 3 if op_type == "LSTM" else 2)


@st.composite
def cells(draw):
    names = ["b", "sequence_lens", "initial_h", "initial_c", "p"]
    return cell(
        draw(st.sampled_from(sorted(GATES))),
        draw(st.sampled_from(["forward", "reverse", "bidirectional"])),
        *draw(st.tuples(*[st.integers(1, 3)] * 4)),
        optional=draw(st.sets(st.sampled_from(names))),
        opset=draw(st.sampled_from([7, 14, 22])),
    )


@EXAMPLES
@given(call=cells(), hidden=st.sets(st.integers(0, 2)))
def test_layer_shapes(call, hidden):
    check_shapes(call, hidden={0: tuple(hidden)} if hidden else None)


@pytest.mark.parametrize("op_type", sorted(GATES))
def test_batch_first_is_transposed_around_the_layer(op_type):
    call = cell(op_type, seq=5, batch=2, size=3, hidden=4, layout=1)
    call.inputs[0] = np.ones((2, 5, 3), F32)
    imported = import_call(call)
    assert [out["shape"] for out in imported["outputs"][:2]] == [[2, 5, 1, 4], [2, 1, 4]]
    assert node_of(imported, f"Common{op_type}")["outputs"][0]["shape"] == [5, 1, 2, 4]


def test_hidden_size_follows_from_the_recurrence_weights():
    call = cell("GRU", hidden=3)
    del call.attrs["hidden_size"]
    assert node_of(import_call(call), "CommonGRU")["attrs"]["hidden_size"] == 3


def test_parameters_go_to_the_activations_that_take_them():
    call = cell(
        "LSTM",
        activations=["hardsigmoid", "Tanh", "LeakyRelu"],
        activation_alpha=[0.5, 0.25],
        clip=2.0,
        input_forget=1,
    )
    attrs = node_of(import_call(call), "CommonLSTM")["attrs"]
    assert attrs["activations"] == ["HardSigmoid", "Tanh", "LeakyRelu"]
    assert attrs["activation_alpha"] == [0.5, 0.0, 0.25]
    assert attrs["activation_beta"] == [0.5, 0.0, 0.0]
    assert attrs["clip"] == 2.0
    assert attrs["input_forget"] == 1


def test_unused_outputs_may_be_left_out():
    call = cell("LSTM")
    model = call.model()
    model.graph.node[0].output[0] = ""
    del model.graph.output[0]
    from ops.oracle import import_model

    assert [out["shape"] for out in import_model(model)["outputs"]] == [[1, 2, 2], [1, 2, 2]]


@pytest.mark.parametrize("op_type", sorted(GATES))
@pytest.mark.parametrize(
    ("attrs", "words"),
    [
        ({"direction": "sideways"}, ["direction", "sideways"]),
        ({"activations": ["Tanh"] * 7}, ["activations", "7"]),
        ({"hidden_size": 5}, ["w", "[1,"]),
        ({"hidden_size": 0}, ["hidden_size is 0"]),
        ({"layout": 2}, ["layout is 2"]),
    ],
)
def test_wrong_layers_are_refused(op_type, attrs, words):
    call = cell(op_type)
    call.attrs.update(attrs)
    check_refused(call, *words)


def test_unknown_activation_is_refused():
    check_refused(cell("RNN", activations=["Sine"]), "Sine")


def test_state_of_another_batch_is_refused():
    call = cell("LSTM", optional=("initial_h",))
    call.inputs[5] = np.ones((1, 9, 2), F32)
    check_refused(call, "initial_h", "[1,9,2]", "[1,2,2]")
