"""``python3 -m ge.om inspect``."""

import argparse
import json
from typing import Any

from ge.om._graph import Graph, Node, shape_text
from ge.om._model import Model, Port, load


def inspect(args: argparse.Namespace) -> None:
    """Print what a model is."""
    with load(args.model) as model:
        if args.json:
            print(json.dumps(_facts(model, args.graph), indent=1))
            return
        print(model.summary())
        if args.graph:
            for graph in model.graphs:
                print(f"\n{_graph_text(graph)}")


def _facts(model: Model, with_graphs: bool) -> dict[str, Any]:
    operators: dict[str, int] = {}
    for graph in model.graphs:
        for kind, count in graph.operators().items():
            operators[kind] = operators.get(kind, 0) + count
    facts: dict[str, Any] = {
        "file": model.path,
        "file_bytes": model.file_bytes,
        "name": model.name,
        "made_by": model.made_by,
        "framework": model.framework,
        "soc_version": model.soc_version,
        "command_line": model.command_line,
        "runnable": model.runnable,
        "not_runnable_reason": model.not_runnable_reason,
        "inputs": [port_facts(port) for port in model.inputs],
        "outputs": [port_facts(port) for port in model.outputs],
        "memory": model.memory._asdict(),
        "operators": operators,
    }
    if with_graphs:
        facts["graphs"] = [
            {"name": graph.name, "nodes": [_node_facts(node) for node in graph.nodes]}
            for graph in model.graphs
        ]
    return facts


def port_facts(port: Port) -> dict[str, Any]:
    """Return a port as JSON has it: a dim of null is known at run time."""
    return port._asdict()


def _node_facts(node: Node) -> dict[str, Any]:
    return node._asdict() | {"outputs": [desc._asdict() for desc in node.outputs]}


def _graph_text(graph: Graph) -> str:
    """Write one line for each node: name, type, inputs, what comes out."""
    rows = []
    for node in graph.nodes:
        inputs = ", ".join(node.inputs)
        outputs = ", ".join(f"{desc.dtype}{shape_text(desc.shape)}" for desc in node.outputs)
        calls = f" runs {', '.join(node.graphs)}" if node.graphs else ""
        rows.append(
            (node.name, node.type, f"({inputs})" + (f" -> {outputs}" * bool(outputs)) + calls)
        )
    names = max((len(name) for name, _, _ in rows), default=0)
    types = max((len(kind) for _, kind, _ in rows), default=0)
    lines = [f"  {name:{names}}  {kind:{types}}  {rest}" for name, kind, rest in rows]
    return "\n".join([f"graph {graph.name}", *lines])
