"""Bool tensors with bytes other than 0 and 1, as other programs write them: any but 0 is true."""

import numpy as np
import onnx
import pytest
from backend.test_loops import floats, info, model_of
from compile.conftest import compile_command
from onnx import TensorProto, helper

import ge.om

BYTES = np.array([[0, 1, 2, 255], [128, 0, 16, 1], [7, 0, 0, 3]], np.uint8)
B = BYTES != 0
OTHER = np.array([[True, True, False, False]] * 3)
X, Y = floats(0, 3, 4), floats(1, 3, 4)
BOOL, FLOAT, INT64 = TensorProto.BOOL, TensorProto.FLOAT, TensorProto.INT64

# The nodes that read b (their results are r0, r1 ...), beside o, x, y, and what they give.
CASES = {
    "Identity": ([("Identity", ["b"], {})], [B]),
    "Not": ([("Not", ["b"], {})], [~B]),
    "And": ([("And", ["b", "o"], {})], [B & OTHER]),
    "Or": ([("Or", ["o", "b"], {})], [B | OTHER]),
    "Xor": ([("Xor", ["b", "o"], {})], [B ^ OTHER]),
    "Equal": ([("Equal", ["b", "o"], {})], [B == OTHER]),
    "Where": ([("Where", ["b", "x", "y"], {})], [np.where(B, X, Y)]),
    "Where of bools": ([("Where", ["o", "b", "o"], {})], [np.where(OTHER, B, OTHER)]),
    "Cast": (
        [("Cast", ["b"], {"to": to}) for to in (FLOAT, TensorProto.FLOAT16, INT64, BOOL)],
        [B.astype(np.float32), B.astype(np.float16), B.astype(np.int64), B],
    ),
    "NonZero": ([("NonZero", ["b"], {})], [np.array(np.nonzero(B))]),
    "Compress": ([("Compress", ["x", "flat"], {})], [X.reshape(-1)[B.reshape(-1)]]),
    "Transpose": ([("Transpose", ["b"], {"perm": [1, 0]})], [B.T]),
    "Concat": ([("Concat", ["b", "o"], {"axis": 1})], [np.concatenate([B, OTHER], 1)]),
    "Gather": ([("Gather", ["b", "rows"], {})], [B[[2, 0]]]),
    "Tile": ([("Tile", ["b", "twice"], {})], [np.tile(B, (2, 1))]),
    "ScatterElements": (
        [("ScatterElements", ["o", "where", "b"], {"axis": 1})],
        [np.take_along_axis(B, np.array([[3, 2, 1, 0]] * 3), 1)],
    ),
    "ReduceMax": ([("ReduceMax", ["b"], {"keepdims": 0})], [B.max()]),
    "ReduceMin": ([("ReduceMin", ["b"], {"keepdims": 0})], [B.min()]),
}
CONSTANTS = [
    ("rows", np.array([2, 0])),
    ("twice", np.array([2, 1])),
    ("where", np.array([[3, 2, 1, 0]] * 3)),
]


@pytest.mark.parametrize("constant", [False, True], ids=["fed", "constant"])
@pytest.mark.parametrize("name", CASES)
def test_operators_take_any_byte_but_0_for_true(name, constant, run, atc, tmp_path):
    calls, expected = CASES[name]
    nodes = [helper.make_node("Reshape", ["b", "all"], ["flat"])]
    outputs = []
    for i, (op_type, inputs, attrs) in enumerate(calls):
        nodes.append(helper.make_node(op_type, inputs, [f"r{i}"], **attrs))
        shape = [None] * expected[i].ndim
        elem_type = helper.np_dtype_to_tensor_dtype(expected[i].dtype)
        outputs.append(info(f"r{i}", shape, elem_type))
    feeds = {"b": BYTES.view(np.bool_), "o": OTHER, "x": X, "y": Y}
    inputs = [
        info(key, list(array.shape), helper.np_dtype_to_tensor_dtype(array.dtype))
        for key, array in feeds.items()
    ]
    model = model_of(nodes, inputs, outputs, [*CONSTANTS, ("all", np.array([-1]))])
    model.opset_import[0].version = 20
    if constant:
        model.graph.initializer.append(helper.make_tensor("b", BOOL, (3, 4), BYTES.tobytes(), True))
        del model.graph.input[0], feeds["b"]
    onnx.save(model, tmp_path / "model.onnx")
    done = run(*compile_command(atc, tmp_path / "model.onnx", tmp_path / "model"))
    assert done.status == 0, done.stdout
    with ge.om.load(tmp_path / "model.om") as opened:
        results = opened.run(feeds)
    for got, wanted in zip(results.values(), expected, strict=True):
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted)
        if got.dtype == np.bool_:
            assert got.view(np.uint8).max(initial=0) <= 1


@pytest.mark.parametrize("byte", [0, 1, 2, 128, 255])
def test_a_condition_takes_any_byte_but_0_for_true(byte, run, atc, tmp_path):
    branch = {
        name: helper.make_graph(
            [helper.make_node(op_type, ["x"], [name])], name, [], [info(name, [3, 4])]
        )
        for name, op_type in (("then", "Neg"), ("else", "Abs"))
    }
    node = helper.make_node(
        "If", ["c"], ["r"], then_branch=branch["then"], else_branch=branch["else"]
    )
    model = model_of([node], [info("c", [], BOOL), info("x", [3, 4])], [info("r", [3, 4])])
    onnx.save(model, tmp_path / "model.onnx")
    done = run(*compile_command(atc, tmp_path / "model.onnx", tmp_path / "model"))
    assert done.status == 0, done.stdout
    condition = np.array(byte, np.uint8).view(np.bool_)
    with ge.om.load(tmp_path / "model.om") as opened:
        (result,) = opened.run({"c": condition, "x": X}).values()
    np.testing.assert_array_equal(result, -X if byte else np.abs(X))
