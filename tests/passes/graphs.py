"""Small graphs as dicts, for ``ge._testing.run_passes``."""

from ge import _testing

F32_23 = {"dtype": "f32", "shape": [2, 3]}


def data(name, dtype="f32", shape=(2, 3), index=0):
    outputs = [{"dtype": dtype, "shape": list(shape)}]
    return {"name": name, "type": "Data", "outputs": outputs, "attrs": {"index": index}}


def const(name, value, dtype="i64", shape=None):
    """A Const; a list is a vector unless ``shape`` is given."""
    shape = [len(value)] if shape is None else shape
    return {
        "name": name,
        "type": "Const",
        "outputs": [{"dtype": dtype, "shape": list(shape)}],
        "value": list(value),
    }


def op(name, type_, *inputs, outputs=None, **attrs):
    """A node; inputs are names ("x" is "x:0"), outputs are descriptions when they matter."""
    row = {"name": name, "type": type_, "inputs": [_port(i) for i in inputs], "attrs": attrs}
    if outputs is not None:
        row["outputs"] = outputs
    return row


def run(passes, nodes, outputs):
    """The graph of ``nodes`` after ``passes`` (a name or a list)."""
    passes = [passes] if isinstance(passes, str) else passes
    graph = {"nodes": nodes, "outputs": [_port(output) for output in outputs]}
    return _testing.run_passes(graph, passes)


def types(graph):
    """Name to type of the nodes, without NetOutput."""
    return {row["name"]: row["type"] for row in graph["nodes"] if row["type"] != "NetOutput"}


def inputs_of(graph, name):
    (row,) = [row for row in graph["nodes"] if row["name"] == name]
    return row["inputs"]


def _port(name):
    return name if name is None or ":" in name else f"{name}:0"
