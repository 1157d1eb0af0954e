"""Networks with an operator in Python."""

import concurrent.futures

from onnx import TensorProto
from onnx import helper as h

F32 = TensorProto.FLOAT


def add_model(shape=(2, 3), domain="", dtype=F32, op_type="AddDsl", nodes=1, **attrs):
    """x -> Relu -> AddDsl(., y) -> ... -> z"""
    value = h.make_tensor_value_info
    graph_nodes = [h.make_node("Relu", ["x"], ["t0"], name="relu")]
    for i in range(nodes):
        name = f"add{i}"
        graph_nodes.append(
            h.make_node(op_type, [f"t{i}", "y"], [f"t{i + 1}"], name=name, domain=domain, **attrs)
        )
    graph_nodes.append(h.make_node("Neg", [f"t{nodes}"], ["z"], name="neg"))
    graph = h.make_graph(
        graph_nodes,
        "g",
        [value("x", dtype, shape), value("y", dtype, shape)],
        [value("z", dtype, None)],
    )
    opsets = [h.make_opsetid("", 17)] + ([h.make_opsetid(domain, 1)] if domain else [])
    return h.make_model(graph, opset_imports=opsets)


def thread_pool():
    """What GE_COMPILE_EXECUTOR may name."""
    return concurrent.futures.ThreadPoolExecutor(1)
