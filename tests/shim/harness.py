"""Runs what a function of tensors computes, once as recorded kernel, with NumPy arrays."""

import importlib

import ml_dtypes
import numpy as np

from ge import _testing
from ge._shim import build

NAMES = {
    np.dtype(np.float64): "double",
    np.dtype(ml_dtypes.bfloat16): "bfloat16",
    np.dtype(bool): "bool",
}


def name_of(dtype):
    """What TBE calls a dtype."""
    return NAMES.get(np.dtype(dtype), np.dtype(dtype).name)


def dtype_of(name):
    return {n: d for d, n in NAMES.items()}.get(name) or np.dtype(name)


class Shim:
    """A folder for kernels, and modules by the names that operators use."""

    def __init__(self, folder):
        self.folder = folder
        build.set_kernel_meta_parent(str(folder))
        self.dsl = importlib.import_module("tbe.dsl")
        self.tvm = importlib.import_module("tbe.tvm")

    def module(self, name):
        return importlib.import_module(name)

    def kernel(self, name="kernel"):
        """The bytes of a kernel that has been built."""
        return (self.folder / "kernel_meta" / f"{name}.o").read_bytes()

    def run_kernel(self, *arrays, name="kernel"):
        """The results of a kernel that has been built."""
        given = [(x.shape, np.ascontiguousarray(x).tobytes()) for x in arrays]
        rows = _testing.run_kernel(self.kernel(name), given)
        return [np.frombuffer(raw, dtype_of(dtype)).reshape(shape) for dtype, shape, raw in rows]

    def compute(self, function, *arrays, shapes=None):
        """What a function of tensors gives for these arrays.

        ``shapes`` are those that the operator is compiled for, where they have unknown sizes.
        """
        inputs = []
        for i, array in enumerate(arrays):
            shape = array.shape if shapes is None else shapes[i]
            inputs.append(self.tvm.placeholder(shape, name_of(array.dtype), f"x{i}"))
        results = function(*inputs)
        outputs = list(results) if isinstance(results, list | tuple) else [results]
        with self.tvm.target.cce():
            schedule = self.dsl.auto_schedule(outputs)
        self.dsl.build(schedule, {"name": "kernel", "tensor_list": [*inputs, *outputs]})
        arrays = self.run_kernel(*arrays)
        for array, output in zip(arrays, outputs, strict=True):
            recorded = [
                dim if isinstance(dim, int) else size
                for dim, size in zip(output.shape, array.shape, strict=True)
            ]
            assert tuple(recorded) == array.shape
            assert name_of(array.dtype) == output.dtype
        return arrays if isinstance(results, list | tuple) else arrays[0]
