"""MergeCasts, MergeTransposes, TransposeToView, MergeViews: moves that follow each other."""

import numpy as np
import pytest
from onnx import TensorProto
from passes.graphs import data, inputs_of, op, run, types
from passes.models import model, node

RNG = np.random.default_rng(19)
NO_SINKING = ["--optimization_switch=SinkAxisMaps:off"]  # which looks at more than one chain


def cast_to(name, dtype, x):
    return op(name, "Cast", x, outputs=[{"dtype": dtype, "shape": [4]}], dst_type=0)


def casts(*dtypes):
    """x of the first dtype -> a cast to each of the others -> Identity -> y."""
    nodes, last = [data("x", dtypes[0], [4])], "x"
    for i, dtype in enumerate(dtypes[1:]):
        nodes.append(cast_to(f"c{i}", dtype, last))
        last = f"c{i}"
    nodes.append(op("y", "Identity", last, outputs=[{"dtype": dtypes[-1], "shape": [4]}]))
    return run("MergeCasts", nodes, ["y"])


@pytest.mark.parametrize(
    "dtypes",
    [
        ("f16", "f32", "f16"),
        ("bf16", "f32", "bf16"),
        ("f32", "f64", "f32"),
        ("i32", "i64", "i32"),
        ("i32", "f64", "i32"),
        ("u8", "f16", "u8"),
        ("bool", "i32", "bool"),
        ("i8", "f16", "i8"),
    ],
)
def test_a_cast_that_goes_back_leaves_nothing(dtypes):
    graph = casts(*dtypes)
    assert graph["changed"] == [True]
    assert types(graph) == {"x": "Data", "y": "Identity"}


@pytest.mark.parametrize("dtypes", [("f16", "f32", "f64"), ("bool", "f32", "i64")])
def test_a_cast_that_goes_on_is_one(dtypes):
    graph = casts(*dtypes)
    assert types(graph) == {"x": "Data", "c1": "Cast", "y": "Identity"}
    (cast,) = [row for row in graph["nodes"] if row["name"] == "c1"]
    assert cast["sources"] == ["c1", "c0"]


@pytest.mark.parametrize(
    "dtypes",
    [
        ("f32", "f16", "f32"),
        ("f32", "i32", "f32"),
        ("i64", "i32", "i64"),
        ("i64", "f64", "i64"),
        ("i32", "f32", "i32"),
        ("i32", "u32", "i32"),
        ("i32", "u64", "i32"),
        ("f16", "bf16", "f16"),
        ("bf16", "f16", "bf16"),
        ("i32", "bool", "i32"),
    ],
)
def test_a_cast_that_loses_something_stays(dtypes):
    assert casts(*dtypes)["changed"] == [False]


def test_a_cast_with_other_readers_stays_for_them():
    nodes = [data("x", "f16", [4]), cast_to("a", "f32", "x"), cast_to("b", "f16", "a")]
    nodes += [op("y", "Abs", "b", outputs=[{"dtype": "f16", "shape": [4]}])]
    graph = run("MergeCasts", nodes, ["y", "a"])
    assert inputs_of(graph, "y") == ["x:0"]
    assert types(graph)["a"] == "Cast"


def test_an_output_does_not_become_an_input():
    nodes = [data("x", "f16", [4]), cast_to("a", "f32", "x"), cast_to("b", "f16", "a")]
    assert run("MergeCasts", nodes, ["b"])["changed"] == [False]


def transposes(*orders, between=(), dims=(2, 3, 4)):
    nodes = [node("Relu", "x", "t0")]
    last = "t0"
    for i, order in enumerate(orders):
        nodes.append(node("Transpose", last, f"p{i}", perm=order))
        last = f"p{i}"
        if i == 0:
            for j, row in enumerate(between):
                nodes.append(node(row[0], ",".join([last, *row[1:]]), f"b{j}"))
                last = f"b{j}"
    nodes.append(node("Abs", last, "y"))
    constants = {"k": np.float32(0.5), "one": np.ones(1, np.float32) / 3}
    used = {name for row in nodes for name in row.input}
    constants = {name: value for name, value in constants.items() if name in used}
    return model(nodes, {"x": list(dims)}, ["y"], constants)


@pytest.mark.parametrize("dims", [(2, 3, 4), ("n", 3, "w")])
@pytest.mark.parametrize(
    "between", [[], [("Exp",)], [("Mul", "k"), ("Tanh",), ("Clip", "k")], [("LeakyRelu",)]]
)
def test_a_transpose_that_goes_back_leaves_nothing(check_fused, between, dims):
    flags = ["--input_shape=x:-1,3,-1"] if "n" in dims else []
    feeds = {"x": RNG.standard_normal((2, 3, 4)).astype(np.float32)}
    network = transposes([2, 0, 1], [1, 2, 0], between=between, dims=dims)
    graph = check_fused(network, feeds=feeds, flags=flags)
    assert "Transpose" not in graph.operators()
    sources = [name for row in graph.nodes for name in row.sources]
    assert {"p0", "p1"} <= set(sources)


def test_transposes_in_a_row_are_one(check_fused):
    check_fused(transposes([2, 0, 1], [2, 0, 1]), {"Relu": 1, "Transpose": 1, "Abs": 1})
    network = transposes([2, 0, 1], [0, 2, 1], [1, 0, 2], between=[("Exp",)])
    check_fused(network, {"Relu": 1, "Transpose": 1, "Exp": 1, "Abs": 1})


@pytest.mark.parametrize("between", [[("Add", "one")], [("Softmax",)], [("Exp",), ("Softmax",)]])
def test_what_looks_at_axes_stays_between(check_fused, between):
    network = transposes([2, 0, 1], [1, 2, 0], between=between)
    assert check_fused(network, flags=NO_SINKING).operators()["Transpose"] == 2


def test_a_transpose_with_other_readers_stays(check_fused):
    nodes = [
        node("Transpose", "x", "a", perm=[1, 0]),
        node("Exp", "a", "b"),
        node("Transpose", "b", "y", perm=[1, 0]),
        node("Neg", "b", "z"),
    ]
    graph = check_fused(model(nodes, {"x": [3, 4]}, ["y", "z"]), flags=NO_SINKING)
    assert graph.operators()["Transpose"] == 2


def test_outputs_that_are_inputs_keep_a_node(check_fused):
    nodes = [node("Transpose", "x", "a", perm=[1, 0]), node("Transpose", "a", "y", perm=[1, 0])]
    graph = check_fused(model(nodes, {"x": [3, 4]}, ["y"]))
    assert sum(graph.operators().values()) > 0


@pytest.mark.parametrize(
    ("dims", "order", "gone"),
    [
        ([2, 1, 3], [1, 0, 2], True),
        ([1, 2, 1, 3], [1, 3, 0, 2], True),
        ([2, 1, 3], [2, 1, 0], False),
        ([2, 2, 3], [1, 0, 2], False),
        (["n", 1, 3], [1, 0, 2], False),
    ],
)
def test_a_transpose_of_unit_axes_is_a_view(check_fused, dims, order, gone):
    nodes = [
        node("Relu", "x", "a"),
        node("Transpose", "a", "t", perm=order),
        node("Softmax", "t", "y", axis=-1),
    ]
    feeds = {"x": RNG.standard_normal([2 if d == "n" else d for d in dims]).astype(np.float32)}
    flags = ["--input_shape=x:-1,1,3"] if "n" in dims else []
    graph = check_fused(model(nodes, {"x": dims}, ["y"]), feeds=feeds, flags=flags)
    assert ("Transpose" in graph.operators()) is not gone


def views(*rows, between=(), dims=(2, 3, 4), opset=17):
    """Relu -> a view for each of ``rows`` -> Softmax over the last axis."""
    nodes, constants, last = [node("Relu", "x", "v")], {}, "v"
    for i, (op_type, numbers) in enumerate(rows):
        name = f"v{i}"
        if op_type == "Flatten":
            nodes.append(node(op_type, last, name, axis=numbers))
        else:
            constants[f"k{i}"] = np.array(numbers)
            nodes.append(node(op_type, f"{last},k{i}", name))
        last = name
        if i == 0:
            for j, kind in enumerate(between):
                nodes.append(node(kind, last, f"b{j}"))
                last = f"b{j}"
    nodes.append(node("Softmax", last, "y", axis=-1))
    return model(nodes, {"x": list(dims)}, ["y"], constants, opset=opset)


@pytest.mark.parametrize(
    "rows",
    [
        [("Reshape", [6, 4]), ("Reshape", [2, 3, 4])],
        [("Unsqueeze", [1]), ("Squeeze", [1])],
        [("Unsqueeze", [0, 2]), ("Squeeze", [2, 0])],
        [("Flatten", 1), ("Reshape", [-1, 3, 4])],
        [("Unsqueeze", [1]), ("Reshape", [4, 6]), ("Reshape", [2, 3, 4])],
    ],
)
@pytest.mark.parametrize("between", [[], ["Exp", "Neg"]])
def test_views_that_undo_each_other_go(check_fused, rows, between):
    graph = check_fused(views(*rows, between=between))
    assert set(graph.operators()) == {"Relu", "SoftmaxV2", *between}


def test_a_pair_that_shows_a_size_stays(check_fused):
    """Behind it the dim is known to be 1, as it is not before."""
    nodes = [node("Squeeze", "x,two", "s"), node("Unsqueeze", "s,two", "u"), node("Neg", "u", "y")]
    net = model(nodes, {"x": list("abcd")}, ["y"], {"two": np.array([2])})
    feeds = {"x": RNG.standard_normal((2, 3, 1, 4), np.float32)}
    graph = check_fused(net, feeds=feeds, flags=["--input_shape=x:-1,-1,-1,-1"])
    assert graph.nodes[-2].outputs[0].shape == (None, None, 1, None)


def test_unknown_sizes_do_not_matter_between_inverses(check_fused):
    network = views(("Unsqueeze", [1]), ("Squeeze", [1]), between=["Exp"], dims=("n", 3, "w"))
    feeds = {"x": RNG.standard_normal((2, 3, 4)).astype(np.float32)}
    graph = check_fused(network, feeds=feeds, flags=["--input_shape=x:-1,3,-1"])
    assert set(graph.operators()) == {"Relu", "Exp", "SoftmaxV2"}


@pytest.mark.parametrize(
    "rows",
    [
        [("Reshape", [6, 4]), ("Reshape", [3, 8])],
        [("Unsqueeze", [1]), ("Flatten", 2)],
        [("Flatten", 2), ("Unsqueeze", [0]), ("Reshape", [2, -1])],
        [("Reshape", [4, 0, -1]), ("Flatten", 2)],
    ],
)
@pytest.mark.parametrize("between", [[], ["Exp"]])
def test_views_in_a_row_are_one(check_fused, rows, between):
    graph = check_fused(views(*rows, between=between))
    expected = ["Relu", "SoftmaxV2", *between]
    assert graph.operators() == dict.fromkeys([*expected, "Reshape"], 1)


def test_views_with_other_readers_or_other_operators_between_stay(check_fused):
    nodes = [
        node("Reshape", "x,a", "b"),
        node("Reshape", "b,c", "d"),
        node("Softmax", "d", "y"),
        node("Softmax", "b", "z"),
    ]
    constants = {"a": np.array([6, 4]), "c": np.array([2, 12])}
    graph = check_fused(model(nodes, {"x": [2, 3, 4]}, ["y", "z"], constants))
    assert graph.operators()["Reshape"] == 2
    graph = check_fused(views(("Reshape", [6, 4]), ("Reshape", [2, 12]), between=["Softmax"]))
    assert graph.operators()["Reshape"] == 2


def test_a_convolution_with_one_axis_hands_on_its_image(check_fused):
    nodes = [
        node("Conv", "x,w", "a"),
        node("Relu", "a", "b"),
        node("Conv", "b,v", "c"),
        node("Sigmoid", "c", "y"),
    ]
    constants = {
        "w": RNG.standard_normal((4, 3, 3)).astype(np.float32),
        "v": RNG.standard_normal((2, 4, 3)).astype(np.float32),
    }
    check_fused(
        model(nodes, {"x": [1, 3, 12]}, ["y"], constants),
        {"Conv2D": 2, "Sigmoid": 1, "Unsqueeze": 1, "Squeeze": 1},
    )


def test_casts_of_a_network(check_fused):
    nodes = [
        node("Relu", "x", "a"),
        node("Cast", "a", "b", to=TensorProto.DOUBLE),
        node("Cast", "b", "c", to=TensorProto.FLOAT),
        node("Cast", "c", "d", to=TensorProto.FLOAT16),
        node("Cast", "d", "y", to=TensorProto.FLOAT),
    ]
    check_fused(model(nodes, {"x": [3, 4]}, ["y"]), {"Relu": 1, "Cast": 2})
