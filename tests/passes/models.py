"""ONNX models from lists of nodes."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

F32, F16, F64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE


def node(op_type, inputs, output, **attrs):
    """A node named like its output; inputs are names, "" for one left out."""
    return helper.make_node(op_type, inputs.split(","), output.split(","), name=output, **attrs)


def read_by(nodes, values):
    """Those of ``values``, a dict, whose names the nodes read, in branches too."""

    def names(row):
        yield from row.input
        for attribute in row.attribute:
            for inner in attribute.g.node:
                yield from names(inner)

    used = {name for row in nodes for name in names(row)}
    return {name: value for name, value in values.items() if name in used}


def model(nodes, inputs, outputs, constants=None, *, dtype=F32, opset=17):
    """A model; ``inputs`` are name -> dims, ``outputs`` a list of names.

    Constants that no node reads are left out.
    """
    constants = read_by(nodes, constants or {})
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, dtype, dims) for name, dims in inputs.items()],
        [helper.make_tensor_value_info(name, dtype, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(v), name) for name, v in constants.items()],
    )
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def changed(nodes, name, *inputs, op_type=None):
    """The nodes, with other inputs or another operator for one of them."""
    result = [helper.make_node(n.op_type, n.input, n.output, name=n.name) for n in nodes]
    (row,) = [n for n in result if n.name == name]
    row.input[:] = inputs or row.input
    row.op_type = op_type or row.op_type
    return result
