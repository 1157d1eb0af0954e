"""FoldConstants: operators whose inputs are all constant become constants."""

import pytest
from passes.graphs import const, data, op, run, types

from ge import _testing


def inferred(nodes, outputs, *passes):
    return run(["InferShapes", *passes], nodes, outputs)


def test_a_chain_folds_in_one_run():
    nodes = [const("a", [1, 2, 3]), const("b", [10, 20, 30])]
    nodes += [op("sum", "Add", "a", "b"), op("both", "ConcatD", "sum", "a", concat_dim=0, N=2)]
    graph = inferred(nodes, ["both"], "FoldConstants")
    assert graph["changed"] == [True, True]
    assert graph["outputs"][0]["value"] == [11, 22, 33, 1, 2, 3]


def test_shapes_behind_a_folded_value_become_known():
    nodes = [data("x", shape=[4, 6]), const("a", [8, -5]), const("b", [0, 8])]
    nodes += [op("shape", "Add", "a", "b"), op("y", "Reshape", "x", "shape"), op("z", "Relu", "y")]
    graph = inferred(nodes, ["z"])
    assert graph["outputs"][0]["shape"] == [-1, -1]
    graph = inferred(nodes, ["z"], "FoldConstants")
    assert graph["outputs"][0]["shape"] == [8, 3]


def test_every_output_of_a_node_becomes_a_constant():
    nodes = [const("x", [1, 2, 3, 4]), const("d", [0], "i32")]
    nodes.append(op("s", "Split", "d", "x", outputs=[{}, {}], num_split=2))
    graph = inferred(nodes, ["s:1", "s:0"], "FoldConstants", "RemoveDeadNodes")
    assert [row["value"] for row in graph["outputs"]] == [[3, 4], [1, 2]]
    assert set(types(graph).values()) == {"Const"}


def test_a_result_without_elements_is_constant_whatever_is_read():
    nodes = [data("x", shape=[1, 4]), const("from", [4]), const("to", [9]), const("axes", [1])]
    nodes.append(op("y", "StridedSliceV2", "x", "from", "to", "axes"))
    graph = inferred(nodes, ["y"], "FoldConstants")
    assert graph["outputs"][0]["shape"] == [1, 0]
    assert graph["outputs"][0]["value"] == []


def test_a_node_that_reads_an_input_is_left_alone():
    nodes = [data("x", "i64", [3]), const("a", [1, 2, 3]), op("y", "Add", "x", "a")]
    graph = inferred(nodes, ["y"], "FoldConstants")
    assert graph["changed"] == [True, False]
    assert types(graph)["y"] == "Add"


def test_a_large_result_is_left_alone():
    nodes = [const("dims", [64, 1024]), const("value", [1], "f32", [])]
    graph = inferred([*nodes, op("y", "Fill", "dims", "value")], ["y"], "FoldConstants")
    assert graph["changed"] == [True, False]
    assert types(graph)["y"] == "Fill"


def test_a_view_of_a_large_constant_folds():
    nodes = [const("x", range(20000), "f32"), const("shape", [100, -1])]
    graph = inferred([*nodes, op("y", "Reshape", "x", "shape")], ["y"], "FoldConstants")
    assert types(graph)["y"] == "Const"
    assert graph["outputs"][0]["shape"] == [100, 200]


def test_wrong_data_is_reported_with_the_node():
    nodes = [const("x", [1, 2]), const("at", [7]), const("axis", [0], "i32", [])]
    nodes.append(op("pick", "GatherV2", "x", "at", "axis"))
    with pytest.raises(_testing.CompileError, match=r"pick.*index 7"):
        inferred(nodes, ["pick"], "FoldConstants")
