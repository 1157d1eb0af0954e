"""Every elementwise and reducing operator takes the dtypes of every version of its schema."""

import numpy as np
import pytest
from onnx import defs, helper
from ops.oracle import Call, check_folds

# Dtypes that are refused: they have no arithmetic here.  Integers of Erf neither, which opsets 9 to
# 12 allow and no runtime offers.
REFUSED = ("string", "float8", "complex", "int4", "int2", "float4")
# Nobody else computes these, so there is no oracle.
UNCHECKED = {"ReduceLogSum": "uint", "ReduceLogSumExp": "uint"}
OLDEST, NEWEST = 7, defs.onnx_opset_version()
# fmt: off
OPERATORS = [
    "Abs", "Acos", "Acosh", "Add", "And", "ArgMax", "ArgMin", "Asin", "Asinh", "Atan", "Atanh",
    "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Ceil", "Celu", "Clip",
    "Cos", "Cosh", "Div", "Elu", "Equal", "Erf", "Exp", "Floor", "Gelu", "Greater",
    "GreaterOrEqual", "HardSigmoid", "HardSwish", "Hardmax", "IsInf", "IsNaN", "LeakyRelu",
    "Less", "LessOrEqual", "Log", "LogSoftmax", "Max", "Mean", "Min", "Mish", "Mod", "Mul",
    "Neg", "Not", "Or", "Pow", "Reciprocal", "ReduceL1", "ReduceL2", "ReduceLogSum",
    "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
    "ReduceSumSquare", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh",
    "Softmax", "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tan", "Tanh",
    "ThresholdedRelu", "Xor",
]
# fmt: on


def schemas(op_type):
    """The versions of a schema that are in force from opset 7 on, with an opset of each."""
    versions = sorted(
        (s for s in defs.get_all_schemas_with_history() if s.name == op_type and s.domain == ""),
        key=lambda schema: schema.since_version,
    )
    starts = [schema.since_version for schema in versions] + [NEWEST + 1]
    for schema, end in zip(versions, starts[1:], strict=True):
        if end > OLDEST:
            yield schema, max(schema.since_version, OLDEST)


def dtypes(schema):
    """The dtypes of the first input, as of numpy."""
    name = schema.inputs[0].type_str
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    for text in sorted(allowed.get(name, [name])):
        short = text.removeprefix("tensor(").removesuffix(")")
        refused = (*REFUSED, "int", "uint") if schema.name == "Erf" else REFUSED
        if not short.startswith((*refused, UNCHECKED.get(schema.name, "-"))):
            number = getattr(helper.TensorProto, short.upper())
            yield np.dtype(helper.tensor_dtype_to_np_dtype(number))


CASES = [
    pytest.param(schema, opset, dtype, id=f"{op_type}-{opset}-{dtype.name}")
    for op_type in OPERATORS
    for schema, opset in schemas(op_type)
    for dtype in dtypes(schema)
]


@pytest.mark.parametrize(("schema", "opset", "dtype"), CASES)
def test_dtype_is_taken(schema, opset, dtype):
    op_type = schema.name
    x = np.array([[1, 0], [1, 1]] if dtype == np.bool_ else [[1, 2], [3, 1]]).astype(dtype)
    if op_type in ("Acos", "Asin", "Atanh"):
        x = (x / np.array(4, dtype)).astype(dtype)
    attrs = {}
    if op_type == "BitShift":
        attrs["direction"] = "LEFT"
    if op_type == "Mod" and dtype.kind not in "iu" and opset < 28:
        attrs["fmod"] = 1
    variadic = schema.inputs[0].option == defs.OpSchema.FormalParameterOption.Variadic
    check_folds(Call(op_type, [x] * (2 if variadic else schema.min_input), attrs, opset), atol=1e-6)
