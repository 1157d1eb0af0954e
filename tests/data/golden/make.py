"""Adds golden files for the models of sources.py that have none yet: see the README here."""

import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
from conformance.check import compile_model
from data.golden.sources import SOURCES
from onnx.reference import ReferenceEvaluator

FOLDER = Path(__file__).parent


def as_bits(array):
    """Arrays of types that NumPy lacks as unsigned integers with the same bits."""
    return array if array.dtype.isbuiltin == 1 else array.view(f"u{array.dtype.itemsize}")


def expected(model, feed):
    """Outputs by name, as onnxruntime computes them, or onnx where it lacks a type."""
    names = [output.name for output in model.graph.output]
    if all(array.dtype.isbuiltin == 1 for array in feed.values()):
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"]
        )
        return dict(zip(names, session.run(names, feed), strict=True))
    return dict(zip(names, ReferenceEvaluator(model).run(names, feed), strict=True))


def make(name):
    model, feeds, flags = SOURCES[name]()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{name}.onnx"
        source.write_bytes(model.SerializeToString())
        fault = compile_model(source, FOLDER / name, flags)
        if fault is not None:
            sys.exit(f"{name}: {fault}")
    arrays = {}
    for run, feed in enumerate(feeds):
        arrays |= {f"{run}.in.{port}": as_bits(value) for port, value in feed.items()}
        results = expected(model, feed)
        arrays |= {f"{run}.out.{port}": as_bits(value) for port, value in results.items()}
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)


if __name__ == "__main__":
    for name in SOURCES:
        if not (FOLDER / f"{name}.om").exists():
            make(name)
            print(f"wrote {name}.om and {name}.npz")
