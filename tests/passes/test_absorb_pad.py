"""AbsorbPadConv and AbsorbPadPool: padding becomes that of the operator behind it."""

import numpy as np
import pytest
from passes.models import model, node

RNG = np.random.default_rng(23)


def numbers(*dims):
    return RNG.standard_normal(dims).astype(np.float32)


def network(
    op_type, dims, padding, *, fill=None, before="Neg", filter_dims=None, mode="constant", **attrs
):
    nodes = [node(before, "x", "a")]
    constants = {"pads": np.array(padding)}
    if fill is not None:
        constants["fill"] = np.float32(fill)
    nodes += [node("Pad", "a,pads" + (",fill" if fill is not None else ""), "p", mode=mode)]
    if filter_dims:
        constants["w"] = numbers(*filter_dims)
    nodes += [node(op_type, "p,w" if filter_dims else "p", "y", **attrs)]
    return model(nodes, {"x": dims}, ["y"], constants)


@pytest.mark.parametrize(
    ("dims", "filter_dims", "pads", "attrs"),
    [
        ([1, 3, 6, 6], [4, 3, 3, 3], [0, 0, 1, 2, 0, 0, 3, 4], {}),
        ([1, 3, 6, 6], [4, 3, 3, 3], [0, 0, 1, 1, 0, 0, 1, 1], {"pads": [1, 0, 0, 2]}),
        ([1, 3, 6, 6], [4, 3, 3, 3], [0, 0, 9, 9, 0, 0, 9, 9], {"strides": [2, 2]}),
        ([1, 4, 6, 6], [4, 1, 3, 3], [0, 0, 1, 1, 0, 0, 1, 1], {"group": 4, "dilations": [2, 2]}),
        ([1, 3, 9], [4, 3, 3], [0, 0, 2, 0, 0, 1], {}),
        ([1, 2, 4, 4, 4], [3, 2, 2, 2, 2], [0, 0, 1, 0, 2, 0, 0, 0, 1, 0], {}),
    ],
)
@pytest.mark.parametrize("fill", [None, 0])
def test_zeros_before_a_convolution(check_fused, dims, filter_dims, pads, attrs, fill):
    graph = check_fused(network("Conv", dims, pads, fill=fill, filter_dims=filter_dims, **attrs))
    assert "PadV3" not in graph.operators()
    (conv,) = [row for row in graph.nodes if row.type.startswith("Conv")]
    assert conv.sources == ("y", "p")


def test_unknown_sizes_do_not_matter(check_fused):
    pads = [0, 0, 1, 2, 0, 0, 3, 4]
    graph = check_fused(
        network("Conv", ["n", 3, "h", "w"], pads, filter_dims=[4, 3, 3, 3]),
        feeds={"x": numbers(2, 3, 5, 7)},
        flags=["--input_shape=x:-1,3,-1,-1"],
    )
    assert "PadV3" not in graph.operators()


@pytest.mark.parametrize(
    ("pads", "more"),
    [
        ([0, 0, 1, 1, 0, 0, 1, 1], {"fill": 1}),
        ([0, 0, 1, 1, 0, 0, 1, 1], {"mode": "reflect"}),
        ([0, 0, 1, 1, 0, 0, 1, 1], {"mode": "edge"}),
        ([0, 0, -1, 1, 0, 0, 1, 1], {}),
        ([1, 0, 1, 1, 0, 0, 1, 1], {}),
        ([0, 1, 1, 1, 0, 0, 1, 1], {"filter_dims": [4, 4, 3, 3]}),
    ],
)
def test_other_padding_before_a_convolution_stays(check_fused, pads, more):
    more = {"filter_dims": [4, 3, 3, 3]} | more
    assert check_fused(network("Conv", [1, 3, 6, 6], pads, **more)).operators()["PadV3"] == 1


def test_padding_before_a_transposed_convolution_stays(check_fused):
    pads = [0, 0, 1, 1, 0, 0, 1, 1]
    graph = check_fused(network("ConvTranspose", [1, 3, 6, 6], pads, filter_dims=[3, 4, 3, 3]))
    assert graph.operators()["PadV3"] == 1


def test_padding_with_other_readers_stays_for_them(check_fused):
    nodes = [
        node("Pad", "x,pads", "p"),
        node("Conv", "p,w", "y"),
        node("Relu", "p", "z"),
    ]
    constants = {"pads": np.array([0, 0, 1, 1, 0, 0, 1, 1]), "w": numbers(4, 3, 3, 3)}
    graph = check_fused(model(nodes, {"x": [1, 3, 6, 6]}, ["y", "z"], constants))
    (conv,) = [row for row in graph.nodes if row.type == "Conv2D"]
    assert conv.inputs[0] == "x:0"
    assert graph.operators()["PadV3"] == 1


PADS = [0, 0, 1, 0, 0, 0, 1, 1]
POOL = {"kernel_shape": [3, 3], "strides": [2, 2]}


@pytest.mark.parametrize(
    ("op_type", "more"),
    [
        ("MaxPool", {"fill": -np.inf}),
        ("MaxPool", {"fill": -np.inf, "pads": [1, 1, 0, 1]}),
        ("MaxPool", {"fill": -np.inf, "dilations": [2, 1]}),
        ("MaxPool", {"fill": 0, "before": "Relu"}),
        ("AveragePool", {}),
        ("AveragePool", {"count_include_pad": 1, "pads": [1, 1, 0, 1]}),
    ],
)
def test_padding_before_a_pooling(check_fused, op_type, more):
    graph = check_fused(network(op_type, [1, 3, 7, 8], PADS, **POOL, **more))
    assert "PadV3" not in graph.operators()


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
@pytest.mark.parametrize(
    ("dims", "pads", "kernel"),
    [
        ([1, 2, 9], [0, 0, 1, 0, 0, 2], [3]),
        ([1, 2, 4, 4, 4], [0, 0, 1, 0, 1, 0, 0, 0, 1, 1], [2] * 3),
    ],
)
def test_padding_before_a_pooling_of_another_rank(check_fused, op_type, dims, pads, kernel):
    more = {"fill": -np.inf} if op_type == "MaxPool" else {}
    graph = check_fused(network(op_type, dims, pads, kernel_shape=kernel, **more))
    assert "PadV3" not in graph.operators()


@pytest.mark.parametrize(
    ("op_type", "more"),
    [
        ("MaxPool", {"fill": 0}),
        ("MaxPool", {"fill": 1, "before": "Relu"}),
        ("MaxPool", {"fill": -np.inf, "ceil_mode": 1}),
        ("AveragePool", {"fill": -np.inf, "before": "Relu"}),
        ("AveragePool", {"pads": [1, 1, 0, 1]}),
        ("AveragePool", {"ceil_mode": 1}),
    ],
)
def test_other_padding_before_a_pooling_stays(check_fused, op_type, more):
    graph = check_fused(network(op_type, [1, 3, 7, 8], PADS, **POOL, **more))
    assert graph.operators()["PadV3"] == 1


def test_windows_of_padding_alone_stay(check_fused):
    pads = [0, 0, 3, 0, 0, 0, 0, 0]
    graph = check_fused(network("AveragePool", [1, 3, 7, 8], pads, **POOL))
    assert graph.operators()["PadV3"] == 1
