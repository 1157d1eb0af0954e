"""RemoveDeadNodes: what no output depends on goes away."""

from passes.graphs import const, data, op, run, types


def test_a_branch_that_nothing_reads_goes_whole():
    nodes = [data("x"), const("c", [6]), op("a", "Relu", "x"), op("b", "Reshape", "a", "c")]
    graph = run("RemoveDeadNodes", [*nodes, op("y", "Relu", "x")], ["y"])
    assert graph["changed"] == [True]
    assert types(graph) == {"x": "Data", "y": "Relu"}


def test_inputs_of_the_model_stay_though_nothing_reads_them():
    graph = run(
        "RemoveDeadNodes", [data("x"), data("unused", index=1), op("y", "Relu", "x")], ["y"]
    )
    assert graph["changed"] == [False]
    assert types(graph) == {"x": "Data", "unused": "Data", "y": "Relu"}


def test_a_node_of_which_one_output_is_read_stays():
    two = [{"dtype": "f32", "shape": [1, 3]}] * 2
    split = op("s", "Split", "d", "x", outputs=two, num_split=2)
    graph = run("RemoveDeadNodes", [data("x"), const("d", [0], "i32"), split], ["s:1"])
    assert graph["changed"] == [False]
    assert types(graph) == {"x": "Data", "d": "Const", "s": "Split"}
