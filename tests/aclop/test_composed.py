"""Operators that are computed by others (core/tables/composed_ops.json), beside NumPy."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from aclop.composed_inputs import (
    LARGE,
    RANDOM,
    flags,
    ints,
    positive,
    sigmoid,
    softmax,
    softplus,
    some,
    x,
)
from aclop.composed_layers import LAYER_CASES, LAYER_STEERING
from aclop.words import d

from ge import aclop
from ge.aclop import TensorDesc

TABLES = Path(__file__).parents[2] / "core" / "tables"
TABLE = json.loads((TABLES / "composed_ops.json").read_text())
PROTOTYPES = json.loads((TABLES / "ops.json").read_text())


def divided(a, b, otherwise=0):
    return np.divide(a, b, out=np.full_like(a, otherwise), where=b != 0)


def halves(v, axis):
    return np.split(v, 2, axis)


def with_pads(v, pads, value=0):
    return np.pad(v, pads, constant_values=value)


def scattered(ufunc):
    def run(v, indices, updates):
        result = v.copy()
        ufunc(result, indices[:, 0], updates)
        return result

    return run


def along(ufunc):
    """Of ScatterElementsV2 along axis 0."""

    def run(v, indices, updates):
        result = v.copy()
        for place in np.ndindex(indices.shape):
            at = (indices[place], *place[1:])
            result[at] = ufunc(result[at], updates[place])
        return result

    return run


def replaced(v, indices, updates):
    v[indices] = updates


ROWS = ints([0], [2], [1])
MATRICES = (x(4, 3), x(3, 5), x(4, 5), x(1), x(1))
VECTOR = ints(0, 2, 1)
GRADS = (x(), x())


def adam(var, m, v, power1, power2, lr, beta1, beta2, epsilon, grad):
    m = m * beta1 + grad * (1 - beta1)
    v = v * beta2 + grad * grad * (1 - beta2)
    return var - lr * np.sqrt(1 - power2) / (1 - power1) * m / (np.sqrt(v) + epsilon), m, v


def pooled(reduce):
    """Windows of 2 x 2 of a tensor in NHWC."""
    return lambda v: reduce(v.reshape(1, 2, 2, 2, 2, 3), (2, 4))


POOL = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
FRACTIONS = [x(1, least=0.25, most=0.75) for _ in range(6)]

# Type: inputs, attributes, what NumPy makes of the inputs.
CASES = {
    "AbsGrad": (GRADS, {}, lambda y, dy: dy * np.sign(y)),
    "AcosGrad": ((x(least=-0.9, most=0.9), x()), {}, lambda y, dy: -dy / np.sqrt(1 - y * y)),
    "AddMatMatElements": (
        (x(), x(), x(), x(1), x(1)),
        {},
        lambda c, a, b, beta, alpha: c * beta + alpha * a * b,
    ),
    "AddN": ((x(), x(), x()), {"N": 3}, lambda a, b, c: a + b + c),
    "AddV2": ((x(*LARGE), x(4)), {}, np.add),
    "Addcdiv": (
        (x(), x(), positive(), x(1)),
        {},
        lambda v, a, b, value: v + value * a / b,
    ),
    "Addcmul": ((x(), x(), x(), x(1)), {}, lambda v, a, b, value: v + value * a * b),
    "Addr": (
        (x(3, 4), x(3), x(4), x(1), x(1)),
        {},
        lambda v, a, b, beta, alpha: beta * v + alpha * np.outer(a, b),
    ),
    "Adds": ((x(),), {"value": 1.25}, lambda v: v + 1.25),
    "ApplyAdagradD": (
        (x(), positive(), x(1), x()),
        {},
        lambda var, a, lr, g: (var - lr * g / np.sqrt(a + g * g), a + g * g),
    ),
    "ApplyAdamD": ((x(), x(), positive(), *FRACTIONS, x()), {}, adam),
    "ApplyGradientDescent": ((x(), x(1), x()), {}, lambda var, a, g: var - a * g),
    "ApplyMomentumD": (
        (x(), x(), x(1), x(), x(1)),
        {"use_nesterov": True},
        lambda var, a, lr, g, m: (var - g * lr - (a * m + g) * m * lr, a * m + g),
    ),
    "ApproximateEqual": (
        (x(), x() / 64),
        {"tolerance": 0.75},
        lambda a, b: np.abs(a - b) < 0.75,
    ),
    "ArgMaxD": ((x(*LARGE),), {"dimension": 1}, lambda v: v.argmax(1).astype("int32")),
    "ArgMaxWithValue": (
        (x(*LARGE),),
        {"dimension": -1},
        lambda v: (v.argmax(-1).astype("int32"), v.max(-1)),
    ),
    "ArgMinD": ((x(*LARGE),), {"dimension": 1}, lambda v: v.argmin(1).astype("int32")),
    "ArgMinWithValue": (
        (x(*LARGE),),
        {"dimension": 1, "keep_dims": True},
        lambda v: (v.argmin(1).astype("int32")[:, None], v.min(1, keepdims=True)),
    ),
    "AsinGrad": ((x(least=-0.9, most=0.9), x()), {}, lambda y, dy: dy / np.sqrt(1 - y * y)),
    "Assign": (GRADS, {}, lambda _, v: v),
    "AssignAdd": (GRADS, {}, np.add),
    "AssignSub": (GRADS, {}, np.subtract),
    "AtanGrad": (GRADS, {}, lambda y, dy: dy / (1 + y * y)),
    "AvgPool": ((x(1, 4, 4, 3),), POOL, pooled(np.mean)),
    "Axpy": (GRADS, {"alpha": 0.3}, lambda a, b: a + np.float32(0.3) * b),
    "AxpyV2": ((x(), x(), x(1)), {}, lambda a, b, alpha: a + alpha * b),
    "BatchMatMulV3": (
        (x(2, 3, 4), x(2, 5, 4)),
        {"adj_x2": True},
        lambda a, b: a @ b.swapaxes(1, 2),
    ),
    "BroadcastTo": ((x(3, 1), ints(2, 3, 4)), {}, lambda v, _: np.broadcast_to(v, LARGE)),
    "BroadcastToD": ((x(3, 1),), {"shape": [2, 3, 4]}, lambda v: np.broadcast_to(v, LARGE)),
    "Centralization": ((x(*LARGE),), {"axes": [-1]}, lambda v: v - v.mean(-1, keepdims=True)),
    "ClipByValueV2": ((x(), x(1) - 3, x(1) + 3), {}, np.clip),
    "Concat": ((ints(1), x(2, 3), x(2, 1)), {"N": 2}, lambda _, *v: np.concatenate(v, 1)),
    "ConcatV2": ((x(2, 3), x(2, 1), ints(-1)), {"N": 2}, lambda *v: np.concatenate(v[:2], -1)),
    "ConcatV2D": ((x(2, 3), x(2, 1)), {"concat_dim": 1, "N": 2}, lambda *v: np.concatenate(v, 1)),
    "DivNoNan": ((x(), some()), {}, divided),
    "Dot": ((x(5), x(5)), {}, lambda a, b: (a * b).sum(keepdims=True)),
    "EluGrad": (GRADS, {}, lambda g, a: np.where(a > 0, g, g * (a + 1))),
    "Embedding": ((x(4, 5), ints(1, 3, 0)), {}, lambda v, i: v[i]),
    "EuclideanNorm": (
        (x(*LARGE), ints(0, 2)),
        {"keep_dims": True},
        lambda v, _: np.sqrt((v * v).sum((0, 2), keepdims=True)),
    ),
    "EuclideanNormD": ((x(*LARGE),), {}, lambda v: np.sqrt((v * v).sum())),
    "ExpandDims": ((x(), ints(1)), {}, lambda v, _: v[:, None]),
    "FastGelu": ((x(),), {}, lambda v: v * sigmoid(1.702 * v)),
    "FillV2": ((ints(2, 3),), {"value": 2.5}, lambda _: np.full((2, 3), 2.5, "float32")),
    "FillV2D": ((), {"value": 2.5, "dims": [2, 3]}, lambda: np.full((2, 3), 2.5, "float32")),
    "Fills": ((x(),), {"value": -1.5}, lambda v: np.full_like(v, -1.5)),
    "FullyConnection": (
        (x(2, 3, 2, 1), x(5, 3, 2, 1), x(5)),
        {"num_output": 5},
        lambda v, w, b: v.reshape(2, 6) @ w.reshape(5, 6).T + b,
    ),
    "FusedMulAdd": ((x(), x(), x()), {}, lambda a, b, c: a * b + c),
    "FusedMulAddAdd": ((x(), x(), x(), x()), {}, lambda a, b, c, e: a * b + c + e),
    "FusedMulAddN": ((x(), x(), x(1)), {}, lambda a, b, c: a * c + b),
    "GEMM": (
        MATRICES,
        {},
        lambda a, b, c, alpha, beta: alpha * (a @ b) + beta * c,
    ),
    "GLU": ((x(*LARGE),), {"dim": 2}, lambda v: halves(v, 2)[0] * sigmoid(halves(v, 2)[1])),
    "Gather": ((x(4, 5), ints([1, 3], [0, 0])), {}, lambda v, i: v[i]),
    "GemmV2": (
        (x(3, 4), x(5, 3), x(1), x(1), x(4, 5)),
        {"transpose_a": True, "transpose_b": True},
        lambda a, b, alpha, beta, c: alpha * (a.T @ b.T) + beta * c,
    ),
    "Ger": ((x(3), x(4)), {}, np.outer),
    "GuaranteeConst": ((x(),), {}, lambda v: v),
    "HardShrink": ((x(),), {"lambd": 0.75}, lambda v: np.where(np.abs(v) > 0.75, v, 0)),
    "Inv": ((positive(),), {}, np.reciprocal),
    "InvGrad": (GRADS, {}, lambda v, g: -g * v * v),
    "IsFinite": (
        (np.array([1, np.inf, -np.inf, np.nan], "float32"),),
        {},
        np.isfinite,
    ),
    "L2Loss": ((x(*LARGE),), {}, lambda v: (v * v).sum() / 2),
    "L2Normalize": (
        (x(*LARGE),),
        {"axis": [2], "eps": 0.01},
        lambda v: v / np.sqrt(np.maximum((v * v).sum(2, keepdims=True), 0.01)),
    ),
    "LeakyReluGrad": (
        GRADS,
        {"negative_slope": 0.25},
        lambda g, f: np.where(f > 0, g, np.float32(0.25) * g),
    ),
    "Lerp": ((x(), x(), x(1)), {}, lambda a, b, w: a + (b - a) * w),
    "LogSigmoid": ((x(),), {}, lambda v: -softplus(-v)),
    "LogSoftmaxGrad": (
        GRADS,
        {"axis": [-1]},
        lambda g, v: g - np.exp(v) * g.sum(-1, keepdims=True),
    ),
    "MaskedFill": ((x(), flags(), x(1)), {}, lambda v, mask, value: np.where(mask, value, v)),
    "MatMulV3": (
        (x(3, 4), x(3, 5), x(5)),
        {"transpose_x1": True},
        lambda a, b, bias: a.T @ b + bias,
    ),
    "MaxPool": ((x(1, 4, 4, 3),), POOL, pooled(np.max)),
    "MulNoNan": ((x(), some()), {}, lambda a, b: np.where(b == 0, 0, a * b)),
    "Muls": ((x(),), {"value": 0.3}, lambda v: v * np.float32(0.3)),
    "Pack": ((x(2, 3), x(2, 3)), {"axis": -1, "N": 2}, lambda *v: np.stack(v, -1)),
    "PadD": (
        (x(2, 3),),
        {"paddings": [[1, 0], [2, 3]]},
        lambda v: with_pads(v, [(1, 0), (2, 3)]),
    ),
    "PadV2": (
        (x(2, 3), ints([1, 0], [2, 3]), x(1)),
        {},
        lambda v, pads, value: with_pads(v, pads, value[0]),
    ),
    "PadV2D": (
        (x(2, 3), x(1)),
        {"paddings": [[1, 0], [2, 3]]},
        lambda v, value: with_pads(v, [(1, 0), (2, 3)], value[0]),
    ),
    "Permute": ((x(*LARGE),), {"order": [2, 0, 1]}, lambda v: v.transpose(2, 0, 1)),
    "Power": (
        (positive(),),
        {"power": 1.5, "scale": 2.0, "shift": 0.5},
        lambda v: (v * 2 + 0.5) ** 1.5,
    ),
    "Pows": ((positive(), x()), {}, np.power),
    "PreventGradient": ((x(),), {"message": "no"}, lambda v: v),
    "ReciprocalGrad": (GRADS, {}, lambda y, dy: -dy * y * y),
    "Relu6": ((3 * x(),), {}, lambda v: np.clip(v, 0, 6)),
    "Relu6D": ((3 * x(),), {"scale": 0.5}, lambda v: np.clip(v, 0, 6) * 0.5),
    "Relu6Grad": ((x(), 3 * x()), {}, lambda g, f: np.where((f > 0) & (f < 6), g, 0)),
    "ReluGrad": (GRADS, {}, lambda g, f: np.where(f > 0, g, 0)),
    "Rint": ((x(),), {}, np.rint),
    "RsqrtGrad": ((positive(), x()), {}, lambda y, dy: -0.5 * dy * y**3),
    "ScatterElementsV2": (
        (x(3, 4), ints([2, 0, 1, 1]), x(1, 4)),
        {"reduction": "add"},
        along(np.add),
    ),
    "ScatterNdAdd": ((x(3, 4), ROWS, x(3, 4)), {}, scattered(np.add.at)),
    "ScatterNdMax": ((x(3, 4), ROWS, x(3, 4)), {}, scattered(np.maximum.at)),
    "ScatterNdMin": ((x(3, 4), ROWS, x(3, 4)), {}, scattered(np.minimum.at)),
    "ScatterNdUpdate": (
        (x(3, 4), ROWS, x(3, 4)),
        {"use_locking": True},
        scattered(replaced),
    ),
    "SigmoidCrossEntropyWithLogits": (
        (x(), x(least=0, most=1)),
        {},
        lambda p, t: softplus(p) - p * t,
    ),
    "SigmoidGrad": (GRADS, {}, lambda y, dy: dy * y * (1 - y)),
    "SiluGrad": (GRADS, {}, lambda dy, v: dy * sigmoid(v) * (1 + v * (1 - sigmoid(v)))),
    "Snapshot": ((x(),), {}, lambda v: v),
    "SoftShrink": (
        (x(),),
        {"lambd": 0.75},
        lambda v: np.sign(v) * np.maximum(np.abs(v) - 0.75, 0),
    ),
    "SoftmaxCrossEntropyWithLogits": (
        (x(), x(least=0, most=1)),
        {},
        lambda f, labels: (
            -(labels * np.log(softmax(f))).sum(-1),
            softmax(f) - labels,
        ),
    ),
    "SoftmaxGrad": (
        GRADS,
        {"axes": [-1]},
        lambda y, g: y * (g - (y * g).sum(-1, keepdims=True)),
    ),
    "SoftplusGrad": (GRADS, {}, lambda g, f: g * sigmoid(f)),
    "SoftsignGrad": (GRADS, {}, lambda g, f: g / (1 + np.abs(f)) ** 2),
    "SqrtGrad": ((positive(), x()), {}, lambda y, dy: dy * 0.5 / y),
    "SquareSumAll": ((x(), x()), {}, lambda a, b: ((a * a).sum(), (b * b).sum())),
    "SquaredDifference": ((x(*LARGE), x(4)), {}, lambda a, b: (a - b) ** 2),
    "SquaredRelu": ((x(),), {}, lambda v: np.maximum(v, 0) ** 2),
    "SqueezeV2": ((x(3, 1, 4),), {"axis": [1]}, lambda v: v[:, 0]),
    "StopGradient": ((x(),), {}, lambda v: v),
    "StridedSlice": (
        (x(5, 6), ints(1, 0), ints(4, 6), ints(1, 2)),
        {},
        lambda v, *_: v[1:4, 0:6:2],
    ),
    "StridedSliceD": (
        (x(5, 6),),
        {"begin": [1, 0], "end": [4, 6], "strides": [1, 2]},
        lambda v: v[1:4, 0:6:2],
    ),
    "StridedSliceV3": (
        (x(5, 6), ints(1), ints(4), ints(1), ints(2)),
        {},
        lambda v, *_: v[:, 1:4:2],
    ),
    "SwiGlu": (
        (x(*LARGE),),
        {"dim": -1},
        lambda v: halves(v, -1)[0] * sigmoid(halves(v, -1)[0]) * halves(v, -1)[1],
    ),
    "TanhGrad": (GRADS, {"complex_conj": True}, lambda y, dy: dy * (1 - y * y)),
    "ThresholdGradV2D": (GRADS, {"threshold": 0.5}, lambda g, f: np.where(f > 0.5, g, 0)),
    "ThresholdV2D": (
        (x(),),
        {"threshold": 0.5, "value": -2.0},
        lambda v: np.where(v > 0.5, v, -2),
    ),
    "Tril": ((x(4, 4),), {"diagonal": 1}, lambda v: np.tril(v, 1)),
    "Triu": ((x(4, 4),), {"diagonal": -1}, lambda v: np.triu(v, -1)),
    "TruncateDiv": (
        (ints(7, -7, 5, -5), ints(2, 2, -3, -3)),
        {},
        lambda a, b: np.trunc(a / b).astype("int32"),
    ),
    "TruncateMod": ((ints(7, -7, 5, -5), ints(2, 2, -3, -3)), {}, np.fmod),
    "UnsqueezeV2": ((x(),), {"axis": [1]}, lambda v: v[:, None]),
    "Unpack": (
        (x(*LARGE),),
        {"num": 3, "axis": 1},
        lambda v: tuple(v[:, i] for i in range(3)),
    ),
    "Xdivy": ((some(), positive()), {}, lambda a, b: np.where(a == 0, 0, a / b)),
    "Xlogy": ((some(), positive()), {}, lambda a, b: np.where(a == 0, 0, a * np.log(b))),
}
CASES |= LAYER_CASES
# Inputs that say which elements there are.
STEERING = LAYER_STEERING | {
    "BroadcastTo": [1],
    "Concat": [0],
    "ConcatV2": [2],
    "ExpandDims": [1],
    "EuclideanNorm": [1],
    "FillV2": [0],
    "PadV2": [1],
    "StridedSlice": [1, 2, 3],
    "StridedSliceV3": [1, 2, 3, 4],
}


def run(op_type, inputs, attrs, outputs):
    """What the operator gives, compiled with what steers it as constants."""
    steering = STEERING.get(op_type, [])
    descs = [
        TensorDesc(v.dtype, v.shape, constant=v) if i in steering else TensorDesc.of(v)
        for i, v in enumerate(inputs)
    ]
    operator = aclop.compile(op_type, descs, outputs, attrs)
    return operator(*(v for i, v in enumerate(inputs) if i not in steering))


def as_tuple(values):
    return values if isinstance(values, tuple) else (values,)


def test_there_is_a_case_for_every_row():
    assert set(CASES) == set(TABLE)


def typed(op_type, values, side, wanted):
    """Floats as the wanted dtype, or as the other one where that is all a port takes."""
    ports = PROTOTYPES[op_type][side]
    short, other = ("f32", "float16") if wanted == "float32" else ("f16", "float32")
    made = []
    for i, value in enumerate(values):
        dtypes = set(ports[i if len(values) <= len(ports) else -1]["dtypes"].split(","))
        takes = short in dtypes or not dtypes & {"f16", "f32"}
        dtype = wanted if takes else other
        made.append(value.astype(dtype) if value.dtype.kind == "f" else value)
    return made


def check(op_type, dtype, rtol):
    inputs, attrs, oracle = CASES[op_type]
    inputs = typed(op_type, inputs, "inputs", dtype)
    exact = [v.astype("float64") if v.dtype.kind == "f" else v for v in inputs]
    wanted = [np.asarray(value) for value in as_tuple(oracle(*exact))]
    rounded = typed(op_type, wanted, "outputs", dtype)
    if op_type == "ResizeBilinearV2":  # as its attribute dtype says
        rounded = wanted
    outputs = [TensorDesc(value.dtype, value.shape) for value in rounded]
    results = as_tuple(run(op_type, inputs, attrs, outputs))
    for result, value in zip(results, wanted, strict=True):
        np.testing.assert_allclose(result, value, rtol=rtol, atol=2e-5)


@pytest.mark.parametrize("op_type", CASES)
def test_float32(op_type):
    check(op_type, "float32", 2e-5)


@pytest.mark.parametrize(
    "op_type", [name for name in CASES if any(v.dtype == "float32" for v in CASES[name][0])]
)
def test_float16_is_rounded_once(op_type):
    # Half a unit in the last place, and what float32 lacks beside float64.
    check(op_type, "float16", 6e-4)


def test_integers_take_whole_numbers_alone():
    v = ints(1, -2, 3)
    assert list(aclop.compile_and_execute("Muls", [v], [v.copy()], {"value": 3.0})) == [3, -6, 9]
    for value in (2.5, 1e30, math.inf, math.nan):
        with pytest.raises(aclop.CompileError, match=r"attribute value is .* int32"):
            aclop.compile("Adds", [v], [v], {"value": value})


def test_matrix_products_of_integers():
    a, b = (RANDOM.integers(-9, 9, shape, "int8") for shape in ((2, 3), (3, 4)))
    c, alpha, beta = RANDOM.integers(-9, 9, (2, 4), "int32"), ints(3), ints(-2)
    y = np.empty((2, 4), "int32")
    aclop.compile_and_execute("GEMM", [a, b, c, alpha, beta], [y])
    np.testing.assert_array_equal(y, 3 * (a.astype("int32") @ b) - 2 * c)


def test_narrow_factors_with_a_wide_sum():
    a, b = x(2, 3, dtype="float16"), x(3, 4, dtype="float16")
    c, one = x(2, 4), np.ones(1, "float32")
    y = aclop.compile_and_execute("GEMM", [a, b, c, one, one], [TensorDesc.of(c)])
    np.testing.assert_allclose(y, a.astype("float32") @ b + c, rtol=1e-6, atol=1e-6)


def test_an_attribute_that_would_be_ignored_is_refused():
    v = x(4)
    with pytest.raises(aclop.CompileError, match="attribute base"):
        aclop.compile("LogAddExp", [v, v], [v], {"base": 2.0})
    aclop.compile("LogAddExp", [v, v], [v], {"base": -1.0})


def test_a_kind_that_there_is_no_kernel_for():
    v = x(4)
    with pytest.raises(aclop.CompileError, match="no kernel for"):
        aclop.compile("Eltwise", [v, v], [v], {"mode": 7, "N": 2})


def test_an_optional_input_that_is_needed():
    v, c = x(1, 2, 2, 3), x(3)
    outputs = [TensorDesc.of(v), *[TensorDesc.of(c)] * 5]
    with pytest.raises(aclop.CompileError, match="left out that these attributes need"):
        aclop.compile("BatchNorm", [v, c, c], outputs, {"is_training": False})


def test_a_fault_in_a_part_names_the_operator():
    a, c = x(2, 3), x(2, 2)
    with pytest.raises(aclop.CompileError, match=r"\[GEMM\d+/MatMulV2\].*differ in the summed"):
        aclop.compile("GEMM", [a, a, c, x(1), x(1)], [c])


def test_outputs_that_are_not_as_many_as_the_attribute_says():
    rows = [d(4, dtype="float32")] * 2
    with pytest.raises(aclop.CompileError, match="2 outputs"):
        aclop.compile("Unpack", [x(3, 4)], rows, {"num": 3})


def test_shapes_are_inferred():
    (y,) = aclop.infer_shape("Pack", [x(2, 3), x(2, 3)], attrs={"axis": 1, "N": 2})
    assert (y.dims, y.dtype) == ((2, 2, 3), aclop.DataType.FLOAT)
    indices, values = aclop.infer_shape(
        "ArgMaxWithValue", [x(*LARGE)], outputs=2, attrs={"dimension": 0}
    )
    assert (indices.dtype, indices.dims) == (aclop.DataType.INT32, (3, 4))
    assert (values.dtype, values.dims) == (aclop.DataType.FLOAT, (3, 4))


def test_what_must_be_a_constant():
    v, rows = x(2, 3), [TensorDesc("float32", (2, 6))]
    with pytest.raises(aclop.CompileError, match="concat_dim must be a constant of one"):
        aclop.compile("ConcatV2", [v, v, ints(1)], rows)


def test_the_layout_of_the_first_tensor_counts():
    v = x(1, 3, 4, 4)
    desc = TensorDesc("float32", v.shape, aclop.Format.NCHW)
    attrs = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2], "padding": "VALID"}
    y = TensorDesc("float32", (1, 3, 2, 2), aclop.Format.NCHW)
    result = aclop.compile_and_execute("MaxPool", [(desc, v)], [y], attrs)
    np.testing.assert_array_equal(result, v.reshape(1, 3, 2, 2, 2, 2).max((3, 5)))


def test_a_dtype_that_is_none_is_not_looked_at():
    wild = TensorDesc(777, (1,))
    (y,) = aclop.infer_shape("FillV2D", [], [wild], {"value": 1.0, "dims": [2]})
    assert (y.dtype, y.dims) == (aclop.DataType.FLOAT, (2,))


def test_any_sizes():
    sizes = d(-1, dtype="float32", shape_range=[(1, None)])
    operator = aclop.compile("Axpy", [sizes, sizes], [d(-1, dtype="float32")], {"alpha": 2.0})
    for count in (1, 5):
        a, b, y = x(count), x(count), np.empty(count, "float32")
        operator(a, b, out=y)
        np.testing.assert_array_equal(y, a + 2 * b)


def test_values_beyond_float16_on_the_way():
    v = np.array([300, -300], "float16")
    y = aclop.compile_and_execute("L2Normalize", [v], [TensorDesc.of(v)], {"axis": [0]})
    np.testing.assert_allclose(y, v / (300 * math.sqrt(2)), rtol=1e-3)
