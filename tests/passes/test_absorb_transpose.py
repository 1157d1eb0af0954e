"""AbsorbTranspose: a matrix product takes its operand the other way round."""

import pytest
from passes.graphs import const, data, inputs_of, op, run, types


def product(type_, x1, x2, shape, **attrs):
    return op("m", type_, x1, x2, outputs=[{"dtype": "f32", "shape": shape}], **attrs)


def transposed(name, x, shape, perm):
    return [
        const(f"{name}_perm", perm, "i64"),
        op(name, "Transpose", x, f"{name}_perm", outputs=[{"dtype": "f32", "shape": shape}]),
    ]


def matrix(name, *shape):
    return op(name, "Data", outputs=[{"dtype": "f32", "shape": list(shape)}], index=0)


@pytest.mark.parametrize(
    "type_, attr, lead",
    [("MatMulV2", "transpose_x2", []), ("BatchMatMulV2", "adj_x2", [5])],
)
@pytest.mark.parametrize("before", [False, True])
def test_the_operand_is_read_as_it_is(type_, attr, lead, before):
    rank = len(lead) + 2
    perm = [*range(rank - 2), rank - 1, rank - 2]
    inner = [3, 4] if before else [4, 3]
    nodes = [matrix("a", *lead, 2, 4), matrix("b", *lead, *inner)]
    nodes += transposed("t", "b", [*lead, *inner[::-1]], perm)
    nodes += [product(type_, "a", "t", [*lead, 2, 3], **{attr: not before})]
    graph = run("AbsorbTranspose", nodes, ["m"])
    (row,) = [node for node in graph["nodes"] if node["name"] == "m"]
    assert graph["changed"] == [True]
    assert inputs_of(graph, "m") == ["a:0", "b:0"]
    assert row["attrs"][attr] is before
    assert row["sources"] == ["m", "t"]


def test_other_transposes_stay():
    nodes = [matrix("a", 5, 2, 4), matrix("b", 4, 5, 3)]
    nodes += transposed("t", "b", [5, 4, 3], [1, 0, 2])
    nodes += [product("BatchMatMulV2", "a", "t", [5, 2, 3])]
    graph = run("AbsorbTranspose", nodes, ["m"])
    assert graph["changed"] == [False]
    assert types(graph)["t"] == "Transpose"


def test_a_transpose_with_other_readers_stays_for_them():
    nodes = [data("x"), matrix("b", 2, 3)]
    nodes += transposed("t", "b", [3, 2], [1, 0])
    nodes += [
        product("MatMulV2", "x", "t", [2, 2]),
        op("r", "Relu", "t", outputs=[{"dtype": "f32", "shape": [3, 2]}]),
    ]
    graph = run("AbsorbTranspose", nodes, ["m", "r"])
    assert inputs_of(graph, "m") == ["x:0", "b:0"]
    assert inputs_of(graph, "r") == ["t:0"]
