"""RemoveEmptyOperands: operands without elements are left out of a ConcatD."""

from passes.graphs import const, data, inputs_of, op, run, types

EMPTY = const("e", [], "f32", [2, 0])


def concat(*inputs):
    return op("y", "ConcatD", *inputs, concat_dim=1, N=len(inputs))


def test_operands_without_elements_go():
    nodes = [data("x"), EMPTY, data("z", index=1), concat("e", "x", "e", "z")]
    graph = run(["InferShapes", "RemoveEmptyOperands"], nodes, ["y"])
    assert graph["changed"] == [True, True]
    assert inputs_of(graph, "y") == ["x:0", "z:0"]
    (row,) = [row for row in graph["nodes"] if row["name"] == "y"]
    assert row["attrs"]["N"] == 2


def test_a_concat_that_is_left_with_one_operand_goes_too():
    nodes = [data("x"), EMPTY, op("r", "Relu", "x"), concat("e", "r"), op("z", "Relu", "y")]
    passes = ["InferShapes", "RemoveEmptyOperands", "RemoveIdentity", "RemoveDeadNodes"]
    graph = run(passes, nodes, ["z"])
    assert types(graph) == {"x": "Data", "r": "Relu", "z": "Relu"}


def test_of_operands_that_are_all_empty_one_stays():
    graph = run(["InferShapes", "RemoveEmptyOperands"], [EMPTY, concat("e", "e")], ["y"])
    assert inputs_of(graph, "y") == ["e:0"]


def test_operands_with_elements_or_of_unknown_size_are_left_alone():
    nodes = [data("x"), data("u", shape=[2, -1], index=1), concat("x", "u")]
    graph = run(["InferShapes", "RemoveEmptyOperands"], nodes, ["y"])
    assert graph["changed"] == [True, False]
    assert inputs_of(graph, "y") == ["x:0", "u:0"]


def test_an_operand_without_elements_that_makes_the_result_longer_stays():
    nodes = [data("x", shape=[0, 3]), const("e", [], "f32", [0, 2]), concat("x", "e")]
    graph = run(["InferShapes", "RemoveEmptyOperands"], nodes, ["y"])
    assert graph["changed"] == [True, False]
    assert inputs_of(graph, "y") == ["x:0", "e:0"]


def test_an_operand_that_alone_knows_a_dim_of_the_result_stays():
    nodes = [data("x", shape=[-1, -1]), EMPTY, concat("x", "e")]
    graph = run(["InferShapes", "RemoveEmptyOperands"], nodes, ["y"])
    assert graph["changed"] == [True, False]
    assert inputs_of(graph, "y") == ["x:0", "e:0"]
