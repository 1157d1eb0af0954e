"""FuseMatMulBias: a matrix product takes over the vector that is added to it."""

import numpy as np
import pytest
from passes.models import model, node

RNG = np.random.default_rng(17)


def numbers(*dims):
    return RNG.standard_normal(dims).astype(np.float32)


@pytest.mark.parametrize("operands", ["c,b", "b,c"])
@pytest.mark.parametrize("dims", [[4, 6], [2, 4, 6], [2, 3, 4, 6]])
def test_a_vector_becomes_the_bias(check_fused, dims, operands):
    nodes = [node("MatMul", "x,w", "c"), node("Add", operands, "y")]
    constants = {"w": numbers(6, 5), "b": numbers(5)}
    graph = check_fused(model(nodes, {"x": dims}, ["y"], constants), {"BatchMatMulV2": 1})
    (product,) = [row for row in graph.nodes if row.type == "BatchMatMulV2"]
    assert (product.name, product.sources, len(product.inputs)) == ("c", ("c", "y"), 3)


def test_gemm_has_a_bias(check_fused):
    nodes = [node("Gemm", "x,w,b", "y", transB=1)]
    constants = {"w": numbers(5, 6), "b": numbers(5)}
    check_fused(model(nodes, {"x": [4, 6]}, ["y"], constants), {"MatMulV2": 1})


def test_leading_dims_of_one_go(check_fused):
    nodes = [node("MatMul", "x,w", "c"), node("Add", "c,b", "y"), node("Add", "y,b", "z")]
    constants = {"w": numbers(6, 5), "b": numbers(1, 5)}
    graph = check_fused(
        model(nodes, {"x": [4, 6]}, ["z"], constants), {"BatchMatMulV2": 1, "Add": 1}
    )
    shapes = {row.outputs[0].shape for row in graph.nodes if row.type == "Const"}
    assert shapes == {(6, 5), (5,), (1, 5)}


def test_a_bias_may_be_computed(check_fused):
    nodes = [node("MatMul", "x,w", "c"), node("Relu", "v", "b"), node("Add", "c,b", "y")]
    network = model(nodes, {"x": [4, 6], "v": [5]}, ["y"], {"w": numbers(6, 5)})
    check_fused(network, {"BatchMatMulV2": 1, "Relu": 1})


def test_an_unknown_batch_does_not_matter(check_fused):
    nodes = [node("MatMul", "x,w", "c"), node("Add", "c,b", "y")]
    network = model(nodes, {"x": ["n", 6]}, ["y"], {"w": numbers(6, 5), "b": numbers(5)})
    check_fused(
        network,
        {"BatchMatMulV2": 1},
        feeds={"x": numbers(3, 6)},
        flags=["--input_shape=x:-1,6"],
    )


@pytest.mark.parametrize(
    ("nodes", "bias", "outputs"),
    [
        ([node("Add", "c,b", "y")], numbers(4, 5), "y"),
        ([node("Add", "c,b", "y")], numbers(4, 1), "y"),
        ([node("Add", "c,b", "y")], numbers(1), "y"),
        ([node("Add", "c,b", "y")], numbers(1, 1, 5), "y"),
        ([node("Add", "c,b", "y")], numbers(2, 4, 5), "y"),
        ([node("Add", "c,b", "y"), node("Relu", "c", "z")], numbers(5), "yz"),
        ([node("Add", "c,c", "y")], None, "y"),
        ([node("Add", "c,b", "y"), node("Identity", "c", "z")], numbers(5), "yz"),
    ],
)
def test_other_sums_stay(check_fused, nodes, bias, outputs):
    nodes = [node("MatMul", "x,w", "c"), *nodes]
    constants = {"w": numbers(6, 5)} | ({} if bias is None else {"b": bias})
    graph = check_fused(model(nodes, {"x": [4, 6]}, list(outputs), constants))
    assert graph.operators()["Add"] == 1


def test_a_second_bias_stays(check_fused):
    nodes = [node("MatMul", "x,w", "c"), node("Add", "c,b", "d"), node("Add", "d,e", "y")]
    constants = {"w": numbers(6, 5), "b": numbers(5), "e": numbers(5)}
    network = model(nodes, {"x": [4, 6]}, ["y"], constants)
    check_fused(network, {"BatchMatMulV2": 1, "Add": 1})


def test_integers_stay(check_fused):
    nodes = [
        node("Cast", "x", "i", to=6),
        node("MatMul", "i,w", "c"),
        node("Add", "c,b", "d"),
        node("Cast", "d", "y", to=1),
    ]
    constants = {"w": np.ones((6, 5), np.int32), "b": np.ones(5, np.int32)}
    graph = check_fused(model(nodes, {"x": [4, 6]}, ["y"], constants))
    assert graph.operators()["Add"] == 1
