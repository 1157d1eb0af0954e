"""FuseConvBatchNorm, FuseConvScale, FuseConvBias: a convolution takes over what follows it."""

import numpy as np
import pytest
from onnx import helper
from passes.models import F16, F32, model, node

import ge.om

RNG = np.random.default_rng(3)
BATCH_NORM = ("scale", "offset", "mean", "variance")
DTYPES = {F32: np.float32, F16: np.float16}

# name -> operator, dims of x, dims of the filter, attributes, channels of the result, GE type
CONVOLUTIONS = {
    "2d": ("Conv", [2, 3, 6, 6], [4, 3, 3, 3], {"pads": [1, 1, 1, 1]}, 4, "Conv2D"),
    "1d": ("Conv", [2, 3, 9], [4, 3, 3], {}, 4, "Conv2D"),
    "3d": ("Conv", [1, 3, 4, 4, 4], [4, 3, 2, 2, 2], {}, 4, "Conv3D"),
    "grouped": ("Conv", [1, 4, 5, 5], [6, 2, 3, 3], {"group": 2}, 6, "Conv2D"),
    "depthwise": ("Conv", [1, 4, 5, 5], [4, 1, 3, 3], {"group": 4}, 4, "Conv2D"),
    "one channel": ("Conv", [1, 3, 5, 5], [1, 3, 3, 3], {}, 1, "Conv2D"),
    "transposed": ("ConvTranspose", [1, 3, 5, 5], [3, 4, 3, 3], {}, 4, "Conv2DTranspose"),
    "transposed 1d": ("ConvTranspose", [1, 3, 5], [3, 4, 3], {}, 4, "Conv2DTranspose"),
    "transposed 3d": ("ConvTranspose", [1, 3, 3, 3, 3], [3, 2, 2, 2, 2], {}, 2, "Conv3DTranspose"),
    "transposed, grouped": (
        "ConvTranspose",
        [1, 4, 5, 5],
        [4, 3, 3, 3],
        {"group": 2, "strides": [2, 2]},
        6,
        "Conv2DTranspose",
    ),
}
ONLY_1D = {"Unsqueeze": 1, "Squeeze": 1}


def numbers(*dims, dtype=np.float32):
    return RNG.standard_normal(dims).astype(dtype)


def vectors(channels, dtype=np.float32):
    """Inputs of a BatchNormalization."""
    values = {name: numbers(channels, dtype=dtype) for name in BATCH_NORM}
    values["variance"] = (np.abs(values["variance"]) + 0.1).astype(dtype)
    return values


def convolution(kind, *, bias=False, dtype=F32):
    """Nodes, inputs, constants and the GE types of a convolution x -> c."""
    op_type, dims, filter_dims, attrs, channels, ge_type = CONVOLUTIONS[kind]
    constants = {"w": numbers(*filter_dims, dtype=DTYPES[dtype])}
    if bias:
        constants["b"] = numbers(channels, dtype=DTYPES[dtype])
    nodes = [node(op_type, "x,w,b" if bias else "x,w", "c", **attrs)]
    return nodes, {"x": dims}, constants, {ge_type: 1} | (ONLY_1D if len(dims) == 3 else {})


def along_channels(kind, values):
    """The vector with axes of length 1 behind it, so that it broadcasts to the result."""
    return values.reshape(-1, *[1] * (len(CONVOLUTIONS[kind][1]) - 2))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_a_batch_norm_goes_into_the_convolution(check_fused, kind, bias):
    nodes, inputs, constants, expected = convolution(kind, bias=bias)
    constants |= vectors(CONVOLUTIONS[kind][4])
    nodes += [node("BatchNormalization", "c,scale,offset,mean,variance", "y", epsilon=1e-3)]
    graph = check_fused(model(nodes, inputs, ["y"], constants), expected)
    (conv,) = [row for row in graph.nodes if row.type.startswith("Conv")]
    assert (conv.name, conv.sources) == ("c", ("c", "y"))


@pytest.mark.parametrize("scalar", [False, True])
@pytest.mark.parametrize("op_type", ["Mul", "Div", "Add", "Sub", "Mul, constant first"])
@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_a_constant_per_channel_goes_into_the_convolution(check_fused, kind, op_type, scalar):
    nodes, inputs, constants, expected = convolution(kind, bias=kind == "2d")
    constants["k"] = along_channels(kind, numbers(1 if scalar else CONVOLUTIONS[kind][4]))
    operands = "k,c" if "first" in op_type else "c,k"
    nodes += [node(op_type.split(",")[0], operands, "y")]
    check_fused(model(nodes, inputs, ["y"], constants), expected)


@pytest.mark.parametrize("kind", ["2d", "1d", "transposed"])
def test_a_whole_chain_goes_into_the_convolution(check_fused, kind):
    nodes, inputs, constants, expected = convolution(kind)
    channels = CONVOLUTIONS[kind][4]
    constants |= vectors(channels)
    for name in "abd":
        constants[name] = along_channels(kind, numbers(channels))
    nodes += [
        node("Add", "c,a", "c1"),
        node("BatchNormalization", "c1,scale,offset,mean,variance", "c2"),
        node("Mul", "c2,b", "c3"),
        node("Add", "c3,d", "c4"),
        node("Abs", "c4", "y"),
    ]
    graph = check_fused(model(nodes, inputs, ["y"], constants), expected | {"Abs": 1})
    (conv,) = [row for row in graph.nodes if row.type.startswith("Conv")]
    assert conv.sources == ("c", "c1", "c2", "c3", "c4")


def test_constants_keep_their_dtype(check_fused):
    nodes, inputs, constants, expected = convolution("2d", dtype=F16)
    constants |= vectors(4, np.float16)
    nodes += [node("BatchNormalization", "c,scale,offset,mean,variance", "y")]
    check_fused(model(nodes, inputs, ["y"], constants, dtype=F16), expected, rtol=3e-3)


def test_sizes_that_are_not_known_do_not_matter(check_fused):
    nodes, _, constants, expected = convolution("2d")
    constants |= vectors(4)
    nodes += [node("BatchNormalization", "c,scale,offset,mean,variance", "y")]
    open_dims = model(nodes, {"x": ["n", 3, "h", "w"]}, ["y"], constants)
    feeds = {"x": numbers(2, 3, 5, 7)}
    flags = ["--input_shape=x:-1,3,-1,-1"]
    check_fused(open_dims, expected, feeds=feeds, flags=flags)


def test_a_shared_filter_is_copied_for_each_that_changes_it(check_fused, tmp_path):
    nodes, inputs, constants, _ = convolution("2d")
    constants |= vectors(4) | {"k": numbers(4, 1, 1)}
    nodes += [
        node("BatchNormalization", "c,scale,offset,mean,variance", "y1"),
        node("Conv", "x,w", "d"),
        node("Mul", "d,k", "y2"),
        node("Conv", "x,w", "y3", strides=[2, 2]),
    ]
    check_fused(model(nodes, inputs, ["y1", "y2", "y3"], constants), {"Conv2D": 3})
    with ge.om.load(tmp_path / "model.om") as opened:
        filters = [array for array in opened.weights.values() if np.ndim(array) == 4]
    assert len(filters) == 3
    assert sum(np.array_equal(array, constants["w"]) for array in filters) == 1


def test_a_branch_is_rewritten_too(check_fused, tmp_path):
    nodes, inputs, constants, _ = convolution("2d")
    constants |= vectors(4)
    nodes += [node("BatchNormalization", "c,scale,offset,mean,variance", "y")]
    branch = helper.make_graph(nodes, "then", [], [helper.make_empty_tensor_value_info("y")])
    other = helper.make_graph(
        [node("Conv", "x,w", "z", pads=[1, 1, 1, 1])],
        "else",
        [],
        [helper.make_empty_tensor_value_info("z")],
    )
    nodes = [
        node("ReduceSum", "x", "sum", keepdims=0),
        node("Cast", "sum", "condition", to=9),
        node("If", "condition", "r", then_branch=branch, else_branch=other),
    ]
    check_fused(model(nodes, inputs, ["r"], constants))
    with ge.om.load(tmp_path / "model.om") as opened:
        assert [graph.operators().get("Conv2D") for graph in opened.graphs] == [None, 1, 1]
        assert not any("BNInfer" in graph.operators() for graph in opened.graphs)


NORM = "c,scale,offset,mean,variance"
KEPT = {
    "the result has another reader": [
        node("BatchNormalization", NORM, "y"),
        node("Relu", "c", "z"),
    ],
    "the result is read twice": [node("Mul", "c,k", "y"), node("Add", "c,k", "z")],
    "the result is an output": [node("Mul", "c,k", "y"), node("Identity", "c", "z")],
    "the constant is subtracted from": [node("Sub", "k,c", "y")],
    "the constant is divided": [node("Div", "k,c", "e"), node("Tanh", "e", "y")],
    "the constant differs along another axis": [node("Mul", "c,row", "y")],
    "the constant makes the result larger": [node("Add", "c,batches", "y")],
    "the constant has more axes": [node("Add", "c,deep", "y")],
    "the constant is an input": [node("Mul", "c,v", "y")],
    "the filter is an input": [node("Conv", "x,v", "d"), node("Mul", "d,k", "y")],
    "both operands are the result": [node("Mul", "c,c", "y")],
    "a filter is not finite afterwards": [node("Mul", "c,huge", "y")],
    "a filter is subnormal afterwards": [node("Mul", "c,tiny", "y")],
    "a bias is not finite afterwards": [node("Add", "c,infinite", "y")],
}


@pytest.mark.parametrize("why", KEPT)
def test_what_would_change_the_result_is_left_alone(check_fused, why):
    nodes, inputs, constants, _ = convolution("2d")
    used = {name for row in KEPT[why] for name in row.input} | {"w"}
    constants |= vectors(4) | {
        "k": 10 + numbers(4, 1, 1),
        "row": numbers(1, 1, 6),
        "batches": numbers(3, 1, 1, 1) if "larger" not in why else numbers(2, 4, 1, 1),
        "deep": numbers(1, 1, 4, 1, 1),
        "huge": np.float32([[[3e38]]]),
        "tiny": np.float32([[[1e-39]]]),
        "infinite": np.float32([[[np.inf]]]),
    }
    constants = {name: value for name, value in constants.items() if name in used}
    nodes += KEPT[why]
    inputs |= (
        {"v": [4, 3, 6, 6] if "filter is an input" in why else [4, 1, 1]} if "v" in used else {}
    )
    outputs = [row.output[0] for row in KEPT[why] if row.output[0] in "yz"]
    if "filter is an input" in why:
        nodes = nodes[1:]
        constants.pop("w")
    kept = next(row.op_type for row in KEPT[why] if row.output[0] in "ye")
    graph = check_fused(model(nodes, inputs, outputs, constants))
    ge_type = {"BatchNormalization": "BNInfer", "Div": "RealDiv"}.get(kept, kept)
    assert graph.operators()[ge_type] == 1


def test_a_result_of_one_channel_that_becomes_several_is_left_alone(check_fused):
    nodes, inputs, constants, expected = convolution("one channel")
    constants["k"] = numbers(4, 1, 1)
    check_fused(
        model([*nodes, node("Mul", "c,k", "y")], inputs, ["y"], constants), expected | {"Mul": 1}
    )
