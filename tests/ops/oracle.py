"""Checks operators of the compiler against onnx's shape inference and onnxruntime.

A test states one call of an ONNX operator as a ``Call``; ``check_shapes`` compares the inferred
dtypes and shapes, ``check_folds`` the values when every input is constant, ``check_refused`` the
message when the call cannot be compiled.
"""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

from ge import _testing

BF16 = np.dtype(ml_dtypes.bfloat16)
# (relative, absolute) tolerance of a folded value; types that are not here are exact.  onnxruntime
# approximates exp, tanh, erf and the like in float32, so a few units in the last place differ.
TOLERANCES = {
    np.dtype(np.float64): (1e-12, 1e-300),
    np.dtype(np.float32): (4e-6, 4e-7),
    np.dtype(np.float16): (2e-3, 1e-7),
    BF16: (1e-2, 1e-38),
}
# Input index to the axes whose size the compiler is not told; None: not even the rank.
Hidden = Mapping[int, Sequence[int] | None]


@dataclasses.dataclass(frozen=True)
class Call:
    """One ONNX operator with the arrays it is given; None is an optional input left out."""

    op_type: str
    inputs: Sequence[np.ndarray | None]
    attrs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    opset: int = 17
    outputs: int = 1
    domain: str = ""

    def model(self, constant: Collection[int] = (), hidden: Hidden | None = None):
        """The one-node model; inputs in ``constant`` are initializers, the others graph inputs."""
        names = ["" if x is None else f"x{i}" for i, x in enumerate(self.inputs)]
        results = [f"y{i}" for i in range(self.outputs)]
        node = helper.make_node(
            self.op_type, names, results, name="node", domain=self.domain, **self.attrs
        )
        graph_inputs, initializers = [], []
        for i, array in enumerate(self.inputs):
            if array is None:
                continue
            if i in constant:
                initializers.append(numpy_helper.from_array(array, names[i]))
            else:
                graph_inputs.append(_value_info(names[i], array, (hidden or {}).get(i, ())))
        graph = helper.make_graph(
            [node], "g", graph_inputs, [onnx.ValueInfoProto(name=y) for y in results], initializers
        )
        opsets = [helper.make_opsetid("", self.opset)]
        if self.domain:
            opsets.append(helper.make_opsetid(self.domain, 1))
        model = helper.make_model(graph, opset_imports=opsets)
        model.ir_version = helper.find_min_ir_version_for(opsets, ignore_unknown=True)
        return model


def _value_info(name: str, array: np.ndarray, hidden: Sequence[int] | None):
    elem_type = helper.np_dtype_to_tensor_dtype(array.dtype)
    if hidden is None:
        return helper.make_tensor_value_info(name, elem_type, None)
    gone = {axis % max(array.ndim, 1) for axis in hidden}
    dims = [f"{name}_{i}" if i in gone else d for i, d in enumerate(array.shape)]
    return helper.make_tensor_value_info(name, elem_type, dims)


def import_model(model) -> dict:
    """What the compiler makes of ``model``: nodes, outputs, warnings."""
    return _testing.import_onnx(model.SerializeToString(), allow_unknown_inputs=True)


def import_call(call: Call, constant: Collection[int] = (), hidden: Hidden | None = None) -> dict:
    return import_model(call.model(constant, hidden))


def run(call: Call) -> list[np.ndarray]:
    """The outputs by onnxruntime, or by onnx's reference where onnxruntime lacks the dtype."""
    if any(x is not None and x.dtype == BF16 for x in call.inputs):
        wide = [
            x.astype(np.float32) if x is not None and x.dtype == BF16 else x for x in call.inputs
        ]
        return [
            y.astype(BF16) if y.dtype == np.float32 else y
            for y in run(dataclasses.replace(call, inputs=wide))
        ]
    model = call.model()
    feeds = {f"x{i}": x for i, x in enumerate(call.inputs) if x is not None}
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    typed = shape_inference.infer_shapes(model)
    try:
        session = onnxruntime.InferenceSession(
            typed.SerializeToString(), options, ["CPUExecutionProvider"]
        )
    except Exception as error:
        if "NOT_IMPLEMENTED" not in str(error) and "NotImplemented" not in type(error).__name__:
            raise
        with np.errstate(all="ignore"):
            results = ReferenceEvaluator(model).run(None, feeds)
        # the reference leaves some results in the dtype that NumPy computes in
        types = [output.type.tensor_type.elem_type for output in typed.graph.output]
        return [
            np.asarray(result).astype(helper.tensor_dtype_to_np_dtype(elem_type))
            for result, elem_type in zip(results, types, strict=True)
        ]
    return session.run(None, feeds)


def check_shapes(
    call: Call,
    constant: Collection[int] = (),
    hidden: Hidden | None = None,
    data_dependent: bool = False,
) -> dict:
    """Inferred outputs agree with the real ones and know at least what onnx infers.

    With nothing hidden they are the real ones, unless the output shape depends on input values.
    """
    model = call.model(constant, hidden)
    imported = import_model(model)
    inferred = shape_inference.infer_shapes(model, data_prop=True).graph.output
    real = run(call)
    assert len(imported["outputs"]) == len(real)
    for got, onnx_output, array in zip(imported["outputs"], inferred, real, strict=True):
        assert got["dtype"] == array.dtype.name, (got, array.dtype)
        shape = got["shape"]
        if not hidden and not data_dependent:
            assert shape == list(array.shape)
        if shape != [-2]:
            assert len(shape) == array.ndim, (shape, array.shape)
            assert all(d in (-1, r) for d, r in zip(shape, array.shape, strict=True)), (
                f"{shape} inferred, {list(array.shape)} is right"
            )
        if onnx_output.type.tensor_type.HasField("shape"):
            dims = onnx_output.type.tensor_type.shape.dim
            assert shape != [-2], "onnx knows the rank"
            for axis, dim in enumerate(dims):
                assert not dim.HasField("dim_value") or shape[axis] == dim.dim_value, (
                    f"{shape} inferred, onnx knows axis {axis}: {dim.dim_value}"
                )
    return imported


def folded(call: Call) -> list[np.ndarray]:
    """The outputs as the constants that the call becomes when every input is constant."""
    arrays = []
    imported = import_call(call, constant=range(len(call.inputs)))
    for output in imported["outputs"]:
        assert output["value"] is not None, f"{call.op_type} did not fold: {imported['nodes']}"
        dtype = BF16 if output["dtype"] == "bfloat16" else np.dtype(output["dtype"])
        values = output["value"]
        if dtype == np.uint64:  # written as signed numbers
            values = [value % 2**64 for value in values]
        arrays.append(np.array(values, dtype=dtype).reshape(output["shape"]))
    return arrays


def check_folds(call: Call, rtol: float | None = None, atol: float | None = None) -> None:
    """With every input constant the call becomes constants with onnxruntime's values."""
    for got, expected in zip(folded(call), run(call), strict=True):
        assert got.dtype == expected.dtype
        assert got.shape == expected.shape
        assert_close(got, expected, rtol, atol)


def assert_close(
    got: np.ndarray, expected: np.ndarray, rtol: float | None = None, atol: float | None = None
) -> None:
    """Equal within the tolerance of the dtype; NaN equals NaN."""
    relative, absolute = TOLERANCES.get(expected.dtype, (0, 0))
    relative = relative if rtol is None else rtol
    absolute = absolute if atol is None else atol
    if relative == absolute == 0:
        np.testing.assert_array_equal(got, expected)
    else:
        wide = np.float64
        np.testing.assert_allclose(got.astype(wide), expected.astype(wide), relative, absolute)


def check_refused(
    call: Call, *words: str, constant: Collection[int] = (), hidden: Hidden | None = None
) -> None:
    """The call is refused with one message that contains all ``words``."""
    with pytest.raises(_testing.CompileError) as caught:
        import_call(call, constant, hidden)
    problems = [str(problem) for problem in caught.value.problems]
    assert any(all(word in problem for word in words) for problem in problems), problems
