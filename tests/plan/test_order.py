"""The order in which the nodes of a model run."""

import numpy as np
import pytest
from compile.conftest import compile_command, save
from onnx import helper
from plan.test_written_plan import read

import ge.om

X = np.random.default_rng(5).standard_normal((64, 64)).astype(np.float32) / 8


@pytest.fixture
def tasks(run, atc, tmp_path):
    """Call with nodes and flags; returns names of the nodes as they run, and the model's path."""

    def call(nodes, *flags, outputs=("y",)):
        shapes = dict.fromkeys(outputs, X.shape)
        source = save(tmp_path / "net.onnx", nodes, {"x": X.shape}, shapes)
        done = run(*compile_command(atc, source, tmp_path / "net"), *flags)
        assert done.status == 0, done.stdout
        return read(tmp_path / "net.om")[2][:-1], tmp_path / "net.om"

    return call


def product(a, b, result):
    return helper.make_node("MatMul", [a, b], [result], name=result)


# x feeds two chains, a1 a2 and b1 b2, which y joins; the source lists them by turns.
TWO_CHAINS = [
    product("x", "x", "a1"),
    product("x", "x", "b1"),
    product("a1", "x", "a2"),
    product("b1", "x", "b2"),
    product("b2", "a2", "y"),
]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("0", "a1 b1 a2 b2 y"),
        ("1", "a1 a2 b1 b2 y"),
        ("2", "b1 b2 a1 a2 y"),
        ("3", "a1 b1 a2 b2 y"),
    ],
)
def test_topo_sorting_mode_gives_the_order(tasks, mode, expected):
    # Equal operators of equal inputs would become one.
    nodes = [*TWO_CHAINS]
    nodes[1] = helper.make_node("Exp", ["x"], ["b1"], name="b1")
    assert tasks(nodes, f"--topo_sorting_mode={mode}")[0] == expected.split()


def branches(count):
    """Chains x -> large -> small, all large ones first in the source; y is x and the small ones."""
    large = [
        helper.make_node("Concat", ["x"] * (3 + i), [f"large{i}"], name=f"large{i}", axis=0)
        for i in range(count)
    ]
    small = [
        helper.make_node("ReduceMax", [f"large{i}"], [f"small{i}"], name=f"small{i}", axes=[0])
        for i in range(count)
    ]
    sums = ["x", *(f"sum{i}" for i in range(count - 1)), "y"]
    adds = [
        helper.make_node("Add", [sums[i], f"small{i}"], [sums[i + 1]], name=sums[i + 1])
        for i in range(count)
    ]
    return [*large, *small, *adds]


def arena(path):
    with ge.om.load(path) as model:
        return model.memory.arena_bytes


def test_the_order_that_needs_less_memory_is_taken(tasks):
    names, path = tasks(branches(4))
    assert [names.index(f"small{i}") - names.index(f"large{i}") for i in range(4)] == [1] * 4
    least = arena(path)
    _, path = tasks(branches(4), "--topo_sorting_mode=3")
    assert arena(path) > 2 * least


def test_the_order_of_the_source_stays_when_no_other_needs_less(tasks):
    nodes = [
        helper.make_node("Exp", ["x"], ["a"], name="a"),
        helper.make_node("Neg", ["x"], ["b"], name="b"),
        helper.make_node("Sqrt", ["a"], ["c"], name="c"),
        helper.make_node("Add", ["b", "c"], ["y"], name="y"),
    ]
    assert tasks(nodes)[0] == ["a", "b", "c", "y"]


def test_results_do_not_depend_on_the_order(tasks):
    results = set()
    for flags in ([], *([f"--topo_sorting_mode={mode}"] for mode in "0123")):
        _, path = tasks(branches(3), *flags)
        with ge.om.load(path) as model:
            buffers, _ = model._run([("x", X)], None, profile=False, poison=True)
            results.add(np.asarray(buffers[0]).tobytes())
    assert len(results) == 1
