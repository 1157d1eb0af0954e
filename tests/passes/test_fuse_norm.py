"""FuseLayerNorm, FuseRmsNorm, FuseSoftmax: normalisations that are written out."""

import numpy as np
import pytest
from onnx import helper
from passes.models import model, node

RNG = np.random.default_rng(13)
SHAPE = [2, 5, 24]
EPSILON = np.float32(1e-5)


def mean(x, y, axes=(-1,), **attrs):
    return node("ReduceMean", x, y, axes=list(axes), **attrs)


def layer_norm(*, square="Pow", axes=(-1,), twice=False, reciprocal=False):
    """Nodes of d / sqrt(mean(d^2) + epsilon), named n."""
    nodes = [mean("x", "m", axes), node("Sub", "x,m", "d")]
    if twice:
        nodes += [mean("x", "m2", axes), node("Sub", "x,m2", "d2")]
    d = "d2" if twice else "d"
    nodes += [node("Pow", f"{d},two", "s") if square == "Pow" else node("Mul", f"{d},{d}", "s")]
    nodes += [mean("s", "v", axes), node("Add", "v,eps", "e"), node("Sqrt", "e", "r")]
    if reciprocal:
        return [*nodes, node("Reciprocal", "r", "i"), node("Mul", "d,i", "n")]
    return [*nodes, node("Div", "d,r", "n")]


def rms_norm(*, reciprocal=False):
    nodes = [node("Pow", "x,two", "s"), mean("s", "v"), node("Add", "v,eps", "e")]
    nodes += [node("Sqrt", "e", "r")]
    if reciprocal:
        return [*nodes, node("Reciprocal", "r", "i"), node("Mul", "x,i", "n")]
    return [*nodes, node("Div", "x,r", "n")]


SCALE = [node("Mul", "n,gamma", "g")]
SHIFT = [node("Add", "g,beta", "y")]


def renamed(nodes):
    """The nodes, the last of which gives y."""
    last = helper.make_node(nodes[-1].op_type, nodes[-1].input, ["y"], name="y")
    last.attribute.extend(nodes[-1].attribute)
    return [*nodes[:-1], last]


def network(nodes, *, outputs=("y",), tail=(24,), shape=None, **more):
    constants = {
        "two": np.float32(2),
        "eps": EPSILON,
        "gamma": RNG.standard_normal(tail).astype(np.float32),
        "beta": RNG.standard_normal(tail).astype(np.float32),
    } | more
    used = {name for row in nodes for name in row.input}
    constants = {name: value for name, value in constants.items() if name in used}
    inputs = {"x": shape or SHAPE} | ({"z": shape or SHAPE} if "z" in used else {})
    return model(nodes, inputs, list(outputs), constants)


@pytest.mark.parametrize("reciprocal", [False, True])
@pytest.mark.parametrize("square", ["Pow", "Mul"])
@pytest.mark.parametrize("twice", [False, True])
def test_layer_norm(check_fused, square, twice, reciprocal):
    nodes = layer_norm(square=square, twice=twice, reciprocal=reciprocal)
    graph = check_fused(network([*nodes, *SCALE, *SHIFT]), {"LayerNorm": 1})
    (norm,) = [row for row in graph.nodes if row.type == "LayerNorm"]
    assert norm.name == "y/LayerNorm"
    assert norm.sources[0] == "m"
    assert {"m", "d", "s", "v", "e", "r", "n", "g", "y"} <= set(norm.sources)


@pytest.mark.parametrize("parts", [[], SCALE])
def test_layer_norm_without_its_parameters(check_fused, parts):
    check_fused(network(renamed([*layer_norm(), *parts])), {"LayerNorm": 1})


@pytest.mark.parametrize(("axes", "tail"), [((1, 2), (5, 24)), ((-1, -2), (5, 24))])
def test_layer_norm_over_several_axes(check_fused, axes, tail):
    nodes = [*layer_norm(axes=axes), *SCALE, *SHIFT]
    check_fused(network(nodes, tail=tail), {"LayerNorm": 1})


def test_parameters_with_leading_dims_of_one(check_fused):
    nodes = [*layer_norm(), *SCALE, *SHIFT]
    check_fused(network(nodes, tail=(1, 1, 24)), {"LayerNorm": 1})


def test_layer_norm_of_an_unknown_batch(check_fused):
    network_ = network([*layer_norm(), *SCALE, *SHIFT], shape=["n", 5, 24])
    feeds = {"x": RNG.standard_normal(SHAPE).astype(np.float32)}
    check_fused(network_, {"LayerNorm": 1}, feeds=feeds, flags=["--input_shape=x:-1,5,24"])


@pytest.mark.parametrize("reciprocal", [False, True])
@pytest.mark.parametrize("parts", [[], SCALE])
def test_rms_norm(check_fused, reciprocal, parts):
    nodes = renamed([*rms_norm(reciprocal=reciprocal), *parts])
    graph = check_fused(network(nodes), {"RmsNorm": 1})
    (norm,) = [row for row in graph.nodes if row.type == "RmsNorm"]
    assert norm.name == "y/RmsNorm"


def test_a_sum_behind_rms_norm_stays(check_fused):
    check_fused(network([*rms_norm(), *SCALE, *SHIFT]), {"RmsNorm": 1, "Add": 1})


def other(nodes, name, row):
    return [row if n.name == name else n for n in nodes]


WHOLE = [*layer_norm(), *SCALE, *SHIFT]
KEPT = {
    "mean over another axis": other(WHOLE, "m", mean("x", "m", [1])),
    "variance over another axis": other(WHOLE, "v", mean("s", "v", [1])),
    "both over another axis": [*layer_norm(axes=(1,)), *SCALE, *SHIFT],
    "another power": other(WHOLE, "s", node("Pow", "d,eps", "s")),
    "a mean of another value": other(WHOLE, "m", mean("z", "m")),
    "the root is divided": [*other(WHOLE, "n", node("Div", "r,d", "n"))],
    "epsilon is a tensor": other(WHOLE, "e", node("Add", "v,gamma", "e")),
    "the variance is read elsewhere": [*WHOLE, node("Neg", "v", "w")],
    "the root is read elsewhere": [*WHOLE, node("Neg", "r", "w")],
    "the difference is read elsewhere": [*WHOLE, node("Neg", "d", "w")],
}


@pytest.mark.parametrize("why", KEPT)
def test_what_is_not_quite_layer_norm_stays(check_fused, why):
    nodes = KEPT[why]
    outputs = ["y", "w"] if any("w" in n.output for n in nodes) else ["y"]
    feeds = {"x": np.abs(RNG.standard_normal(SHAPE)).astype(np.float32)}
    feeds["z"] = feeds["x"] / 2 - 9
    graph_ = network(nodes, outputs=outputs)
    feeds = {value.name: feeds[value.name] for value in graph_.graph.input}
    graph = check_fused(graph_, feeds=feeds, rtol=1e-4)
    assert "LayerNorm" not in graph.operators()


@pytest.mark.parametrize(
    ("parameter", "shape"), [("gamma", (5, 24)), ("gamma", (1,)), ("gamma", (2, 1, 24))]
)
def test_parameters_of_another_shape_stay_outside(check_fused, parameter, shape):
    more = {parameter: RNG.standard_normal(shape).astype(np.float32)}
    graph = check_fused(network([*layer_norm(), *SCALE, *SHIFT], **more))
    assert graph.operators() == {"LayerNorm": 1, "Mul": 1, "Add": 1}


def softmax(axes=(-1,), sum_axes=None, **keep):
    k = {"keepdims": 1} | keep
    constants = {"axes": np.array(sum_axes or axes)}
    nodes = [
        node("ReduceMax", "x", "m", axes=list(axes), keepdims=1),
        node("Sub", "x,m", "d"),
        node("Exp", "d", "e"),
        node("ReduceSum", "e,axes", "s", **k),
        node("Div", "e,s", "y"),
    ]
    return nodes, constants


@pytest.mark.parametrize("axes", [(-1,), (1,), (0,), (1, 2)])
def test_softmax(check_fused, axes):
    nodes, constants = softmax(axes)
    graph = check_fused(network(nodes, **constants), {"SoftmaxV2": 1})
    (row,) = [row for row in graph.nodes if row.type == "SoftmaxV2"]
    assert (row.name, row.sources) == ("y/SoftmaxV2", ("m", "d", "e", "s", "y"))


@pytest.mark.parametrize(
    ("change", "outputs"),
    [
        (lambda n: other(n, "d", node("Sub", "m,x", "d")), "y"),
        (lambda n: other(n, "y", node("Div", "s,e", "y")), "y"),
        (lambda n: other(n, "m", node("ReduceMin", "x", "m", axes=[-1])), "y"),
        (lambda n: [*n, node("Neg", "e", "w")], "yw"),
        (lambda n: [*n, node("Neg", "s", "w")], "yw"),
        (lambda n: [*n, node("Neg", "d", "w")], "yw"),
    ],
)
def test_what_is_not_quite_softmax_stays(check_fused, change, outputs):
    nodes, constants = softmax()
    graph = check_fused(network(change(nodes), outputs=outputs, **constants), rtol=1e-5)
    assert "SoftmaxV2" not in graph.operators()


def test_a_sum_over_other_axes_stays(check_fused):
    nodes, constants = softmax((1,), (2,))
    assert "SoftmaxV2" not in check_fused(network(nodes, **constants)).operators()
