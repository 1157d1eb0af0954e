"""Which data types the modes of --precision_mode and --precision_mode_v2 give."""

import numpy as np
import pytest
from passes.models import F16, model, node

ONES = np.ones((4, 4), np.float32)


def two_kinds(dtype=1):
    """A matrix product and an elementwise operator."""
    constants = {"w": ONES if dtype == 1 else ONES.astype(np.float16)}
    return model(
        [node("MatMul", "x,w", "mm"), node("Relu", "mm", "y")],
        {"x": [2, 4]},
        ["y"],
        constants,
        dtype=dtype,
    )


@pytest.mark.parametrize(
    ("flag", "product", "relu"),
    [
        (None, "float16", "float16"),
        ("precision_mode_v2=fp16", "float16", "float16"),
        ("precision_mode_v2=origin", "float32", "float32"),
        ("precision_mode_v2=cube_fp16in_fp32out", "float32", "float32"),
        ("precision_mode_v2=mixed_float16", "float16", "float16"),
        ("precision_mode=force_fp16", "float16", "float16"),
        ("precision_mode=force_fp32", "float32", "float32"),
        ("precision_mode=cube_fp16in_fp32out", "float32", "float32"),
        ("precision_mode=allow_fp32_to_fp16", "float16", "float32"),
        ("precision_mode=must_keep_origin_dtype", "float32", "float32"),
        ("precision_mode=allow_mix_precision", "float16", "float16"),
        ("precision_mode=allow_mix_precision_fp16", "float16", "float16"),
    ],
)
def test_dtypes_of_a_float32_network(build, flag, product, relu):
    built = build(two_kinds(), *([f"--{flag}"] if flag else []))
    dtypes = built.dtypes()
    assert (dtypes["mm"], dtypes["y"]) == (product, relu)
    feeds = {"x": np.full((2, 4), 2, np.float32)}
    np.testing.assert_array_equal(built.run(feeds)["y"], np.full((2, 4), 8, np.float32))


@pytest.mark.parametrize(
    ("flag", "product", "relu"),
    [
        ("precision_mode_v2=mixed_bfloat16", "bfloat16", "bfloat16"),
        ("precision_mode=allow_mix_precision_bf16", "bfloat16", "bfloat16"),
        ("precision_mode=allow_fp32_to_bf16", "float32", "float32"),
    ],
)
def test_dtypes_with_bfloat16(build, flag, product, relu):
    dtypes = build(two_kinds(), f"--{flag}", soc="Ascend910B1").dtypes()
    assert (dtypes["mm"], dtypes["y"]) == (product, relu)


@pytest.mark.parametrize(
    ("mode", "product", "relu"),
    [("mixed_hif8", "float16", "float16"), ("cube_hif8", "float16", "float32")],
)
def test_what_hifloat8_is_wanted_for_becomes_float16(build, mode, product, relu):
    built = build(two_kinds(), f"--precision_mode_v2={mode}", soc="Ascend910_95")
    dtypes = built.dtypes()
    assert (dtypes["mm"], dtypes["y"]) == (product, relu)
    assert f"[--precision_mode_v2={mode}] has no effect: the lists of Ascend910_95" in built.text


def test_products_of_float16_give_float32_sums(build):
    """Sums of 2048 ones and a half: float16 has no room for the half."""
    ones = np.ones((2048, 1), np.float32)
    net = model(
        [node("MatMul", "x,w", "mm"), node("Add", "mm,half", "y")],
        {"x": [1, 2048]},
        ["y"],
        {"w": ones, "half": np.float32([0.5])},
    )
    feeds = {"x": np.ones((1, 2048), np.float32)}
    assert build(net, "--precision_mode_v2=cube_fp16in_fp32out").run(feeds)["y"] == 2048.5
    assert build(net).run(feeds)["y"] in (2048, 2050)


def test_factors_are_rounded_where_sums_are_not(build):
    net = model([node("MatMul", "x,w", "y")], {"x": [1, 1]}, ["y"], {"w": np.float32([[2049]])})
    feeds = {"x": np.float32([[1]])}
    assert build(net, "--precision_mode_v2=cube_fp16in_fp32out").run(feeds)["y"] == 2048
    assert build(net, "--precision_mode_v2=origin").run(feeds)["y"] == 2049


def test_a_float16_network_rises_only_where_the_mode_says(build):
    net = two_kinds(F16)
    assert set(build(net).dtypes().values()) == {"float16"}
    assert set(build(net, "--precision_mode_v2=origin").dtypes().values()) == {"float16"}
    lifted = build(net, "--precision_mode=force_fp32").dtypes()
    assert lifted["y"] == "float32"


def test_the_network_keeps_its_inputs_and_outputs(build):
    graph = build(two_kinds()).graph()
    casts = [n for n in graph.nodes if n.type == "Cast"]
    assert [n.outputs[0].dtype for n in casts] == ["float16", "float32"]
    assert [n.inputs[0] for n in casts] == ["x:0", "mm:0"]  # which holds the activation y


def test_readers_share_one_cast(build):
    net = model(
        [node("Relu", "x", "a"), node("Neg", "x", "b"), node("Add", "a,b", "y")], {"x": [3]}, ["y"]
    )
    graph = build(net).graph()
    assert graph.operators()["Cast"] == 2


def test_views_take_what_they_read(build):
    net = model(
        [node("Relu", "x", "a"), node("Reshape", "a,s", "b"), node("Neg", "b", "y")],
        {"x": [2, 3]},
        ["y"],
        {"s": np.array([6])},
    )
    built = build(net)
    assert built.dtypes()["b"] == "float16"
    assert built.graph().operators()["Cast"] == 2


def test_a_cast_of_the_source_that_only_widens_is_looked_through(build):
    net = model(
        [
            node("Relu", "x", "a"),
            node("Cast", "a", "wide", to=1),
            node("Neg", "wide", "b"),
            node("Cast", "b", "y", to=10),
        ],
        {"x": [3]},
        ["y"],
        dtype=F16,
    )
    assert build(net).graph().operators() == {"Neg": 1, "Relu": 1}


def test_a_cast_of_the_source_that_rounds_stays(build):
    net = model([node("Cast", "x", "c", to=10), node("Cast", "c", "y", to=1)], {"x": [1]}, ["y"])
    value = np.float32([2049])
    assert build(net, "--precision_mode_v2=origin").run({"x": value})["y"] == 2048


def test_integers_and_doubles_stay_as_they_are(build):
    net = model(
        [node("Add", "x,x", "a"), node("Cast", "a", "i", to=7), node("Mul", "i,i", "y")],
        {"x": [2]},
        ["y"],
        dtype=11,
    )
    net.graph.output[0].type.tensor_type.elem_type = 7
    dtypes = build(net).dtypes()
    assert (dtypes["a"], dtypes["y"]) == ("float64", "int64")


def test_an_operator_that_the_ai_core_lacks_keeps_float32(build):
    net = model([node("Det", "x", "d"), node("Relu", "d", "y")], {"x": [2, 3, 3]}, ["y"])
    dtypes = build(net).dtypes()
    assert (dtypes["d"], dtypes["y"]) == ("float32", "float16")


def test_dtypes_of_an_operator_that_has_several(build):
    """BNInfer takes float16 data with float32 statistics."""
    stats = dict.fromkeys("sbmv", np.ones(3, np.float32))
    net = model([node("BatchNormalization", "x,s,b,m,v", "y")], {"x": [1, 3, 2, 2]}, ["y"], stats)
    graph = build(net).graph()
    constants = {n.outputs[0].dtype for n in graph.nodes if n.type == "Const"}
    assert build(net).dtypes()["y"] == "float16"
    assert constants == {"float32"}


def test_bodies_of_control_flow_are_lowered_inside(build):
    import onnx
    from onnx import helper

    info = helper.make_tensor_value_info
    branches = [
        helper.make_graph(
            [
                helper.make_node("Relu", ["x"], ["r"], name=f"r{i}"),
                helper.make_node(op, ["r"], ["o"]),
            ],
            f"g{i}",
            [],
            [info("o", 1, [3])],
        )
        for i, op in enumerate(["Neg", "Abs"])
    ]
    choose = helper.make_node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1])
    graph = helper.make_graph(
        [choose],
        "g",
        [info("x", 1, [3]), info("c", onnx.TensorProto.BOOL, [])],
        [info("y", 1, [3])],
    )
    net = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    x = np.float32([1 / 3, -1, 2])
    for flag, kind in [("fp16", np.float16), ("origin", np.float32)]:
        built = build(net, f"--precision_mode_v2={flag}")
        for chosen, wanted in [(True, -np.maximum(x, 0)), (False, np.maximum(x, 0))]:
            got = built.run({"x": x, "c": np.array(chosen)})["y"]
            np.testing.assert_array_equal(got, wanted.astype(kind).astype(np.float32))


def test_a_mode_changes_no_more_than_it_must(build):
    net = two_kinds()
    origin, lowered = build(net, "--precision_mode_v2=origin").graph(), build(net).graph()
    plain = [n for n in lowered.nodes if n.type != "Cast"]
    assert [(n.name, n.type, n.sources) for n in plain] == [
        (n.name, n.type, n.sources) for n in origin.nodes
    ]


def test_equal_commands_give_equal_bytes(build):
    net = two_kinds()
    first = build(net).path.read_bytes()
    assert build(net).path.read_bytes() == first
