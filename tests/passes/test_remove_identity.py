"""RemoveIdentity: operators that pass their input through go away."""

import pytest
from passes.graphs import F32_23, const, data, inputs_of, op, run, types


def same(name, type_, *inputs, **attrs):
    return op(name, type_, *inputs, outputs=[F32_23], **attrs)


@pytest.mark.parametrize(
    "node",
    [
        same("i", "Identity", "x"),
        same("i", "Dropout", "x"),
        same("i", "Cast", "x", dst_type=0),
    ],
)
def test_the_reader_reads_what_stood_before(node):
    graph = run("RemoveIdentity", [data("x"), node, same("y", "Relu", "i")], ["y"])
    assert graph["changed"] == [True]
    assert types(graph) == {"x": "Data", "y": "Relu"}
    assert inputs_of(graph, "y") == ["x:0"]


def test_a_chain_goes_in_one_run():
    nodes = [data("x"), same("r", "Relu", "x")]
    nodes += [
        same("i1", "Identity", "r"),
        same("i2", "Dropout", "i1"),
        same("i3", "Identity", "i2"),
    ]
    graph = run("RemoveIdentity", nodes, ["i3"])
    assert types(graph) == {"x": "Data", "r": "Relu"}
    assert inputs_of(graph, "NetOutput") == ["r:0"]


def test_the_producer_keeps_its_name_and_takes_the_names_of_what_went():
    nodes = [data("x"), same("r", "Relu", "x"), same("i", "Identity", "r")]
    graph = run("RemoveIdentity", nodes, ["i"])
    (relu,) = [row for row in graph["nodes"] if row["type"] == "Relu"]
    assert relu["sources"] == ["r", "i"]


def test_a_cast_to_another_dtype_is_left_alone():
    cast = op("c", "Cast", "x", outputs=[{"dtype": "f16", "shape": [2, 3]}], dst_type=1)
    graph = run("RemoveIdentity", [data("x"), cast], ["c"])
    assert graph["changed"] == [False]
    assert "c" in types(graph)


@pytest.mark.parametrize("source", [data("x"), const("x", [1, 2, 3], "f32")])
def test_an_output_that_would_be_an_input_or_a_constant_keeps_its_node(source):
    node = op("i", "Identity", "x", outputs=source["outputs"])
    graph = run("RemoveIdentity", [source, node], ["i"])
    assert graph["changed"] == [False]
    assert inputs_of(graph, "NetOutput") == ["i:0"]


def test_of_two_outputs_with_one_value_one_keeps_its_node():
    nodes = [data("x"), same("r", "Relu", "x")]
    nodes += [same("i1", "Identity", "r"), same("i2", "Identity", "r")]
    graph = run("RemoveIdentity", nodes, ["i1", "i2"])
    assert inputs_of(graph, "NetOutput") == ["r:0", "i2:0"]
    graph = run("RemoveIdentity", nodes, ["r", "i1"])
    assert inputs_of(graph, "NetOutput") == ["r:0", "i1:0"]


def test_an_identity_inside_a_branch_goes():
    branch = {
        "nodes": [data("a"), same("i", "Identity", "a"), same("y", "Relu", "i")],
        "outputs": ["y:0"],
    }
    node = same("if", "If", "cond", "x") | {"subgraphs": [branch, branch]}
    nodes = [data("cond", "bool", []), data("x", index=1), node]
    graph = run("RemoveIdentity", nodes, ["if"])
    assert graph["changed"] == [True]
    (row,) = [row for row in graph["nodes"] if row["name"] == "if"]
    for subgraph in row["subgraphs"]:
        assert types(subgraph) == {"a": "Data", "y": "Relu"}
