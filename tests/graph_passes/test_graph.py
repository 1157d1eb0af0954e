"""Graphs, builders and matches outside of a compile."""

import graphlib

import pytest
from ge.error import GeError
from ge.es import GraphBuilder, attr_scope, control_dependency_scope, get_plugin, list_plugins
from ge.es import all as es
from ge.graph import DataType, Node, Tensor
from ge.passes import (
    Pattern,
    SubgraphBoundary,
    SubgraphInput,
    SubgraphOutput,
    SubgraphRewriter,
    can_fuse,
    create_pattern,
)
from ge.utils import GeUtils
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto


def chain():
    """Relu -> Abs -> Add with 1."""
    builder = GraphBuilder("chain")
    x = builder.create_input(0, shape=[2, 3])
    graph = builder.build_and_reset([es.Abs(es.Relu(x)) + 1.0])
    GeUtils.infer_shape(graph, [[2, 3]])
    return graph


def types(graph):
    return [node.type for node in graph.get_direct_nodes()]


def test_operators_take_attributes_by_position_and_by_name():
    builder = GraphBuilder()
    x, filter = builder.create_inputs(2)
    by_position = es.Conv2D(
        x, filter, None, None, [1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1], 1, "NCHW"
    )
    by_name = es.Conv2D(x, filter, strides=[1, 1, 1, 1], pads=[0, 0, 0, 0], data_format="NCHW")
    for holder in (by_position, by_name):
        assert holder.node.get_attr("data_format") == "NCHW"
        assert holder.node.get_attr("groups") == 1  # the default of the prototype
        assert holder.node.get_inputs_size() == 2


def test_lists_of_inputs_and_outputs():
    builder = GraphBuilder()
    parts = es.SplitD(builder.create_input(0), 3, split_dim=0, num_split=3)
    assert len(parts) == 3
    assert es.ConcatD(parts, concat_dim=0, N=3).node.get_inputs_size() == 3


@pytest.mark.parametrize(
    "call",
    [
        lambda x: es.Conv2D(x),
        lambda x: es.Relu(x, 3),
        lambda x: es.Add(x, "text"),
        lambda x: es.ConcatD(x, concat_dim=0),
        lambda x: es.Add(1, 2),
    ],
)
def test_wrong_arguments_are_type_errors(call):
    with pytest.raises(TypeError):
        call(GraphBuilder().create_input(0))


def test_operator_that_does_not_exist_cannot_be_imported():
    with pytest.raises(ImportError):
        from ge.es.math import NoSuchOperator  # noqa: F401


def test_packages_of_operators():
    assert {"all", "math", "nn"} <= set(list_plugins())
    assert get_plugin("math").Add is es.Add


def test_scopes():
    with attr_scope({"label": "left"}):
        assert es.Relu(GraphBuilder().create_input(0)).node.get_attr("label") == "left"
    with pytest.raises(RuntimeError, match="control edges"):
        control_dependency_scope([])


@pytest.mark.parametrize(
    ("data", "data_type", "shape"),
    [
        ([[1.5, -2.0], [0.0, 4.0]], DataType.DT_FLOAT, [2, 2]),
        ([1, 2, 3], DataType.DT_INT64, [3]),
        (7, DataType.DT_INT32, []),
        ([True, False], DataType.DT_BOOL, [2]),
        ([[1.5], [-0.25]], DataType.DT_BF16, [2, 1]),
        ([[]], DataType.DT_FLOAT16, [1, 0]),
    ],
)
def test_tensors_keep_their_elements(data, data_type, shape):
    tensor = Tensor(data, None, data_type)
    assert tensor.data == data and tensor.shape == shape
    constant = GraphBuilder().create_const(tensor)
    again = constant.node.get_attr("value")
    assert again.data == data and again.data_type is data_type


def test_edges_and_nodes_are_edited():
    graph = chain()
    relu, absolute = (graph.find_node_by_name(name) for name in ("Relu", "Abs"))
    x, port = relu.get_in_data_nodes_and_port_indexes(0)
    assert (x.type, port) == ("Data", 0)
    graph.remove_edge(relu, 0, absolute, 0)
    graph.add_data_edge(x, 0, absolute, 0)
    graph.remove_node(relu)
    assert types(graph) == ["Data", "Abs", "Const", "Add", "NetOutput"]
    with pytest.raises(RuntimeError, match="no longer in its graph"):
        relu.get_attr("x")
    assert (relu.name, relu.type) == ("Relu", "Relu")


def test_graph_that_was_handed_over_raises():
    graph = chain()
    node = graph.find_node_by_name("Relu")
    pattern = create_pattern(graph)
    assert pattern.is_valid() and not graph.is_valid()
    for use in (graph.get_all_nodes, lambda: node.type):
        with pytest.raises(RuntimeError, match="handed over"):
            use()
    with pytest.raises(RuntimeError):
        Pattern(graph)


def test_node_that_nothing_made_raises():
    node = Node.__new__(Node)
    for use in (lambda: node.name, lambda: node.type, node.get_inputs_size, node.subgraphs):
        with pytest.raises(GeError):
            use()


def test_boundary_is_replaced():
    graph = chain()
    boundary = SubgraphBoundary()
    boundary.add_input(0, SubgraphInput([(graph.find_node_by_name("Relu"), 0)]))
    boundary.add_output(0, SubgraphOutput(graph.find_node_by_name("Abs"), 0))
    builder = GraphBuilder()
    replacement = builder.build_and_reset([es.Exp(builder.create_input(0))])
    assert SubgraphRewriter.replace(boundary, replacement) == 0
    assert types(graph) == ["Data", "Const", "Exp", "Add", "NetOutput"] or types(graph) == [
        "Data",
        "Exp",
        "Const",
        "Add",
        "NetOutput",
    ]


def test_boundary_that_is_not_closed_is_refused_and_nothing_changes():
    graph = chain()
    before = types(graph)
    boundary = SubgraphBoundary()
    boundary.add_output(0, SubgraphOutput(graph.find_node_by_name("Abs"), 0))
    builder = GraphBuilder()
    builder.create_input(0)
    replacement = builder.build_and_reset([builder._inputs[0]])
    assert SubgraphRewriter.replace(boundary, replacement) != 0
    assert types(graph) == before


def test_nodes_that_would_close_a_cycle_cannot_be_fused():
    graph = chain()
    relu, absolute = (graph.find_node_by_name(name) for name in ("Relu", "Abs"))
    add = graph.find_node_by_name("Add")
    assert can_fuse([relu, absolute]).ok
    assert not can_fuse([relu, add]).ok


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8), st.data())
def test_nodes_are_fused_when_an_order_of_what_remains_exists(reads, data):
    """The oracle is graphlib: one node for those fused, and whether that can be sorted."""
    builder = GraphBuilder("g")
    tensors = [builder.create_input(0)]
    for pair in reads:
        tensors.append(es.Add(*(tensors[read % len(tensors)] for read in pair)))
    graph = builder.build_and_reset(tensors[-1:])
    chosen = data.draw(st.sets(st.integers(1, len(reads)), min_size=1))
    sorter = graphlib.TopologicalSorter()
    for node, pair in enumerate(reads, 1):
        for read in {read % node for read in pair}:
            ends = [0 if end in chosen else end + 1 for end in (node, read)]
            if ends != [0, 0]:
                sorter.add(*ends)
    try:
        sorter.prepare()
        expected = True
    except graphlib.CycleError:
        expected = False
    nodes = {node.name: node for node in graph.get_direct_nodes()}
    assert can_fuse([nodes[tensors[index].name] for index in chosen]).ok == expected


def test_dump_is_readable_by_others():
    from google.protobuf import text_format

    model = text_format.Parse(chain().dump_to_stream(), ModelProto())
    operators = [node.op_type for node in model.graph.node]
    assert "ge:Relu" in operators and "ge:Add" in operators
