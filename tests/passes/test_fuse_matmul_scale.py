"""FuseMatMulScale: numbers that a matrix product is multiplied by go into constant weights."""

import numpy as np
import pytest
from passes.models import model, node, read_by

RNG = np.random.default_rng(5)
W = RNG.standard_normal((8, 12), np.float32)
ROW = RNG.standard_normal(12, np.float32)
EIGHTH, THIRD = np.float32(0.125), np.float32(1 / 3)


@pytest.mark.parametrize(
    "scale",
    [node("Mul", "m,k", "y"), node("Mul", "k,m", "y"), node("Div", "m,k", "y")],
)
def test_the_weights_of_the_product(check_fused, scale):
    nodes = [node("MatMul", "x,w", "m"), scale]
    graph = check_fused(model(nodes, {"x": [5, 8]}, ["y"], {"w": W, "k": THIRD}))
    assert graph.operators() == {"BatchMatMulV2": 1}
    (product,) = [row for row in graph.nodes if row.type == "BatchMatMulV2"]
    assert product.sources == ("m", "y")


@pytest.mark.parametrize("transposed", [0, 1])
def test_the_bias_of_the_product(check_fused, transposed):
    w = W.T.copy() if transposed else W
    nodes = [node("Gemm", "x,w,b", "m", transB=transposed), node("Mul", "m,k", "y")]
    constants = {"w": w, "b": ROW, "k": THIRD}
    check_fused(model(nodes, {"x": [5, 8]}, ["y"], constants), {"MatMulV2": 1})


def attention(scale, projection):
    """Scores of two projections of x, [2, 3, 8] and [2, 8, 3]."""
    return [
        *projection,
        node("Reshape", "q,heads", "qr"),
        node("Transpose", "qr", "qt", perm=[0, 2, 1, 3]),
        node("Reshape", "v,heads", "vr"),
        node("Transpose", "vr", "vt", perm=[0, 2, 3, 1]),
        node("MatMul", "qt,vt", "s"),
        scale,
    ]


TWO = [
    node("MatMul", "x,w", "q0"),
    node("Add", "q0,b", "q"),
    node("MatMul", "x,w2", "v"),
]
HEADS = {"heads": np.array([2, 3, 2, 6])}


def test_the_scores_of_attention(check_fused):
    nodes = attention(node("Div", "s,k", "y"), TWO)
    constants = {"w": W, "b": ROW, "w2": W[:, ::-1].copy(), "k": np.float32(8), **HEADS}
    graph = check_fused(model(nodes, {"x": [2, 3, 8]}, ["y"], constants))
    assert not {"RealDiv", "Mul"} & set(graph.operators())


@pytest.mark.parametrize("transposed", [0, 1])
def test_the_columns_of_one_projection(check_fused, transposed):
    w = RNG.standard_normal((8, 24), np.float32)
    projection = [
        node("Gemm", "x,w,b", "p", transB=transposed),
        node("Reshape", "p,whole", "pr"),
        node("Split", "pr", "q,v", axis=-1),
    ]
    nodes = attention(node("Mul", "s,k", "y"), projection)
    constants = {
        "w": w.T.copy() if transposed else w,
        "b": RNG.standard_normal(24, np.float32),
        "k": EIGHTH,
        "whole": np.array([2, 3, 24]),
        **HEADS,
    }
    graph = check_fused(model(nodes, {"x": [6, 8]}, ["y", "v"], constants))
    assert not {"RealDiv", "Mul"} & set(graph.operators())


def test_a_power_of_two_changes_no_bit(check_fused):
    nodes = attention(node("Mul", "s,k", "y"), TWO)
    constants = {"w": W, "b": ROW, "w2": W[:, ::-1].copy(), "k": EIGHTH, **HEADS}
    fused = model(nodes, {"x": [2, 3, 8]}, ["y"], constants)
    off = ["--optimization_switch=FuseMatMulScale:off"]
    feeds = {"x": RNG.standard_normal((2, 3, 8), np.float32)}
    check_fused(fused, feeds=feeds)
    assert "Mul" in check_fused(fused, feeds=feeds, flags=off).operators()


@pytest.mark.parametrize(
    ("nodes", "outputs"),
    [
        ([node("MatMul", "x,w", "m"), node("Mul", "m,k", "y"), node("Neg", "m", "z")], "yz"),
        ([node("MatMul", "x,w", "y"), node("Mul", "y,k", "z")], "yz"),
        ([node("MatMul", "x,w", "m"), node("Mul", "m,row", "y")], "y"),
        ([node("MatMul", "x,w", "m"), node("Mul", "m,k3", "y")], "y"),
        ([node("MatMul", "x,w", "m"), node("Mul", "m,k", "y"), node("MatMul", "x,w", "z")], "yz"),
        ([node("MatMul", "x,w", "m"), node("Relu", "m", "r"), node("Mul", "r,k", "y")], "y"),
        ([node("MatMul", "x,w", "m"), node("Div", "k,m", "y")], "y"),
        ([node("MatMul", "x,tiny", "m"), node("Mul", "m,least", "y")], "y"),
        ([node("MatMul", "x,huge", "m"), node("Mul", "m,most", "y")], "y"),
        ([node("MatMul", "x,w", "m"), node("Mul", "m,zero", "y")], "y"),
        ([node("MatMul", "x,w", "m"), node("Add", "m,b", "a"), node("Mul", "a,k", "y")], "y"),
    ],
)
def test_what_has_to_be_scaled_where_it_is_stays(check_fused, nodes, outputs):
    constants = {
        "w": W,
        "k": EIGHTH,
        "k3": np.full((1, 1, 1), EIGHTH),
        "row": np.abs(ROW) + 1,
        "zero": np.float32(0),
        "tiny": W * np.float32(1e-30),
        "least": np.float32(1e-20),
        "huge": W * np.float32(1e30),
        "most": np.float32(1e10),
    }
    inputs = read_by(nodes, {"x": [5, 8], "b": [12]})
    network = model(nodes, inputs, list(outputs), constants)
    feeds = {"x": np.full((5, 8), 1e-5, np.float32), "b": np.ones(12, np.float32)}
    feeds = {name: feeds[name] for name in inputs}
    operators = check_fused(network, feeds=feeds).operators()
    assert {"Mul", "RealDiv"} & set(operators)
