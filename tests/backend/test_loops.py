"""Loop and Scan, run from the OM."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from ge import _testing


def info(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def flag(name):
    return info(name, [], TensorProto.BOOL)


def number(name):
    return info(name, [], TensorProto.INT64)


def model_of(nodes, inputs, outputs, initializers=()):
    constants = [numpy_helper.from_array(array, name) for name, array in initializers]
    graph = helper.make_graph(nodes, "g", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def floats(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def test_a_loop_ends_at_its_limit_or_its_condition_and_collects(check_run):
    body = helper.make_graph(
        [
            helper.make_node("Add", ["x_in", "step"], ["x_out"]),
            helper.make_node("Mul", ["x_out", "x_out"], ["square"]),
            helper.make_node("ReduceSum", ["x_out"], ["total"], keepdims=0),
            helper.make_node("Less", ["total", "limit"], ["go_on"]),
        ],
        "body",
        [number("i"), flag("c"), info("x_in", [2, 3]), info("y_in", [2, 3])],
        [
            flag("go_on"),
            info("y_in", [2, 3]),  # the two states change places
            info("x_out", [2, 3]),
            info("square", [2, 3]),
        ],
    )
    loop = helper.make_node("Loop", ["m", "", "x", "y"], ["xo", "yo", "squares"], body=body)
    model = model_of(
        [loop],
        [number("m"), info("x", [2, 3]), info("y", [2, 3]), info("step", [2, 3])],
        [info("xo", [2, 3]), info("yo", [2, 3]), info("squares", [None, 2, 3])],
        [("limit", np.array(9, np.float32))],
    )
    feeds = [
        {"m": np.array(m), "x": floats(1, 2, 3), "y": floats(2, 2, 3), "step": floats(3, 2, 3) + 1}
        for m in (0, 1, 2, 7, 50)
    ]
    results = check_run(model, *feeds)
    assert 0 < len(results["squares"]) < 50  # the condition ended it


def test_a_state_may_grow(check_run):
    body = helper.make_graph(
        [
            helper.make_node("Concat", ["x_in", "x_in"], ["x_out"], axis=0),
            helper.make_node("Identity", ["c"], ["c_out"]),
        ],
        "body",
        [number("i"), flag("c"), info("x_in", [None, 3])],
        [flag("c_out"), info("x_out", [None, 3])],
    )
    loop = helper.make_node("Loop", ["m", "", "x"], ["y"], body=body)
    model = model_of([loop], [number("m"), info("x", [2, 3])], [info("y", [None, 3])])
    check_run(model, *({"m": np.array(m), "x": floats(m, 2, 3)} for m in (0, 1, 4)))


def test_loops_may_be_nested_and_read_what_is_around_them(check_run):
    inner = helper.make_graph(
        [
            helper.make_node("Mul", ["v", "x"], ["scaled"]),  # x is of the graph around both
            helper.make_node("Add", ["scaled", "u"], ["v_out"]),  # u is a state of the outer loop
            helper.make_node("Identity", ["ci"], ["ci_out"]),
        ],
        "inner",
        [number("j"), flag("ci"), info("v", [4])],
        [flag("ci_out"), info("v_out", [4])],
    )
    outer = helper.make_graph(
        [
            helper.make_node("Loop", ["i", "", "u"], ["u_out"], body=inner),  # i iterations
            helper.make_node("Identity", ["co"], ["co_out"]),
        ],
        "outer",
        [number("i"), flag("co"), info("u", [4])],
        [flag("co_out"), info("u_out", [4]), info("u_out", [4])],
    )
    loop = helper.make_node("Loop", ["m", "t", "x"], ["y", "all"], body=outer)
    model = model_of(
        [loop],
        [number("m"), flag("t"), info("x", [4])],
        [info("y", [4]), info("all", [None, 4])],
    )
    x = floats(5, 4) / 4
    check_run(
        model,
        *({"m": np.array(m), "t": np.array(t), "x": x} for m in (0, 3) for t in (True, False)),
    )


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    "axis, out_axis, backward, out_backward",
    [(0, 0, 0, 0), (1, 1, 1, 0), (-1, -1, 0, 1), (0, 1, 1, 1)],
)
def test_scan_cuts_and_joins_along_any_axis(
    check_run, axis, out_axis, backward, out_backward, known
):
    body = helper.make_graph(
        [
            helper.make_node("Add", ["s", "x"], ["s_out"]),
            helper.make_node("Mul", ["s_out", "k"], ["y"]),
        ],
        "body",
        [info("s", [3]), info("x", [3])],
        [info("s_out", [3]), info("y", [3])],
    )
    scan = helper.make_node(
        "Scan",
        ["s0", "xs"],
        ["last", "ys"],
        body=body,
        num_scan_inputs=1,
        scan_input_axes=[axis],
        scan_output_axes=[out_axis],
        scan_input_directions=[backward],
        scan_output_directions=[out_backward],
    )
    shape = (5, 3) if axis == 0 else (3, 5)
    model = model_of(
        [scan],
        [info("s0", [3]), info("xs", list(shape) if known else [None, None]), info("k", [])],
        [info("last", [3]), info("ys", [None, None])],
    )
    feed = {"s0": floats(1, 3), "xs": floats(2, *shape), "k": np.array(2.5, np.float32)}
    check_run(model, feed, flags=() if known else ("--input_shape=xs:-1,-1",))


@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("backward", [0, 1])
@pytest.mark.parametrize("constant", [True, False])
def test_scan_of_opset_8_runs_once_per_sample(check_run, samples, backward, constant):
    body = helper.make_graph(
        [
            helper.make_node("Add", ["s", "x"], ["sum"]),
            helper.make_node("Mul", ["sum", "x2"], ["s_out"]),
            helper.make_node("Neg", ["s_out"], ["y"]),
        ],
        "body",
        [info("s", [3]), info("x", [3]), info("x2", [3])],
        [info("s_out", [3]), info("y", [3])],
    )
    scan = helper.make_node(
        "Scan",
        ["", "s0", "xs", "xs2"],
        ["last", "ys"],
        body=body,
        num_scan_inputs=2,
        directions=[backward, 0],
    )
    feed = {"s0": floats(1, samples, 3), "xs": floats(2, samples, 5, 3)}
    feed["xs2"] = floats(3, samples, 5, 3) / 2
    initial = [("s0", feed.pop("s0"))] if constant else []
    model = model_of(
        [scan],
        [info(name, array.shape) for name, array in feed.items()],
        [info("last", [samples, 3]), info("ys", [samples, 5, 3])],
        initial,
    )
    model.opset_import[0].version = 8
    check_run(model, feed)


@pytest.mark.parametrize(
    ("lengths", "shape", "words"),
    [(["n"], (2, 5, 3), "sequence_lens"), ([], (None, 5, 3), "batch"), ([], (0, 5, 3), "batch")],
)
def test_other_batches_of_scan_8_are_refused(lengths, shape, words):
    body = helper.make_graph([], "body", [info("x", [3])], [info("x", [3])])
    body.node.append(helper.make_node("Neg", ["x"], ["y"]))
    body.output[0].name = "y"
    scan = helper.make_node("Scan", [*(lengths or [""]), "xs"], ["ys"], body=body)
    scan.attribute.append(helper.make_attribute("num_scan_inputs", 1))
    inputs = [info("xs", shape), info("n", [2], TensorProto.INT64)]
    model = model_of([scan], inputs, [info("ys", [None] * 3)])
    model.opset_import[0].version = 8
    with pytest.raises(_testing.CompileError, match=words):
        _testing.import_onnx(model.SerializeToString(), allow_unknown_inputs=True)


def test_inner_nodes_of_one_name_do_not_meet(check_run):
    def choose(outer, inner):
        def graph(name, node, y):
            return helper.make_graph([node], name, [], [info(y, [2])])

        yes = helper.make_node(inner, ["x"], ["yes"])
        no = helper.make_node("Neg", ["x"], ["no"])
        inside = helper.make_node("If", ["p"], ["y"], name="inside")
        inside.attribute.append(helper.make_attribute("then_branch", graph("a", yes, "yes")))
        inside.attribute.append(helper.make_attribute("else_branch", graph("b", no, "no")))
        return graph(outer, inside, "y")

    node = helper.make_node("If", ["q"], ["z"], name="outside")
    node.attribute.append(helper.make_attribute("then_branch", choose("c", "Exp")))
    node.attribute.append(helper.make_attribute("else_branch", choose("d", "Abs")))
    model = model_of([node], [flag("p"), flag("q"), info("x", [2])], [info("z", [2])])
    feeds = [
        {"p": np.array(p), "q": np.array(q), "x": floats(1, 2)}
        for p in (True, False)
        for q in (True, False)
    ]
    check_run(model, *feeds)


@pytest.mark.parametrize("shape", [[0], [3, 0], [0, 2]])
def test_slices_without_elements_are_counted(check_run, shape):
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["c"], ["c_out"]),
            helper.make_node("Neg", ["x"], ["y"]),
        ],
        "body",
        [number("i"), flag("c")],
        [flag("c_out"), info("y", shape)],
    )
    loop = helper.make_node("Loop", ["m", ""], ["ys"], body=body)
    model = model_of([loop], [number("m"), info("x", shape)], [info("ys", [None, *shape])])
    x = np.zeros(shape, np.float32)
    results = check_run(model, *({"m": np.array(m), "x": x} for m in (0, 1, 3)))
    assert results["ys"].shape == (3, *shape)


def test_loops_and_branches_whose_nodes_share_a_name(check_run):
    def body(op_type):
        nodes = [
            helper.make_node("Identity", ["c"], ["c_out"], name="same"),
            helper.make_node(op_type, ["v"], ["v_out"], name="same"),
        ]
        inputs = [number("i"), flag("c"), info("v", [4])]
        return helper.make_graph(nodes, "body", inputs, [flag("c_out"), info("v_out", [4])])

    def branch(op_type):
        inner = helper.make_node("Loop", ["m", "", "y"], ["z"], name="same", body=body(op_type))
        return helper.make_graph([inner], "branch", [], [info("z", [4])])

    nodes = [
        helper.make_node("Loop", ["m", "", "x"], ["t"], name="same", body=body("Neg")),
        helper.make_node("Loop", ["m", "", "t"], ["y"], name="same", body=body("Sin")),
        helper.make_node(
            "If",
            ["b"],
            ["r"],
            name="same",
            then_branch=branch("Cos"),
            else_branch=branch("Abs"),
        ),
    ]
    inputs = [number("m"), flag("b"), info("x", [4])]
    model = model_of(nodes, inputs, [info("y", [4]), info("r", [4])])
    check_run(
        model,
        *({"m": np.array(3), "b": np.array(b), "x": floats(3, 4)} for b in (True, False)),
    )
