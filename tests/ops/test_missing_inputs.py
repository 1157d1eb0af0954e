"""A node without an input that its opset requires is refused, whatever the operator."""

import onnx
import pytest
from onnx import TensorProto, helper
from ops.oracle import import_model

from ge import _testing

SCHEMAS = [
    schema
    for schema in onnx.defs.get_all_schemas()
    if schema.domain == "" and not schema.deprecated and schema.min_input > 0
]


def one_node(schema, opset, inputs):
    node = helper.make_node(schema.name, inputs, ["y"], name="the_node")
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["a", "b"])
    graph = helper.make_graph([node], "g", [x], [onnx.ValueInfoProto(name="y")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


@pytest.mark.parametrize("inputs", [[], [""], ["", "x"]])
def test_every_operator_asks_for_its_inputs(inputs):
    for schema in SCHEMAS:
        with pytest.raises(_testing.CompileError) as caught:
            import_model(one_node(schema, max(schema.since_version, 7), inputs))
        assert "the_node" in str(caught.value) or "#0" in str(caught.value), schema.name


def test_the_message_names_the_input_and_the_opset():
    schema = onnx.defs.get_schema("Reshape", 13)
    with pytest.raises(_testing.CompileError, match=r"the_node.*Reshape.*input 1.*opset 13"):
        import_model(one_node(schema, 13, ["x"]))
