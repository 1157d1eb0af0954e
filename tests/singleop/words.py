"""Short words for the files of --singleop."""


def tensor(*dims, dtype="float16", **more):
    """A tensor of format ND; float16 unless it says otherwise."""
    return {"format": "ND", "type": dtype, "shape": list(dims)} | more


def op(kind, inputs, outputs, *attrs, **more):
    """An operator; attributes are (name, type, value)."""
    rows = [dict(zip(("name", "type", "value"), attr, strict=True)) for attr in attrs]
    more = ({"attr": rows} if rows else {}) | more
    return {"op": kind, "input_desc": inputs, "output_desc": outputs} | more


def add(**changes):
    """An operator that compiles, but for the changes."""
    return op("Add", [tensor(2, 3), tensor(2, 3)], [tensor(2, 3)]) | changes
