"""FuseGelu, FuseSwish, FuseHardSwish: activation functions that are written out."""

import math

import numpy as np
import pytest
from passes.models import F16, changed, model, node

SHAPE = [3, 40]
ROOT2, ROOT2PI = math.sqrt(2), math.sqrt(2 / math.pi)


def network(nodes, constants=None, *, inputs=None, outputs=("y",), dtype=1):
    numpy_type = np.float16 if dtype == F16 else np.float32
    values = {name: np.asarray(v, numpy_type) for name, v in (constants or {}).items()}
    return model(nodes, inputs or {"x": SHAPE}, list(outputs), values, dtype=dtype)


def wide_feeds(dtype=np.float32):
    """Numbers from where a function is flat to where it is linear, and its corners."""
    numbers = np.linspace(-6, 6, 117).astype(dtype)
    return {"x": np.concatenate([numbers, np.array([-3, 0, 3], dtype)]).reshape(SHAPE)}


ERF = {"half": 0.5, "one": 1, "two": 2, "root": ROOT2, "inverse": 1 / ROOT2}
GELUS = {
    "x * (1 + erf) * 0.5": [
        node("Div", "x,root", "a"),
        node("Erf", "a", "b"),
        node("Add", "b,one", "c"),
        node("Mul", "x,c", "d"),
        node("Mul", "d,half", "y"),
    ],
    "(x * 0.5) * (1 + erf)": [
        node("Mul", "x,half", "h"),
        node("Mul", "x,inverse", "a"),
        node("Erf", "a", "b"),
        node("Add", "one,b", "c"),
        node("Mul", "h,c", "y"),
    ],
    "x * (0.5 * (1 + erf))": [
        node("Mul", "inverse,x", "a"),
        node("Erf", "a", "b"),
        node("Add", "b,one", "c"),
        node("Mul", "c,half", "d"),
        node("Mul", "d,x", "y"),
    ],
    "x * (1 + erf) / 2": [
        node("Div", "x,root", "a"),
        node("Erf", "a", "b"),
        node("Add", "b,one", "c"),
        node("Mul", "x,c", "d"),
        node("Div", "d,two", "y"),
    ],
}
TANH = {"half": 0.5, "one": 1, "three": 3, "k": 0.044715, "s": ROOT2PI}
TANH_GELUS = {
    "x^3 as a power": [
        node("Pow", "x,three", "p"),
        node("Mul", "k,p", "q"),
        node("Add", "x,q", "r"),
        node("Mul", "s,r", "t"),
        node("Tanh", "t", "u"),
        node("Add", "one,u", "v"),
        node("Mul", "half,x", "h"),
        node("Mul", "h,v", "y"),
    ],
    "x^3 as products": [
        node("Mul", "x,x", "o"),
        node("Mul", "o,x", "p"),
        node("Mul", "p,k", "q"),
        node("Add", "q,x", "r"),
        node("Mul", "r,s", "t"),
        node("Tanh", "t", "u"),
        node("Add", "u,one", "v"),
        node("Mul", "x,v", "w"),
        node("Mul", "w,half", "y"),
    ],
}


@pytest.mark.parametrize("form", GELUS)
def test_gelu_of_erf(check_fused, form):
    graph = check_fused(network(GELUS[form], ERF), {"GeluV2": 1}, feeds=wide_feeds())
    (gelu,) = [row for row in graph.nodes if row.type == "GeluV2"]
    assert gelu.name == "y/GeluV2"
    assert sorted(gelu.sources) == sorted(
        {row.output[0] for row in GELUS[form]} - ({"h"} if "0.5) *" in form else set())
    )


@pytest.mark.parametrize("form", TANH_GELUS)
def test_gelu_of_tanh(check_fused, form):
    check_fused(network(TANH_GELUS[form], TANH), {"Gelu": 1}, feeds=wide_feeds())


def test_gelu_of_float16(check_fused):
    nodes = GELUS["x * (1 + erf) * 0.5"]
    check_fused(
        network(nodes, ERF, dtype=F16), {"GeluV2": 1}, feeds=wide_feeds(np.float16), rtol=1e-3
    )


@pytest.mark.parametrize(
    "nodes",
    [
        changed(GELUS["x * (1 + erf) * 0.5"], "a", "x", "two"),
        changed(GELUS["x * (1 + erf) * 0.5"], "c", "b", "two"),
        changed(GELUS["x * (1 + erf) * 0.5"], "y", "d", "two"),
        changed(GELUS["x * (1 + erf) * 0.5"], "d", "a", "c"),
        changed(GELUS["x * (1 + erf) * 0.5"], "a", "root", "x"),
        changed(GELUS["(x * 0.5) * (1 + erf)"], "h", "x", "two"),
        changed(GELUS["(x * 0.5) * (1 + erf)"], "h", "a", "half"),
        changed(GELUS["x * (0.5 * (1 + erf))"], "y", "d", "a"),
        [*GELUS["x * (1 + erf) * 0.5"], node("Neg", "b", "z")],
        [*GELUS["x * (1 + erf) * 0.5"], node("Neg", "d", "z")],
    ],
)
def test_what_is_not_quite_gelu_stays(check_fused, nodes):
    outputs = [name for name in ("y", "z") if any(name in n.output for n in nodes)]
    feeds = {"x": np.abs(wide_feeds()["x"]) + 0.1}
    graph = check_fused(network(nodes, ERF, outputs=outputs), feeds=feeds)
    assert graph.operators()["Erf"] == 1


@pytest.mark.parametrize(
    ("name", "inputs"),
    [("p", "x,one"), ("q", "s,p"), ("r", "p,q"), ("t", "k,r"), ("v", "half,u"), ("h", "half,p")],
)
def test_what_is_not_quite_gelu_of_tanh_stays(check_fused, name, inputs):
    nodes = changed(TANH_GELUS["x^3 as a power"], name, *inputs.split(","))
    graph = check_fused(network(nodes, TANH))
    assert graph.operators()["Tanh"] == 1


@pytest.mark.parametrize("operands", ["x,s", "s,x"])
def test_swish(check_fused, operands):
    nodes = [node("Sigmoid", "x", "s"), node("Mul", operands, "y")]
    graph = check_fused(network(nodes), {"Swish": 1}, feeds=wide_feeds())
    (swish,) = [row for row in graph.nodes if row.type == "Swish"]
    assert (swish.name, swish.sources) == ("y/Swish", ("s", "y"))


def test_swish_with_a_scale(check_fused):
    nodes = [node("Mul", "k,x", "a"), node("Sigmoid", "a", "s"), node("Mul", "x,s", "y")]
    check_fused(network(nodes, {"k": 1.702}), {"Swish": 1}, feeds=wide_feeds())


@pytest.mark.parametrize(
    ("nodes", "outputs"),
    [
        ([node("Sigmoid", "x", "s"), node("Mul", "s,s", "y")], "y"),
        ([node("Sigmoid", "x", "s"), node("Mul", "s,x", "y"), node("Neg", "s", "z")], "yz"),
        ([node("Sigmoid", "x", "y"), node("Mul", "y,x", "z")], "yz"),
        ([node("Neg", "x", "a"), node("Sigmoid", "a", "s"), node("Mul", "s,x", "y")], "y"),
        ([node("Mul", "x,v", "a"), node("Sigmoid", "a", "s"), node("Mul", "s,x", "y")], "y"),
        ([node("Mul", "x,w", "a"), node("Sigmoid", "a", "s"), node("Mul", "s,x", "y")], "y"),
    ],
)
def test_what_is_not_quite_swish_stays(check_fused, nodes, outputs):
    constants = {"v": np.linspace(0.5, 1, 40), "w": np.full((2, 1, 1), 0.75)}
    graph = check_fused(network(nodes, constants, outputs=outputs))
    assert graph.operators()["Sigmoid"] == 1


HARD = {"zero": 0, "three": 3, "six": 6, "sixth": 1 / 6}
START = [node("Add", "x,three", "a"), node("Clip", "a,zero,six", "b")]
HARD_SWISHES = {
    "x * clip / 6": [node("Mul", "x,b", "c"), node("Div", "c,six", "y")],
    "clip * x * 1/6": [node("Mul", "b,x", "c"), node("Mul", "c,sixth", "y")],
    "x * (clip / 6)": [node("Div", "b,six", "c"), node("Mul", "x,c", "y")],
    "x * (clip * 1/6)": [node("Mul", "sixth,b", "c"), node("Mul", "x,c", "y")],
}


@pytest.mark.parametrize("form", HARD_SWISHES)
def test_hard_swish(check_fused, form):
    nodes = [*START, *HARD_SWISHES[form]]
    graph = check_fused(network(nodes, HARD), {"HardSwish": 1}, feeds=wide_feeds(), rtol=1e-7)
    (swish,) = [row for row in graph.nodes if row.type == "HardSwish"]
    assert swish.sources == ("a", "b", "c", "y")


def test_hard_swish_keeps_its_digits_near_the_corner(check_fused):
    x = np.nextafter(np.full(SHAPE, -3, np.float32), np.float32(0))
    x += np.arange(120, dtype=np.float32).reshape(SHAPE) * np.float32(1e-5)
    nodes = [*START, *HARD_SWISHES["x * clip / 6"]]
    check_fused(network(nodes, HARD), {"HardSwish": 1}, feeds={"x": x}, rtol=2e-7)


def test_hard_swish_of_hard_sigmoid(check_fused):
    nodes = [node("HardSigmoid", "x", "s", alpha=1 / 6, beta=0.5), node("Mul", "s,x", "y")]
    check_fused(network(nodes), {"HardSwish": 1}, feeds=wide_feeds())


@pytest.mark.parametrize("last", [node("Div", "b,six", "y"), node("Mul", "b,sixth", "y")])
def test_hard_sigmoid(check_fused, last):
    nodes = [*START, last]
    check_fused(network(nodes, HARD), {"HardSigmoid": 1}, feeds=wide_feeds(), rtol=1e-7)
    nodes = [*nodes, node("Mul", "y,z", "w")]
    inputs = {"x": SHAPE, "z": SHAPE}
    check_fused(
        network(nodes, HARD, inputs=inputs, outputs="w"), {"HardSigmoid": 1, "Mul": 1}, rtol=1e-6
    )


@pytest.mark.parametrize(
    "nodes",
    [
        [node("Add", "x,six", "a"), START[1], *HARD_SWISHES["x * clip / 6"]],
        [START[0], node("Clip", "a,zero,three", "b"), *HARD_SWISHES["x * clip / 6"]],
        [START[0], node("Clip", "a,three,six", "b"), *HARD_SWISHES["x * clip / 6"]],
        [*START, node("Mul", "x,b", "c"), node("Div", "c,three", "y")],
        [*START, node("Mul", "a,b", "c"), node("Div", "c,six", "y")],
        [*START, node("Mul", "b,b", "c"), node("Div", "c,six", "y")],
        [*START, *HARD_SWISHES["x * clip / 6"], node("Neg", "b", "z")],
    ],
)
def test_what_is_not_quite_hard_swish_stays(check_fused, nodes):
    outputs = [name for name in ("y", "z") if any(name in n.output for n in nodes)]
    graph = check_fused(network(nodes, HARD, outputs=outputs), feeds=wide_feeds())
    assert graph.operators()["ClipByValue"] == 1


def test_hard_swish_of_another_slope_stays(check_fused):
    nodes = [node("HardSigmoid", "x", "s", alpha=0.2, beta=0.5), node("Mul", "s,x", "y")]
    check_fused(network(nodes), {"HardSigmoid": 1, "Mul": 1})


def test_a_result_of_more_dims_stays(check_fused):
    nodes = [node("Sigmoid", "x", "s"), node("Mul", "s,x", "p"), node("Mul", "p,k", "y")]
    check_fused(network(nodes, {"k": np.full((1, 1, 1), 2)}), {"Swish": 1, "Mul": 1})
    nodes = changed(GELUS["x * (1 + erf) * 0.5"], "y", "d", "half")
    graph = check_fused(network(nodes, {**ERF, "half": np.full((1, 1, 1), 0.5)}))
    assert graph.operators()["Erf"] == 1


def test_a_dtype_that_the_operator_does_not_have_stays(check_fused):
    nodes = [
        node(row.op_type, ",".join("x64" if n == "x" else n for n in row.input), row.output[0])
        for row in TANH_GELUS["x^3 as a power"]
    ]
    nodes = [node("Cast", "x", "x64", to=11), *nodes, node("Cast", "y", "z", to=1)]
    constants = {name: np.float64(value) for name, value in TANH.items()}
    graph = check_fused(model(nodes, {"x": SHAPE}, ["z"], constants), rtol=1e-6)
    assert "Gelu" not in graph.operators()
