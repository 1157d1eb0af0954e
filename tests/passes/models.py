"""ONNX models from lists of nodes."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

F32, F16, F64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE


def node(op_type, inputs, output, **attrs):
    """A node named like its output; inputs are names, "" for one left out."""
    return helper.make_node(op_type, inputs.split(","), output.split(","), name=output, **attrs)


def model(nodes, inputs, outputs, constants=None, *, dtype=F32, opset=17):
    """A model; ``inputs`` are name -> dims, ``outputs`` a list of names."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, dtype, dims) for name, dims in inputs.items()],
        [helper.make_tensor_value_info(name, dtype, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(v), name) for name, v in (constants or {}).items()],
    )
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)
