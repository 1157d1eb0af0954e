"""Operators that move elements: Transpose, Slice, Pad, Concat, Split and their kin."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_folds, check_refused, check_shapes, import_call

few = settings(max_examples=25)
DTYPES = (
    np.dtype(np.float32),
    np.dtype(np.int64),
    np.dtype(np.int8),
    np.dtype(np.float16),
    gen.BF16,
)
INT64_MAX, INT64_MIN = 2**63 - 1, -(2**63)


def ints(*values):
    return np.array(values, np.int64)


def counting(shape, dtype=np.float32):
    return (np.arange(np.prod(shape, dtype=int)) % 100).astype(dtype).reshape(shape)


@few
@given(data=st.data(), dtype=st.sampled_from(DTYPES))
def test_transpose(data, dtype):
    x = counting(data.draw(gen.shapes(max_dim=3)), dtype)
    perm = data.draw(st.none() | st.permutations(range(x.ndim)))
    call = Call("Transpose", [x], {} if perm is None or not x.ndim else {"perm": perm}, opset=13)
    check_folds(call)
    hidden = data.draw(gen.hidden_dims(call.inputs))
    assume("perm" in call.attrs or None not in hidden.values())
    check_shapes(call, hidden=hidden)


@pytest.mark.parametrize("perm", [[0], [0, 0], [0, 5], [0, 1, 2]])
def test_a_perm_that_does_not_fit_is_refused(perm):
    check_refused(Call("Transpose", [counting((2, 3))], {"perm": perm}), "node")


bounds = st.integers(-7, 7) | st.sampled_from([INT64_MAX, INT64_MIN, INT64_MAX - 1, -(2**31)])


@st.composite
def slices(draw):
    x = counting(draw(gen.shapes(min_rank=1, max_rank=3, max_dim=5)))
    axes = draw(gen.axis_lists(x.ndim, min_size=1))
    steps = st.integers(-3, 3).filter(bool) | st.sampled_from([INT64_MAX, INT64_MIN + 1])
    lists = [[draw(kind) for _ in axes] for kind in (bounds, bounds, steps)]
    return x, lists[0], lists[1], axes, lists[2]


@settings(max_examples=80)
@given(data=st.data(), case=slices())
def test_slice(data, case):
    x, starts, ends, axes, steps = case
    inputs = [x, ints(*starts), ints(*ends), ints(*axes), ints(*steps)]
    if data.draw(st.booleans()):
        inputs = inputs[:4]
    if axes == list(range(len(axes))) and data.draw(st.booleans()):
        inputs[3] = None
    call = Call("Slice", inputs, opset=data.draw(st.sampled_from([10, 11, 13])))
    check_folds(call)
    constant = (1, 2, 3, 4)
    check_shapes(call, constant, hidden=data.draw(gen.hidden_dims(inputs, keep=constant)))


@few
@given(data=st.data(), case=slices())
def test_slice_by_attributes(data, case):
    x, starts, ends, axes, _ = case
    attrs = {"starts": starts, "ends": ends, "axes": [a % x.ndim for a in axes]}
    check_folds(Call("Slice", [x], attrs, opset=9))


def test_slice_by_unknown_bounds_keeps_the_other_axes():
    call = Call("Slice", [counting((4, 5)), ints(1), ints(3), ints(1)])
    assert import_call(call, constant=(3,))["outputs"][0]["shape"] == [4, -1]
    assert import_call(call)["outputs"][0]["shape"] == [-1, -1]


def test_a_slice_without_elements_joins_like_any_other():
    empty = Call("Slice", [counting((1, 4)), ints(4), ints(9), ints(1)])
    assert import_call(empty, constant=(0, 1, 2, 3))["outputs"][0]["shape"] == [1, 0]
    check_folds(Call("Concat", [np.ones((1, 0), np.float32), counting((1, 4))], {"axis": 1}))


def test_a_step_of_0_is_refused():
    call = Call("Slice", [counting((4,)), ints(0), ints(3), ints(0), ints(0)])
    check_refused(call, "stride", "0", constant=(1, 2, 3, 4))


@pytest.mark.parametrize("axes", [[0, 0], [0, -2], [2, 0]])
def test_axes_of_a_slice_that_do_not_fit_are_refused(axes):
    call = Call("Slice", [counting((4, 3)), ints(0, 0), ints(3, 3), ints(*axes)])
    check_refused(call, "axis", constant=(1, 2, 3))


@st.composite
def concats(draw):
    shape = list(draw(gen.shapes(min_rank=1, max_dim=3)))
    axis = draw(gen.axis_of(len(shape)))
    dtype = draw(st.sampled_from(DTYPES))
    operands = []
    for _ in range(draw(st.integers(1, 4))):
        shape[axis] = draw(st.integers(0, 3))
        operands.append(counting(shape, dtype))
    return operands, axis


@few
@given(data=st.data(), case=concats())
def test_concat(data, case):
    operands, axis = case
    call = Call("Concat", operands, {"axis": axis}, opset=13)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(operands)))


def test_concat_names_shapes_axes_and_producers():
    call = Call("Concat", [np.ones((1, 3, 80, 80, 2)), np.ones((1, 3, 40, 40, 81))], {"axis": -1})
    check_refused(call, "[1,3,80,80,2]", "[1,3,40,40,81]", "axes 2 and 3", "axis 4", "[x0]", "[x1]")


def test_concat_of_different_ranks_is_refused():
    check_refused(
        Call("Concat", [np.ones((2, 2)), np.ones(2)], {"axis": 0}), "rank", "[2,2]", "[2]"
    )


@few
@given(data=st.data(), opset=st.sampled_from([11, 13, 18]), dtype=st.sampled_from(DTYPES))
def test_split(data, opset, dtype):
    shape = list(data.draw(gen.shapes(min_rank=1, max_rank=3, max_dim=3)))
    axis = data.draw(gen.axis_of(len(shape)))
    attrs, inputs, sizes = {"axis": axis}, [], None
    count = data.draw(st.integers(1, 4))
    if data.draw(st.booleans()):
        sizes = [data.draw(st.integers(0, 3)) for _ in range(count)]
        shape[axis] = sum(sizes)
    else:
        shape[axis] *= count
        if opset == 18:
            attrs["num_outputs"] = count
            if shape[axis]:
                shape[axis] -= data.draw(st.integers(0, min(1, shape[axis] // count - 1)))
    inputs.append(counting(shape, dtype))
    if sizes is not None and opset >= 13:
        inputs.append(ints(*sizes))
    elif sizes is not None:
        attrs["split"] = sizes
    call = Call("Split", inputs, attrs, opset, outputs=count)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims(inputs, keep=(1,))))


@pytest.mark.parametrize(
    ("attrs", "opset", "words"),
    [
        ({"split": [2, 2]}, 11, ["[2,2]", "5"]),
        ({"split": [6, -1]}, 11, ["negative"]),
        ({"split": [5]}, 11, ["1 sizes", "2 outputs"]),
        ({}, 13, ["[5]", "2 equal parts"]),
        ({"num_outputs": 3}, 18, ["num_outputs", "3", "2"]),
    ],
)
def test_splits_that_do_not_fit_are_refused(attrs, opset, words):
    check_refused(Call("Split", [counting((5,))], attrs, opset, outputs=2), *words)


@few
@given(data=st.data(), pair=gen.broadcastable(max_dim=3), dtype=st.sampled_from(DTYPES))
def test_expand(data, pair, dtype):
    call = Call("Expand", [counting(pair[0], dtype), ints(*pair[1])], opset=13)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims(call.inputs, keep=(1,))))


def test_expand_by_an_unknown_shape_of_known_length():
    call = Call("Expand", [counting((1, 3)), ints(2, 2, 3)])
    assert import_call(call)["outputs"][0]["shape"] == [-1, -1, 3]


@few
@given(data=st.data(), dtype=st.sampled_from(DTYPES))
def test_tile(data, dtype):
    x = counting(data.draw(gen.shapes(min_rank=1, max_rank=3, max_dim=3)), dtype)
    repeats = [data.draw(st.integers(0, 3)) for _ in x.shape]
    if dtype == gen.BF16:
        return  # onnxruntime has none
    call = Call("Tile", [x, ints(*repeats)], opset=13)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims(call.inputs, keep=(1,))))


@pytest.mark.parametrize("repeats", [(2**62, 2**62), (1,), (1, -1)])
def test_repeats_that_do_not_fit_are_refused(repeats):
    check_refused(Call("Tile", [counting((2, 3)), ints(*repeats)]), "node", constant=(1,))


@st.composite
def pads(draw, mode):
    x = counting(draw(gen.shapes(min_rank=1, max_rank=3, min_dim=2, max_dim=5)))
    most = 4 if mode in ("constant", "edge") else 1
    values = [draw(st.integers(-1 if mode == "constant" else 0, most)) for _ in range(2 * x.ndim)]
    return x, values


@settings(max_examples=60)
@given(data=st.data(), mode=st.sampled_from(["constant", "reflect", "edge", "wrap"]))
def test_pad(data, mode):
    x, values = data.draw(pads(mode))
    inputs = [x, ints(*values)]
    if data.draw(st.booleans()):
        inputs.append(np.array(7, np.float32))
    call = Call("Pad", inputs, {"mode": mode}, opset=19)
    check_folds(call)
    constant = (1, 2)
    check_shapes(call, constant, hidden=data.draw(gen.hidden_dims(inputs, keep=constant)))


@pytest.mark.parametrize("opset", [18, 21, 23])
def test_pad_of_some_axes(opset):
    call = Call("Pad", [counting((2, 3, 4)), ints(1, 0, 2, 1), None, ints(-1, 0)], {}, opset)
    check_folds(call)
    check_shapes(call, constant=(1, 3), hidden={0: (1,)})


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge"])
def test_pad_by_attributes(mode):
    check_folds(
        Call("Pad", [counting((2, 3))], {"pads": [1, 0, 1, 2], "mode": mode, "value": 2.5}, 7)
    )


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64, np.uint8, np.bool_])
def test_pad_of_other_dtypes(dtype):
    check_folds(Call("Pad", [np.ones((2, 2), dtype), ints(1, 1, 0, 0)], opset=13))


@pytest.mark.parametrize(
    ("values", "mode"),
    [
        ((1,), "constant"),
        ((-3, -1, 0, 0), "constant"),
        ((2**63 - 1, 0, 9, 0), "constant"),
        ((0,) * 4, "odd"),
    ],
)
def test_pads_that_do_not_fit_are_refused(values, mode):
    call = Call("Pad", [counting((2, 2)), ints(*values)], {"mode": mode}, 13)
    check_refused(call, "node", constant=(1,))


@few
@given(data=st.data())
def test_center_crop_pad(data):
    x = counting(data.draw(gen.shapes(min_rank=1, max_rank=3, min_dim=1, max_dim=5)))
    axes = data.draw(gen.axis_lists(x.ndim, min_size=1))
    wanted = [data.draw(st.integers(1, 6)) for _ in axes]
    check_folds(Call("CenterCropPad", [x, ints(*wanted)], {"axes": axes}, opset=18))


@few
@given(data=st.data())
def test_reverse_sequence(data):
    x = counting(data.draw(gen.shapes(min_rank=2, max_rank=3, min_dim=1)))
    batch = data.draw(st.integers(0, 1))
    lengths = [data.draw(st.integers(1, x.shape[1 - batch])) for _ in range(x.shape[batch])]
    call = Call(
        "ReverseSequence", [x, ints(*lengths)], {"batch_axis": batch, "time_axis": 1 - batch}, 10
    )
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))
