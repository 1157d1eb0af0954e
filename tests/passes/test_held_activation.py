"""FuseActivation: an activation function becomes an attribute of the product before it."""

import numpy as np
import pytest
from onnx import helper
from passes.models import F16, F32, F64, model, node

import ge.om

RNG = np.random.default_rng(7)
HELD = "pyatc_activation"
OFF = "--optimization_switch=FuseActivation:off"
DTYPES = {F32: np.float32, F16: np.float16, F64: np.float64}

# name -> operator, dims of x, dims of w, GE types
PRODUCTS = {
    "2d": ("Conv", [2, 3, 6, 6], [4, 3, 3, 3], {"Conv2D": 1}),
    "3d": ("Conv", [1, 3, 4, 4, 4], [4, 3, 2, 2, 2], {"Conv3D": 1}),
    "transposed": ("ConvTranspose", [1, 3, 5, 5], [3, 4, 3, 3], {"Conv2DTranspose": 1}),
    "transposed 3d": ("ConvTranspose", [1, 3, 3, 3, 3], [3, 2, 2, 2, 2], {"Conv3DTranspose": 1}),
    "matrices": ("Gemm", [5, 8], [8, 6], {"MatMulV2": 1}),
    "batches": ("MatMul", [2, 5, 8], [2, 8, 6], {"BatchMatMulV2": 1}),
}
# name -> ONNX node, GE type, parameters
ACTIVATIONS = {
    "Relu": (node("Relu", "c", "y"), "Relu", {}),
    "LeakyRelu": (node("LeakyRelu", "c", "y", alpha=0.25), "LeakyRelu", {"negative_slope": 0.25}),
    "Clip": (
        node("Clip", "c,low,high", "y"),
        "ClipByValue",
        {"clip_value_min": -0.5, "clip_value_max": 1.5},
    ),
    "HardSigmoid": (
        node("HardSigmoid", "c", "y", alpha=0.25, beta=0.5),
        "HardSigmoid",
        {"alpha": 0.25, "beta": 0.5},
    ),
    "HardSwish": (node("HardSwish", "c", "y"), "HardSwish", {}),
    "Sigmoid": (node("Sigmoid", "c", "y"), "Sigmoid", {}),
    "Softplus": (node("Softplus", "c", "y"), "Softplus", {}),
    "Softsign": (node("Softsign", "c", "y"), "Softsign", {}),
    "Tanh": (node("Tanh", "c", "y"), "Tanh", {}),
    "ThresholdedRelu": (
        node("ThresholdedRelu", "c", "y", alpha=0.5),
        "ThresholdedRelu",
        {"alpha": 0.5},
    ),
}


def network(kind, behind, outputs=("y",), dtype=F32, **constants):
    op_type, dims, weights, _ = PRODUCTS[kind]
    values = {"w": RNG.standard_normal(weights), "low": -0.5, "high": 1.5} | constants
    values = {name: np.asarray(value, DTYPES[dtype]) for name, value in values.items()}
    nodes = [node(op_type, "x,w", "c"), *behind]
    return model(nodes, {"x": dims}, list(outputs), values, dtype=dtype)


def held(graph):
    """What the products of a graph hold: name to type, in the order of the graph."""
    return {row.name: row.attrs[HELD] for row in graph.nodes if HELD in row.attrs}


@pytest.mark.parametrize(("dtype", "rtol"), [(F32, 2e-6), (F16, 2e-3)])
@pytest.mark.parametrize("kind", PRODUCTS)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_product_holds_the_activation_behind_it(check_fused, kind, name, dtype, rtol):
    row, ge_type, parameters = ACTIVATIONS[name]
    graph = check_fused(network(kind, [row], dtype=dtype), PRODUCTS[kind][3], rtol=rtol)
    (product,) = [row for row in graph.nodes if HELD in row.attrs]
    assert (product.name, product.sources) == ("c", ("c", "y"))
    mine = {name: value for name, value in product.attrs.items() if name.startswith(HELD)}
    assert mine == {HELD: ge_type} | {f"{HELD}.{key}": value for key, value in parameters.items()}


def test_a_swish_that_was_written_out_is_held(check_fused):
    behind = [node("Sigmoid", "c", "s"), node("Mul", "c,s", "y")]
    assert held(check_fused(network("2d", behind), {"Conv2D": 1})) == {"c": "Swish"}


def test_products_in_a_row_hold_one_each(check_fused):
    behind = [
        node("Relu", "c", "r"),
        node("Conv", "r,v", "d"),
        node("Tanh", "d", "t"),
        node("Sigmoid", "t", "y"),
    ]
    v = RNG.standard_normal((2, 4, 1, 1))
    graph = check_fused(network("2d", behind, v=v), {"Conv2D": 2, "Sigmoid": 1})
    assert held(graph) == {"c": "Relu", "d": "Tanh"}


LEFT_ALONE = {
    "two readers": [node("Relu", "c", "y"), node("Abs", "c", "z")],
    "the result is an output": [node("Relu", "c", "y"), node("Identity", "c", "z")],
    "another shape": [node("Flatten", "c", "f"), node("Relu", "f", "y")],
    "bounds that are not known": [
        node("ReduceMax", "x", "m", keepdims=0),
        node("Clip", "c,low,m", "y"),
    ],
    "a slope per channel": [node("PRelu", "c,slope", "y")],
    "no activation": [node("Exp", "c", "y")],
}


@pytest.mark.parametrize("behind", LEFT_ALONE.values(), ids=list(LEFT_ALONE))
def test_others_are_left_alone(check_fused, behind):
    outputs = [name for name in "yz" if any(name in row.output for row in behind)]
    assert held(check_fused(network("2d", behind, outputs, slope=np.ones((4, 1, 1))))) == {}


def test_other_dtypes_are_left_alone(check_fused):
    behind = [ACTIVATIONS["Relu"][0]]
    graph = check_fused(network("matrices", behind, dtype=F64), {"MatMulV2": 1, "Relu": 1})
    assert held(graph) == {}


def test_another_dtype_of_the_activation_is_left_alone(check_fused, tmp_path):
    (tmp_path / "keep.cfg").write_text("y\n")
    flags = ["--precision_mode_v2=fp16", f"--keep_dtype={tmp_path / 'keep.cfg'}"]
    source = network("2d", [ACTIVATIONS["Sigmoid"][0]])
    graph = check_fused(source, {"Cast": 2, "Conv2D": 1, "Sigmoid": 1}, flags=flags, rtol=2e-3)
    assert held(graph) == {}


def test_float16_of_a_network_in_float32(check_fused):
    graph = check_fused(
        network("2d", [ACTIVATIONS["Clip"][0]]),
        {"Cast": 2, "Conv2D": 1},
        flags=["--precision_mode_v2=fp16"],
        rtol=5e-3,
    )
    assert held(graph) == {"c": "ClipByValue"}


def test_sizes_that_are_not_known(check_fused):
    source = network("2d", [ACTIVATIONS["Clip"][0], node("Relu", "y", "z")], ["z"])
    feeds = {"x": RNG.standard_normal((2, 3, 5, 7)).astype(np.float32)}
    for dim in (0, 2, 3):
        source.graph.input[0].type.tensor_type.shape.dim[dim].dim_param = f"d{dim}"
    flags = ["--input_shape=x:-1,3,-1,-1"]
    graph = check_fused(source, {"Conv2D": 1, "Relu": 1}, feeds=feeds, flags=flags)
    assert held(graph) == {"c": "ClipByValue"}


def test_branches_and_loops(check_fused, tmp_path):
    def graph(name, op_type, inputs=()):
        nodes = [node("Conv", "x,w", f"{name}_c"), node(op_type, f"{name}_c", name)]
        return helper.make_graph(nodes, name, inputs, [helper.make_empty_tensor_value_info(name)])

    nodes = [
        node("ReduceSum", "x", "sum", keepdims=0),
        node("Cast", "sum", "condition", to=9),
        node(
            "If", "condition", "y", then_branch=graph("t", "Relu"), else_branch=graph("e", "Tanh")
        ),
    ]
    w = RNG.standard_normal((4, 3, 3, 3)).astype(np.float32)
    check_fused(model(nodes, {"x": [1, 3, 6, 6]}, ["y"], {"w": w}))
    with ge.om.load(tmp_path / "model.om") as opened:
        assert [list(held(graph).values()) for graph in opened.graphs] == [[], ["Relu"], ["Tanh"]]


def test_memory_and_results_are_those_without_it(check_fused, tmp_path):
    behind = [
        node("Relu", "c", "r"),
        node("Conv", "r,v", "d", pads=[1, 1, 1, 1]),
        node("Sigmoid", "d", "s"),
        node("Add", "s,r", "a"),
        node("Clip", "a,low,high", "y"),
    ]
    source = network("2d", behind, v=RNG.standard_normal((4, 4, 3, 3)))
    feeds = {"x": RNG.standard_normal((2, 3, 6, 6)).astype(np.float32)}
    found = []
    for flags in ([OFF], []):
        check_fused(source, feeds=feeds, flags=flags)
        with ge.om.load(tmp_path / "model.om") as opened:
            found.append((opened.memory.arena_bytes, opened.run(feeds)["y"].tobytes()))
    assert found[0] == found[1]


def test_a_profile_names_both(check_fused, tmp_path):
    check_fused(network("matrices", [ACTIVATIONS["Relu"][0]]))
    with ge.om.load(tmp_path / "model.om") as opened:
        rows = opened.profile({"x": np.ones((5, 8), np.float32)}).nodes
    assert [(row.name, row.type) for row in rows] == [("c", "MatMulV2"), ("y", "Relu")]


def test_level_o1_leaves_it_out(check_fused):
    check_fused(
        network("2d", [ACTIVATIONS["Relu"][0]]), {"Conv2D": 1, "Relu": 1}, flags=["--oo_level=O1"]
    )


def test_nan_and_infinity_pass_as_without_it(check_fused, tmp_path):
    """An activation that is done with a convolution shows NaN of its input all the same."""
    check_fused(network("2d", [ACTIVATIONS["Clip"][0]]))
    x = np.zeros((2, 3, 6, 6), np.float32)
    x[0, 0, 0, 0], x[1, 2, 5, 5] = np.nan, np.inf
    with ge.om.load(tmp_path / "model.om") as opened:
        y = opened.run({"x": x})["y"]
    assert np.isnan(y[0, :, 0, 0]).all()
    assert np.isfinite(y[1]).all()
