"""FuseMaskedSoftmax: attention of windows, with a bias for every head, a mask for every window."""

import numpy as np
import pytest
from passes.models import model, node

import ge

FUSED = "MaskedSoftmaxWithRelPosBias"
BATCH, WINDOWS, HEADS, ROWS, COLUMNS = 2, 3, 4, 5, 7
FLAT = [BATCH * WINDOWS, HEADS, ROWS, COLUMNS]
PARTED = [BATCH, WINDOWS, HEADS, ROWS, COLUMNS]
RNG = np.random.default_rng(17)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


CONSTANTS = {
    "s": np.float32(0.25),
    "bias": normal(1, HEADS, ROWS, COLUMNS),
    "mask": np.where(normal(1, WINDOWS, 1, ROWS, COLUMNS) > 0, 0, -100).astype(np.float32),
    "parted": np.array(PARTED),
    "flat": np.array(FLAT),
}
SCALED = [node("Mul", "x,s", "scaled")]
BIASED = [*SCALED, node("Add", "scaled,bias", "biased")]
MASKED = [
    *BIASED,
    node("Reshape", "biased,parted", "windows"),
    node("Add", "windows,mask", "masked"),
    node("Reshape", "masked,flat", "joined"),
]


def softmax(nodes, axis=-1):
    return [*nodes, node("Softmax", nodes[-1].output[0], "y", axis=axis)]


def network(nodes, shape=FLAT, outputs=("y",), **constants):
    return model(nodes, {"x": shape}, list(outputs), CONSTANTS | constants)


def test_windows_with_masks(check_fused):
    graph = check_fused(network(softmax(MASKED)), {FUSED: 1})
    (row,) = [row for row in graph.nodes if row.type == FUSED]
    assert row.sources == ("scaled", "biased", "windows", "masked", "joined", "y")
    assert row.attrs["scale_value"] == 0.25


def test_a_bias_alone(check_fused):
    check_fused(network(softmax(BIASED)), {FUSED: 1})
    check_fused(network(softmax([node("Add", "bias,x", "b")])), {FUSED: 1})
    check_fused(network(softmax([node("Div", "x,s", "d"), node("Add", "d,bias", "b")])), {FUSED: 1})


def test_windows_that_are_an_axis_of_their_own(check_fused):
    nodes = [node("Add", "x,mask", "m"), node("Add", "m,bias", "b")]
    # The sums are rounded in another order, next to a mask of -100.
    check_fused(network(softmax(nodes), PARTED), {FUSED: 1}, rtol=1e-5)


def test_a_batch_of_one_needs_no_views(check_fused):
    nodes = [node("Add", "x,bias", "b"), node("Add", "b,single", "m")]
    net = network(softmax(nodes), single=CONSTANTS["mask"].repeat(BATCH, 1)[0])
    check_fused(net, {FUSED: 1})


def test_scores_that_are_their_own_mask(check_fused):
    """The sums are written over the scores, of which every element is read before."""
    nodes = [node("Exp", "x", "e"), node("Add", "e,one", "b"), node("Add", "b,e", "m")]
    net = network(softmax(nodes), [3, 1, 5, 7], one=normal(1, 5, 7))
    check_fused(net, {"Exp": 1, FUSED: 1})


def test_terms_that_are_computed(check_fused):
    nodes = [node("Exp", "bias in", "bias e"), node("Add", "x,bias e", "b")]
    net = model(softmax(nodes), {"x": FLAT, "bias in": [1, HEADS, ROWS, COLUMNS]}, ["y"], CONSTANTS)
    check_fused(net, {"Exp": 1, FUSED: 1})


def test_a_mask_of_something_else_stays_in_front(check_fused):
    """One for every element of the batch, where the windows are the inner axis."""
    nodes = [
        node("Reshape", "x,parted", "windows"),
        node("Add", "windows,deep", "masked"),
        node("Reshape", "masked,flat", "joined"),
        node("Add", "joined,bias", "biased"),
    ]
    net = network(softmax(nodes), deep=normal(BATCH, 1, 1, ROWS, COLUMNS))
    operators = check_fused(net).operators()
    assert (operators["Add"], operators[FUSED]) == (1, 1)


def test_a_switch_leaves_the_operators(check_fused):
    off = ["--optimization_switch=FuseMaskedSoftmax:off"]
    graph = check_fused(network(softmax(MASKED)), flags=off)
    assert graph.operators()["SoftmaxV2"] == 1


@pytest.mark.parametrize(
    ("nodes", "more"),
    [
        # A mask of padding, and one of all rows: no bias of heads.
        ([node("Add", "x,pad", "m")], {"pad": normal(FLAT[0], 1, 1, COLUMNS)}),
        ([node("Add", "x,rows", "m")], {"rows": normal(1, 1, ROWS, COLUMNS)}),
        # Not the numbers of float16: what is masked by them stays in float32.
        ([node("Add", "x,far", "m")], {"far": np.full((HEADS, ROWS, COLUMNS), -1e9, np.float32)}),
    ],
)
def test_other_terms_stay(check_fused, nodes, more):
    assert FUSED not in check_fused(network(softmax(nodes), **more)).operators()


def test_other_axes_and_other_readers_stay(check_fused):
    assert FUSED not in check_fused(network(softmax(BIASED, axis=2))).operators()
    net = network([*softmax(BIASED), node("Neg", "biased", "z")], outputs="yz")
    assert FUSED not in check_fused(net).operators()


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend310"])
def test_float16(soc):
    net = network(softmax(MASKED))
    x = normal(*FLAT)
    wide = (x * 0.25 + CONSTANTS["bias"]).reshape(PARTED) + CONSTANTS["mask"]
    wanted = np.exp(wide - wide.max(-1, keepdims=True))
    wanted /= wanted.sum(-1, keepdims=True)
    with ge.compile(net, soc_version=soc) as built:
        assert FUSED in built.model.graph.operators()
        got = built.model.run({"x": x})["y"]
    np.testing.assert_allclose(got, wanted.reshape(FLAT), atol=2e-3)
