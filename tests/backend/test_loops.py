"""Loop and Scan, run from the OM."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper


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
