"""FuseLstmCell: one step of an LSTM that is written out."""

import numpy as np
import pytest
from passes.models import F16, changed, model, node, read_by

BATCH, INPUTS, HIDDEN = 3, 6, 4
RNG = np.random.default_rng(8)
W = RNG.standard_normal((INPUTS, 4 * HIDDEN), np.float32)
R = RNG.standard_normal((HIDDEN, 4 * HIDDEN), np.float32)
B = RNG.standard_normal(4 * HIDDEN, np.float32)
CONSTANTS = {
    "w": W,
    "r": R,
    "wt": W.T.copy(),
    "rt": R.T.copy(),
    "wr": np.concatenate([W, R]),
    "b": B,
    "b2": B[::-1].copy(),
    "one": np.float32(1),
}
INPUT_DIMS = {"x": [BATCH, INPUTS], "h": [BATCH, HIDDEN], "c": [BATCH, HIDDEN]}

SUMS = {
    "Gemm + Gemm": [
        node("Gemm", "x,wt,b", "p", transB=1),
        node("Gemm", "h,rt,b2", "q", transB=1),
        node("Add", "q,p", "s"),
    ],
    "(MatMul + MatMul) + bias": [
        node("MatMul", "x,w", "p"),
        node("MatMul", "h,r", "q"),
        node("Add", "p,q", "t"),
        node("Add", "b,t", "s"),
    ],
    "MatMul of [x, h]": [
        node("Concat", "x,h", "p", axis=1),
        node("MatMul", "p,wr", "q"),
        node("Add", "q,b", "s"),
    ],
}
SPLITS = {
    "Split": [node("Split", "s", "g0,g1,g2,g3", axis=1)],
    "Slice": [node("Slice", f"s,{i},{i + 1},axis", f"g{i}") for i in range(4)],
}
CELL = [
    node("Sigmoid", "g0", "f"),
    node("Tanh", "g1", "g"),
    node("Sigmoid", "g2", "i"),
    node("Sigmoid", "g3", "o"),
    node("Mul", "f,c", "k"),
    node("Mul", "i,g", "a"),
    node("Add", "k,a", "c1"),
    node("Tanh", "c1", "u"),
    node("Mul", "o,u", "h1"),
]
FUSED = {"CommonLSTM": 1, "Unsqueeze": 3, "Squeeze": 2}


def network(nodes, outputs=("h1", "c1"), *, inputs=INPUT_DIMS, constants=None, dtype=1):
    numpy_type = np.float16 if dtype == F16 else np.float32
    values = {name: v.astype(numpy_type) for name, v in {**CONSTANTS, **(constants or {})}.items()}
    values |= {str(i): np.array([i * HIDDEN]) for i in range(5)} | {"axis": np.array([1])}
    return model(nodes, read_by(nodes, inputs), list(outputs), values, dtype=dtype)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("total", SUMS)
def test_a_step(check_fused, total, split):
    graph = check_fused(network([*SUMS[total], *SPLITS[split], *CELL]), FUSED)
    (cell,) = [row for row in graph.nodes if row.type == "CommonLSTM"]
    parts = [row.name for row in (*SUMS[total], *SPLITS[split], *CELL)]
    names = {row.split(",", maxsplit=1)[0] for row in cell.sources}
    assert len(cell.sources) == len(parts)
    assert {"h1", "c1", "k"} <= names


def test_the_order_of_factors(check_fused):
    cell = changed(CELL, "k", "c", "f")
    cell = changed(changed(cell, "a", "g", "i"), "c1", "a", "k")
    cell = changed(cell, "h1", "u", "o")
    check_fused(network([*SUMS["Gemm + Gemm"], *SPLITS["Split"], *cell]), FUSED)


def test_a_bias_of_the_forget_gate(check_fused):
    cell = [node("Add", "g0,one", "g0b"), *changed(CELL, "f", "g0b")]
    check_fused(network([*SUMS["MatMul of [x, h]"], *SPLITS["Split"], *cell]), FUSED)


def test_a_state_as_wide_as_the_input(check_fused):
    inputs = {**INPUT_DIMS, "x": [BATCH, HIDDEN]}
    nodes = [*SUMS["Gemm + Gemm"], *SPLITS["Split"], *CELL]
    constants = {"wt": W[:HIDDEN].T.copy()}
    check_fused(network(nodes, inputs=inputs, constants=constants), FUSED)


def test_a_cell_state_that_nobody_wants(check_fused):
    nodes = [*SUMS["Gemm + Gemm"], *SPLITS["Split"], *CELL]
    check_fused(network(nodes, ["h1"]), {**FUSED, "Squeeze": 1})


def test_float16(check_fused):
    nodes = [*SUMS["Gemm + Gemm"], *SPLITS["Split"], *CELL]
    check_fused(network(nodes, dtype=F16), FUSED, rtol=3e-3)


@pytest.mark.parametrize(
    ("cell", "outputs"),
    [
        (changed(CELL, "f", op_type="Tanh"), ["h1", "c1"]),
        (changed(CELL, "g", op_type="Sigmoid"), ["h1", "c1"]),
        (changed(CELL, "u", op_type="Sigmoid"), ["h1", "c1"]),
        (changed(CELL, "c1", op_type="Sub"), ["h1", "c1"]),
        (changed(CELL, "o", "g0"), ["h1", "c1"]),
        (changed(CELL, "h1", "o", "c1"), ["h1", "c1"]),
        (CELL, ["h1", "c1", "i"]),
        (CELL, ["h1", "c1", "g1"]),
        (CELL, ["h1", "c1", "s"]),
        ([*CELL, node("Neg", "k", "z")], ["h1", "c1", "z"]),
    ],
)
def test_what_is_not_quite_a_step_stays(check_fused, cell, outputs):
    nodes = [*SUMS["Gemm + Gemm"], *SPLITS["Split"], *cell]
    graph = check_fused(network(nodes, outputs))
    assert "CommonLSTM" not in graph.operators()


@pytest.mark.parametrize(
    ("inputs", "constants"),
    [
        ({"c": [1, HIDDEN]}, {}),
        ({"h": [1, HIDDEN]}, {}),
        ({}, {"b": RNG.standard_normal((BATCH, 4 * HIDDEN), np.float32)}),
    ],
)
def test_operands_that_broadcast_stay(check_fused, inputs, constants):
    nodes = [*SUMS["Gemm + Gemm"], *SPLITS["Split"], *CELL]
    graph = check_fused(network(nodes, inputs={**INPUT_DIMS, **inputs}, constants=constants))
    assert "CommonLSTM" not in graph.operators()


def test_weights_that_are_inputs_stay(check_fused):
    nodes = [*SUMS["Gemm + Gemm"], *SPLITS["Split"], *CELL]
    inputs = {**INPUT_DIMS, "rt": [4 * HIDDEN, HIDDEN]}
    fed = network(nodes, inputs=inputs)
    kept = [row for row in fed.graph.initializer if row.name != "rt"]
    del fed.graph.initializer[:]
    fed.graph.initializer.extend(kept)
    assert "CommonLSTM" not in check_fused(fed).operators()
