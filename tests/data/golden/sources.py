"""The ONNX models behind the golden files: name to (model, feeds, flags of the compiler)."""

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64
RNG = np.random.default_rng(20)


def floats(*shape, dtype=np.float32):
    return (RNG.integers(-64, 65, shape) / 32).astype(dtype)


def node(op_type, inputs, outputs, **attrs):
    """A node; the names of its inputs and outputs stand in one text each, - is one left out."""
    ports = ([name.strip("-") for name in text.split()] for text in (inputs, outputs))
    return helper.make_node(op_type, *ports, **attrs)


def info(name, shape, elem_type=FLOAT):
    return helper.make_tensor_value_info(name, elem_type, shape)


def model(nodes, inputs, outputs, constants=None, opset=17, ir=8):
    arrays = [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()]
    graph = helper.make_graph(nodes, "golden", inputs, outputs, arrays)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir)


def convolutions(dtype=np.float32):
    elem_type = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    nodes = [
        node("Conv", "x w1 b1", "c1", pads=[1, 1, 1, 1], strides=[2, 2]),
        node("BatchNormalization", "c1 scale shift mean var", "n1"),
        node("Relu", "n1", "r1"),
        node("MaxPool", "r1", "p1", kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1]),
        node("Conv", "p1 w2", "c2", group=4, dilations=[2, 2], pads=[2, 2, 2, 2]),
        node("Add", "c2 r1", "a2"),
        node("AveragePool", "a2", "p2", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
        node("ConvTranspose", "p2 w3", "up", strides=[2, 2]),
        node("GlobalAveragePool", "a2", "g"),
        node("Flatten", "g", "f"),
        node("Gemm", "f w4 b4", "y", transB=1),
    ]
    constants = {
        "w1": floats(4, 3, 3, 3) / 4,
        "b1": floats(4),
        "scale": floats(4),
        "shift": floats(4),
        "mean": floats(4),
        "var": np.abs(floats(4)) + 1,
        "w2": floats(4, 1, 3, 3) / 2,
        "w3": floats(4, 2, 2, 2) / 2,
        "w4": floats(5, 4),
        "b4": floats(5),
    }
    constants = {name: array.astype(dtype) for name, array in constants.items()}
    outputs = [info("y", [1, 5], elem_type), info("up", [1, 2, 6, 6], elem_type)]
    source = model(nodes, [info("x", [1, 3, 11, 11], elem_type)], outputs, constants)
    return source, [{"x": floats(1, 3, 11, 11, dtype=dtype)}], []


def half_precision():
    return convolutions(np.float16)


def attention():
    nodes = [
        node("MatMul", "x wq", "q"),
        node("MatMul", "x wk", "k"),
        node("MatMul", "x wv", "v"),
        *(node("Reshape", f"{t} heads", f"{t}1") for t in "qkv"),
        node("Transpose", "q1", "q2", perm=[0, 2, 1, 3]),
        node("Transpose", "k1", "k2", perm=[0, 2, 3, 1]),
        node("Transpose", "v1", "v2", perm=[0, 2, 1, 3]),
        node("MatMul", "q2 k2", "scores"),
        node("Where", "mask scores low", "masked"),
        node("Softmax", "masked", "weights", axis=-1),
        node("MatMul", "weights v2", "mixed"),
        node("Transpose", "mixed", "mixed1", perm=[0, 2, 1, 3]),
        node("Reshape", "mixed1 flat", "joined"),
        node("Add", "joined x", "sum"),
        node("LayerNormalization", "sum gamma beta", "y", axis=-1, epsilon=1e-3),
    ]
    constants = {f"w{t}": floats(8, 8) / 2 for t in "qkv"} | {
        "heads": np.array([0, 0, 2, 4]),
        "flat": np.array([0, 0, -1]),
        "low": np.array(-1e9, np.float32),
        "gamma": floats(8),
        "beta": floats(8),
    }
    inputs = [info("x", [2, 5, 8]), info("mask", [5, 5], BOOL)]
    source = model(nodes, inputs, [info("y", [2, 5, 8])], constants)
    mask = np.tril(np.ones((5, 5), bool))
    return source, [{"x": floats(2, 5, 8), "mask": mask}], []


def recurrent():
    nodes = [
        node("LSTM", "x w r b", "ys yh yc", hidden_size=3, direction="bidirectional"),
        node("Shape", "ys", "sizes"),
        node("GRU", "x w2 r2 - lengths", "zs", hidden_size=2, linear_before_reset=1),
    ]
    constants = {
        "w": floats(2, 12, 4) / 2,
        "r": floats(2, 12, 3) / 2,
        "b": floats(2, 24) / 2,
        "w2": floats(1, 6, 4) / 2,
        "r2": floats(1, 6, 2) / 2,
        "lengths": np.array([5, 3], np.int32),
    }
    outputs = [
        info("ys", [5, 2, 2, 3]),
        info("yh", [2, 2, 3]),
        info("yc", [2, 2, 3]),
        info("zs", [5, 1, 2, 2]),
        info("sizes", [4], INT64),
    ]
    source = model(nodes, [info("x", [5, 2, 4])], outputs, constants)
    return source, [{"x": floats(5, 2, 4)}], []


def branches():
    def graph(name, nodes, result):
        return helper.make_graph(nodes, name, [], [info(result, [2, 3])])

    inner = node(
        "If",
        "second",
        "inner",
        then_branch=graph("a", [node("Mul", "x x", "a_out")], "a_out"),
        else_branch=graph("b", [node("Neg", "x", "b_out")], "b_out"),
    )
    nodes = [
        node("Relu", "x", "before"),
        node(
            "If",
            "first",
            "chosen",
            then_branch=graph("c", [inner, node("Add", "inner before", "c_out")], "c_out"),
            else_branch=graph("d", [node("Abs", "x", "t"), node("Exp", "t", "d_out")], "d_out"),
        ),
        node("Add", "chosen before", "y"),
    ]
    inputs = [info("x", [2, 3]), info("first", [], BOOL), info("second", [], BOOL)]
    source = model(nodes, inputs, [info("y", [2, 3])])
    x = floats(2, 3)
    feeds = [
        {"x": x, "first": np.array(first), "second": np.array(second)}
        for first in (True, False)
        for second in (True, False)
    ]
    return source, feeds, []


def loops():
    body = helper.make_graph(
        [
            node("Add", "a step", "b_out"),
            node("Mul", "b half", "a_out"),
            node("ReduceSum", "b_out", "total", keepdims=0),
            node("Less", "total limit", "go_on"),
        ],
        "body",
        [info("i", [], INT64), info("go", [], BOOL), info("a", [3]), info("b", [3])],
        [info("go_on", [], BOOL), info("a_out", [3]), info("b_out", [3]), info("total", [])],
    )
    scanned = helper.make_graph(
        [node("Add", "s e", "s_out"), node("Mul", "s_out e", "product")],
        "scanned",
        [info("s", [3]), info("e", [3])],
        [info("s_out", [3]), info("product", [3])],
    )
    nodes = [
        node("Loop", "count - x y", "xo yo totals", body=body),
        node("Scan", "x rows", "last products", body=scanned, num_scan_inputs=1),
    ]
    inputs = [
        info("count", [], INT64),
        info("x", [3]),
        info("y", [3]),
        info("step", [3]),
        info("rows", [4, 3]),
    ]
    outputs = [
        info("xo", [3]),
        info("yo", [3]),
        info("totals", [None]),
        info("last", [3]),
        info("products", [4, 3]),
    ]
    constants = {"half": np.array(0.5, np.float32), "limit": np.array(6, np.float32)}
    feed = {name: floats(3) for name in ("x", "y")}
    feed |= {"step": np.ones(3, np.float32), "rows": floats(4, 3)}
    feeds = [feed | {"count": np.array(count)} for count in (0, 1, 20)]
    return model(nodes, inputs, outputs, constants), feeds, []


def unknown_dims():
    nodes = [
        node("Shape", "x", "n", end=1),
        node("Concat", "n rest", "target", axis=0),
        node("Reshape", "x target", "flat"),
        node("MatMul", "flat w", "h"),
        node("Tanh", "h", "t"),
        node("ReduceMax", "t", "top", axes=[0], keepdims=1),
        node("Sub", "t top", "y"),
    ]
    constants = {"rest": np.array([-1]), "w": floats(6, 4) / 2}
    outputs = [info("y", ["n", 4]), info("top", [1, 4])]
    source = model(nodes, [info("x", ["n", 2, 3])], outputs, constants)
    feeds = [{"x": floats(n, 2, 3)} for n in (1, 7, 3)]
    return source, feeds, ["--input_shape=x:1~8,2,3"]


def sizes_from_data():
    nodes = [
        node("Greater", "x zero", "mask"),
        node("NonZero", "mask", "where"),
        node("Transpose", "where", "places", perm=[1, 0]),
        node("GatherND", "x places", "values"),
        node("Unique", "values", "y - - counts", sorted=1),
    ]
    outputs = [info("y", [None]), info("counts", [None], INT64), info("where", [2, None], INT64)]
    source = model(nodes, [info("x", [4, 5])], outputs, {"zero": np.array(0, np.float32)})
    feeds = [{"x": np.round(floats(4, 5))}, {"x": -np.ones((4, 5), np.float32)}]
    return source, feeds, []


def quantised():
    nodes = [
        node("QuantizeLinear", "x xs xz", "qx"),
        node("QLinearConv", "qx xs xz w ws wz ys yz bias", "qy", pads=[1, 1, 1, 1]),
        node("DequantizeLinear", "qy ys yz", "y"),
        node("Reshape", "qy flat", "rows"),
        node("MatMulInteger", "rows m", "sums"),
        node("DynamicQuantizeLinear", "x", "dq dscale dzero"),
    ]
    constants = {
        "xs": np.array(0.0625, np.float32),
        "xz": np.array(-3, np.int8),
        "w": RNG.integers(-20, 21, (4, 2, 3, 3)).astype(np.int8),
        "ws": np.array([0.25, 0.125, 0.5, 0.0625], np.float32),
        "wz": np.zeros(4, np.int8),
        "ys": np.array(0.5, np.float32),
        "yz": np.array(5, np.int8),
        "bias": RNG.integers(-90, 91, 4).astype(np.int32),
        "flat": np.array([4, 25]),
        "m": RNG.integers(-9, 10, (25, 3)).astype(np.int8),
    }
    outputs = [
        info("y", [1, 4, 5, 5]),
        info("sums", [4, 3], TensorProto.INT32),
        info("dq", [1, 2, 5, 5], TensorProto.UINT8),
        info("dscale", []),
        info("dzero", [], TensorProto.UINT8),
    ]
    source = model(nodes, [info("x", [1, 2, 5, 5])], outputs, constants)
    return source, [{"x": floats(1, 2, 5, 5)}], []


def dtypes():
    """Every type goes in, is moved, is cast to the next one and comes out."""
    types = [
        *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
        *("float16", "float32", "float64", "bool", "bfloat16", "float8_e4m3fn", "float8_e5m2"),
    ]
    types = [np.dtype(getattr(ml_dtypes, t, t)) for t in types]
    elem_types = [helper.np_dtype_to_tensor_dtype(t) for t in types]
    nodes, inputs, outputs, feed = [], [], [], {}
    for i, (dtype, elem_type) in enumerate(zip(types, elem_types, strict=True)):
        following = elem_types[(i + 1) % len(types)]
        nodes.append(node("Transpose", f"x{i}", f"moved{i}", perm=[1, 0]))
        nodes.append(node("Cast", f"x{i}", f"cast{i}", to=following))
        inputs.append(info(f"x{i}", [2, 3], elem_type))
        outputs += [info(f"moved{i}", [3, 2], elem_type), info(f"cast{i}", [2, 3], following)]
        feed[f"x{i}"] = RNG.integers(0, 100, (2, 3)).astype(dtype)
    nodes += [node("Cast", "x9", "four", to=TensorProto.INT4), node("Cast", "four", "four_y", to=1)]
    outputs.append(info("four_y", [2, 3]))
    feed["x9"] = np.array([[0, 1, -1], [7, -8, 3]], np.float32)
    return model(nodes, inputs, outputs, opset=21, ir=10), [feed], []


def movement():
    nodes = [
        node("Slice", "x starts ends axes steps", "sliced"),
        node("Pad", "sliced pads", "padded", mode="reflect"),
        node("Split", "padded", "left right", axis=1),
        node("Concat", "right left", "swapped", axis=0),
        node("Gather", "swapped picks", "picked", axis=1),
        node("TopK", "picked two", "best places", axis=0),
        node("ScatterElements", "best places_of updates", "scattered", axis=1),
        node("Unsqueeze", "x front", "image"),
        node("Resize", "image - scales", "larger", mode="linear"),
        node("CumSum", "x last", "sums", reverse=1),
        node("ArgMax", "x", "highest", axis=0),
    ]
    constants = {
        "starts": np.array([5, -1]),
        "ends": np.array([-(2**63), 0]),
        "axes": np.array([0, 1]),
        "steps": np.array([-2, -1]),
        "pads": np.array([1, 0, 1, 1]),
        "picks": np.array([[-1, 0], [1, 1]]),
        "two": np.array([2]),
        "places_of": np.array([[[1, 0]], [[0, 1]]]),
        "updates": np.array([[[1, 2]], [[3, 4]]], np.float32),
        "front": np.array([0, 1]),
        "scales": np.array([1, 1, 1.5, 2], np.float32),
        "last": np.array(1),
    }
    outputs = [
        info("scattered", [2, 2, 2]),
        info("places", [2, 2, 2], INT64),
        info("larger", [1, 1, 9, 12]),
        info("sums", [6, 6]),
        info("highest", [1, 6], INT64),
    ]
    return model(nodes, [info("x", [6, 6])], outputs, constants), [{"x": floats(6, 6)}], []


def activations():
    nodes = [
        node("Conv", "x w1", "c1", pads=[1, 1, 1, 1]),
        node("Clip", "c1 low high", "a1"),
        node("Conv", "a1 w2", "c2"),
        node("LeakyRelu", "c2", "a2", alpha=0.125),
        node("ConvTranspose", "a2 w3", "c3", strides=[2, 2]),
        node("HardSigmoid", "c3", "up", alpha=0.25, beta=0.5),
        node("GlobalAveragePool", "a2", "g"),
        node("Flatten", "g", "f"),
        node("Gemm", "f w4 b4", "c4"),
        node("Tanh", "c4", "y"),
    ]
    constants = {
        "w1": floats(4, 3, 3, 3) / 4,
        "low": np.array(-0.5, np.float32),
        "high": np.array(1.5, np.float32),
        "w2": floats(4, 4, 1, 1) / 2,
        "w3": floats(4, 2, 2, 2) / 2,
        "w4": floats(4, 5),
        "b4": floats(5),
    }
    outputs = [info("y", [1, 5]), info("up", [1, 2, 12, 12])]
    source = model(nodes, [info("x", [1, 3, 6, 6])], outputs, constants)
    return source, [{"x": floats(1, 3, 6, 6)}], []


SOURCES = {
    source.__name__: source
    for source in (
        convolutions,
        half_precision,
        attention,
        recurrent,
        branches,
        loops,
        unknown_dims,
        sizes_from_data,
        quantised,
        dtypes,
        movement,
        activations,
    )
}
