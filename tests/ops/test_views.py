"""Operators that only give a tensor another shape, and those that ask for shapes."""

import numpy as np
import onnx
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from ops.oracle import Call, check_folds, check_refused, check_shapes, import_call, import_model

few = settings(max_examples=25)
DTYPES = (*gen.NUMBERS, np.dtype(np.bool_), gen.BF16)


def ints(*values):
    return np.array(values, np.int64)


@st.composite
def reshapes(draw):
    """A shape and a Reshape list for it, with 0 (a copy) and -1 where they fit."""
    shape = draw(gen.shapes(min_rank=1, min_dim=1, max_dim=4))
    wanted = list(draw(st.permutations(shape)))
    if draw(st.booleans()):
        wanted = [d for d in wanted if d != 1]
    for axis, dim in enumerate(wanted):
        if axis < len(shape) and dim == shape[axis] and draw(st.booleans()):
            wanted[axis] = 0
    if wanted and draw(st.booleans()):
        wanted[draw(st.integers(0, len(wanted) - 1))] = -1
    return shape, wanted


@few
@given(data=st.data(), case=reshapes(), dtype=st.sampled_from(DTYPES))
def test_reshape(data, case, dtype):
    shape, wanted = case
    call = Call("Reshape", [np.ones(shape, dtype), ints(*wanted)], opset=14)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims(call.inputs, keep=(1,))))


def test_reshape_knows_the_free_dim_behind_a_copied_unknown_one():
    call = Call("Reshape", [np.ones((4, 64, 100), np.float32), ints(0, 4, 16, -1)])
    imported = import_call(call, constant=(1,), hidden={0: (0,)})
    assert imported["outputs"][0]["shape"] == [-1, 4, 16, 100]


def test_reshape_by_a_shape_of_known_length_has_a_known_rank():
    call = Call("Reshape", [np.ones((4, 6), np.float32), ints(2, 3, 4)])
    assert import_call(call)["outputs"][0]["shape"] == [-1, -1, -1]


def test_allowzero_keeps_a_zero():
    x = np.ones((0, 3), np.float32)
    check_folds(Call("Reshape", [x, ints(3, 0)], {"allowzero": 1}, opset=14))
    check_folds(Call("Reshape", [x, ints(0, 3)], opset=14))


def reshape_with_baked_batch(batch, wanted):
    node = helper.make_node("Reshape", ["x", "shape"], ["y"], name="dfl/Reshape")
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 64, 100])
    shape = numpy_helper.from_array(ints(*wanted), "shape")
    graph = helper.make_graph([node], "g", [x], [onnx.ValueInfoProto(name="y")], [shape])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])


def test_a_batch_baked_into_a_reshape_is_named():
    from ge import _testing

    with pytest.raises(_testing.CompileError) as caught:
        import_model(reshape_with_baked_batch(4, [1, 4, 16, 100]))
    (problem,) = caught.value.problems
    for words in ("dfl/Reshape", "[shape]", "25600", "6400", "factor is 4", "batch 1"):
        assert words in problem["message"]
    assert "dynamic batch" in problem["solution"]


def test_a_mismatch_without_a_factor_does_not_guess():
    call = Call("Reshape", [np.ones((2, 3), np.float32), ints(4)])
    check_refused(call, "6 elements", "4", constant=(1,))


@pytest.mark.parametrize(
    "wanted", [(-1, -1), (-2,), (5, -1), (0, 0, 0, 6), (2**62, 2**62), (-(2**63),)]
)
def test_reshapes_that_cannot_be_are_refused(wanted):
    call = Call("Reshape", [np.ones((2, 3), np.float32), ints(*wanted)])
    check_refused(call, "node", constant=(1,))


@few
@given(data=st.data(), opset=st.sampled_from([11, 13]))
def test_flatten(data, opset):
    shape = data.draw(gen.shapes(max_dim=3))
    axis = data.draw(st.integers(-len(shape), len(shape)))
    call = Call("Flatten", [np.ones(shape, np.float32)], {"axis": axis}, opset)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


def with_axes(op_type, x, axes, opset):
    if opset < 13:
        return Call(op_type, [x], {} if axes is None else {"axes": axes}, opset)
    return Call(op_type, [x] if axes is None else [x, ints(*axes)], {}, opset)


@few
@given(data=st.data(), opset=st.sampled_from([11, 13]))
def test_squeeze(data, opset):
    shape = data.draw(gen.shapes(max_dim=2))
    ones = [axis for axis, dim in enumerate(shape) if dim == 1]
    axes = data.draw(
        st.none() | st.lists(st.sampled_from(ones), unique=True) if ones else st.none()
    )
    if axes == []:
        axes = None  # onnxruntime reads an empty list as none given
    call = with_axes("Squeeze", np.ones(shape, np.float32), axes, opset)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims(call.inputs, keep=(1,))))


@few
@given(data=st.data(), opset=st.sampled_from([11, 13]))
def test_unsqueeze(data, opset):
    shape = data.draw(gen.shapes(max_rank=3, max_dim=3))
    count = data.draw(st.integers(1, 2))
    rank = len(shape) + count
    axes = list(data.draw(st.permutations(range(rank)))[:count])
    axes = [a - rank if data.draw(st.booleans()) else a for a in axes]
    call = with_axes("Unsqueeze", np.ones(shape, np.float32), axes, opset)
    check_folds(call)
    check_shapes(call, constant=(1,), hidden=data.draw(gen.hidden_dims(call.inputs, keep=(1,))))


def test_axes_that_are_not_constant_leave_the_rank_known():
    x = np.ones((1, 2, 1), np.float32)
    squeezed = import_call(Call("Squeeze", [x, ints(0, 2)]))
    assert squeezed["outputs"][0]["shape"] == [-1]
    unsqueezed = import_call(Call("Unsqueeze", [x, ints(0)]))
    assert unsqueezed["outputs"][0]["shape"] == [-1] * 4


@pytest.mark.parametrize(
    ("op_type", "axes"),
    [("Squeeze", [0]), ("Squeeze", [5]), ("Unsqueeze", [0, 0]), ("Unsqueeze", [9])],
)
def test_axes_that_do_not_fit_are_refused(op_type, axes):
    check_refused(
        with_axes(op_type, np.ones((2, 1), np.float32), axes, 13), "node", "axis", constant=(1,)
    )


@few
@given(data=st.data())
def test_shape_of_known_dims_is_a_constant(data):
    shape = data.draw(gen.shapes())
    attrs = {}
    for name in ("start", "end"):
        if data.draw(st.booleans()):
            attrs[name] = data.draw(st.integers(-6, 6))
    call = Call("Shape", [np.ones(shape, np.float32)], attrs, opset=15)
    check_folds(call)
    assert import_call(call)["outputs"][0]["value"] is not None
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


def test_the_known_part_of_a_shape_is_a_constant():
    call = Call("Shape", [np.ones((5, 3, 8), np.float32)], {"start": 1}, opset=15)
    assert import_call(call, hidden={0: (0,)})["outputs"][0]["value"] == [3, 8]


@few
@given(data=st.data(), shape=gen.shapes())
def test_size(data, shape):
    call = Call("Size", [np.ones(shape, np.float32)], opset=13)
    check_folds(call)
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


@pytest.mark.parametrize(
    ("opset", "attrs"), [(7, {"ratio": 0.3}), (10, {}), (12, {"seed": 1}), (22, {})]
)
def test_dropout_passes_its_input_through(opset, attrs):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    call = Call("Dropout", [x], attrs, opset, outputs=2)
    check_folds(call)
    check_shapes(call)


def test_dropout_in_training_is_refused():
    x = np.ones(3, np.float32)
    call = Call("Dropout", [x, np.array(0.5, np.float32), np.array(True)], opset=13)
    check_refused(call, "training_mode", constant=(1, 2))
    passed = Call("Dropout", [x, np.array(0.5, np.float32), np.array(False)], opset=13)
    check_shapes(passed, constant=(1, 2))


@few
@given(x=st.sampled_from(DTYPES).flatmap(lambda dtype: gen.arrays(dtype, gen.shapes(max_rank=2))))
def test_identity(x):
    if x.dtype != np.uint64:
        check_folds(Call("Identity", [x], opset=16))


@pytest.mark.parametrize(
    "attrs",
    [
        {"value_int": 2**60 + 1},
        {"value_ints": [3, -4]},
        {"value_float": 0.1},
        {"value_floats": [1.5, -0.1]},
        {"value": numpy_helper.from_array(np.arange(6, dtype=np.int16).reshape(2, 3))},
    ],
)
def test_constant_takes_each_kind_of_value(attrs):
    check_folds(Call("Constant", [], attrs, opset=13))


@pytest.mark.parametrize("attrs", [{"value_string": "a"}, {"value_strings": ["a"]}])
def test_constants_of_strings_are_refused(attrs):
    check_refused(Call("Constant", [], attrs, opset=13), "value_string")
