"""ShareConstants and ShareResults: what is there twice is kept once."""

import numpy as np
from onnx import TensorProto, helper
from passes.graphs import const, data, inputs_of, op, run, types
from passes.models import model, node

import ge.om

RNG = np.random.default_rng(11)
SHAPE = [2, 3]
OUT = [{"dtype": "f32", "shape": SHAPE}]


def both(nodes, outputs):
    return run(["ShareConstants", "ShareResults"], nodes, outputs)


def test_equal_constants_become_the_first():
    nodes = [data("x"), const("a", [2], "f32"), const("b", [2], "f32")]
    nodes += [op("y", "Mul", "x", "a", outputs=OUT), op("z", "Add", "y", "b", outputs=OUT)]
    graph = run("ShareConstants", nodes, ["z"])
    assert graph["changed"] == [True]
    assert inputs_of(graph, "z") == ["y:0", "a:0"]
    assert "b" not in types(graph)


def test_constants_that_differ_in_dtype_shape_or_one_element_stay():
    many = list(range(1000))
    nodes = [
        const("a", [0, 0], "f32"),
        const("b", [0], "i64"),
        const("c", [0, 0], "f32", [2, 1]),
        const("d", many, "f32"),
        const("e", [*many[:500], -1, *many[501:]], "f32"),
    ]
    graph = run("ShareConstants", nodes, ["a", "b", "c", "d", "e"])
    assert graph["changed"] == [False]


def test_two_outputs_with_equal_constants_stay():
    graph = run("ShareConstants", [const("a", [1], "f32"), const("b", [1], "f32")], ["a", "b"])
    assert graph["changed"] == [False]


def test_equal_nodes_become_the_first_with_all_source_names():
    nodes = [data("x"), op("a", "Relu", "x", outputs=OUT), op("b", "Relu", "x", outputs=OUT)]
    nodes += [op("c", "Exp", "a", outputs=OUT), op("d", "Exp", "b", outputs=OUT)]
    graph = both([*nodes, op("y", "Add", "c", "d", outputs=OUT)], ["y"])
    assert types(graph) == {"x": "Data", "a": "Relu", "c": "Exp", "y": "Add"}
    assert inputs_of(graph, "y") == ["c:0", "c:0"]
    (relu,) = [row for row in graph["nodes"] if row["name"] == "a"]
    assert relu["sources"] == ["a", "b"]


def test_every_output_of_a_node_is_shared():
    nodes = [data("x"), const("d", [0], "i32", [])]
    halves = [{"dtype": "f32", "shape": [1, 3]}] * 2
    nodes += [op(name, "Split", "d", "x", outputs=halves, num_split=2) for name in ("s", "t")]
    nodes += [op("y", "Sub", "s:0", "t:1", outputs=halves[:1])]
    graph = both(nodes, ["y"])
    assert inputs_of(graph, "y") == ["s:0", "s:1"]


def test_nodes_that_differ_in_attributes_inputs_or_order_stay():
    nodes = [data("x"), data("z", index=1)]
    nodes += [op("a", "LeakyRelu", "x", outputs=OUT, negative_slope=0.5)]
    nodes += [op("b", "LeakyRelu", "x", outputs=OUT, negative_slope=0.25)]
    nodes += [op("c", "Sub", "x", "z", outputs=OUT), op("d", "Sub", "z", "x", outputs=OUT)]
    graph = both(nodes, ["a", "b", "c", "d"])
    assert graph["changed"] == [False, False]


def test_of_two_outputs_none_is_shared():
    nodes = [data("x"), op("a", "Relu", "x", outputs=OUT), op("b", "Relu", "x", outputs=OUT)]
    assert both(nodes, ["a", "b"])["changed"] == [False, False]
    graph = both([*nodes, op("c", "Exp", "b", outputs=OUT)], ["a", "c"])
    assert inputs_of(graph, "c") == ["a:0"]


def test_random_numbers_are_drawn_anew(check_fused, tmp_path):
    nodes = [
        node("RandomNormalLike", "x", "a"),
        node("RandomNormalLike", "x", "b"),
        node("Sub", "a,b", "y"),
    ]
    network = model(nodes, {"x": [64]}, ["y"])
    with compiled(network, tmp_path) as opened:
        assert opened.run({"x": np.zeros(64, np.float32)})["y"].any()


def compiled(network, folder):
    from conformance.check import compile_model

    (folder / "m.onnx").write_bytes(network.SerializeToString())
    assert compile_model(folder / "m.onnx", folder / "m", []) is None
    return ge.om.load(folder / "m.om")


def test_a_subexpression_of_a_network_is_computed_once(check_fused):
    nodes = [
        node("Sub", "x,k", "a"),
        node("Mul", "a,a", "b"),
        node("Sub", "x,l", "c"),
        node("Mul", "c,c", "d"),
        node("Add", "b,d", "y"),
    ]
    k = RNG.standard_normal(5).astype(np.float32)
    network = model(nodes, {"x": [4, 5]}, ["y"], {"k": k, "l": k.copy()})
    check_fused(network, {"Sub": 1, "Mul": 1, "Add": 1})


def test_ifs_stay(check_fused):
    def branch(name, op_type):
        y = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        return helper.make_graph([node(op_type, "x", name)], name, [], [y])

    nodes = [node("ReduceSum", "x", "sum", keepdims=0), node("Cast", "sum", "c", to=9)]
    nodes += [
        node(
            "If",
            "c",
            name,
            then_branch=branch(f"{name}t", "Relu"),
            else_branch=branch(f"{name}e", kind),
        )
        for name, kind in (("a", "Neg"), ("b", "Abs"))
    ]
    check_fused(model([*nodes, node("Add", "a,b", "y")], {"x": [4]}, ["y"]))


def test_a_mask_that_every_layer_makes_is_made_once(check_fused):
    nodes, constants = [], {"one": np.float32(1), "far": np.float32(-10000), "axes": np.array([1])}
    x = "x"
    for layer in "ab":
        parts = [
            node("Unsqueeze", "m,axes", "rows"),
            node("Cast", "rows", "wide", to=TensorProto.FLOAT),
            node("Sub", "one,wide", "hidden"),
            node("Mul", "hidden,far", "mask"),
            node("Add", f"{x},mask", "masked"),
            node("Softmax", "masked", "y", axis=-1),
        ]
        own = {"rows", "wide", "hidden", "mask", "masked", "y"}
        for part in parts:
            inputs = [name + layer if name in own else name for name in part.input]
            nodes.append(node(part.op_type, ",".join(inputs), part.output[0] + layer))
            nodes[-1].attribute.extend(part.attribute)
        x = f"y{layer}"
    net = model(nodes, {"x": [2, 3, 4], "m": [2, 4]}, ["yb"], constants)
    net.graph.input[1].type.tensor_type.elem_type = TensorProto.INT64
    feeds = {"x": RNG.standard_normal((2, 3, 4), np.float32), "m": np.array([[1, 1, 0, 0]] * 2)}
    graph = check_fused(net, feeds=feeds)
    operators = graph.operators()
    assert [operators[kind] for kind in ("Cast", "Sub", "Mul", "Add")] == [1, 1, 1, 2]
