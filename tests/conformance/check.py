"""Compiles a case to an OM, runs it from the OM, and compares."""

import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from conformance.cases import Case
from onnx.backend.test.runner import Runner

import ge.om
from ge import _engine, _pyatc
from ge.errors import GeError


def failure(case: Case, folder: Path) -> str | None:
    """Why a case fails, in one line that is the same in every run; None when it passes."""
    source = folder / "model.onnx"
    source.write_bytes(case.model.SerializeToString())
    for inputs, expected in case.data_sets:
        message = compile_model(source, folder / "model", shape_flags(case.model, inputs))
        if message is None:
            message = run_model(folder / "model.om", inputs, expected, case)
        if message is not None:
            return stable(message, folder)
    return None


def run_model(path: Path, inputs: dict[str, np.ndarray], expected: list, case: Case) -> str | None:
    """Run an OM; return what is wrong with the run or its result."""
    try:
        with ge.om.load(path) as model:
            feeds = [(port.name, inputs[port.name]) for port in model.inputs]
            # Memory that no later node needs is overwritten: faults of the memory plan show.
            buffers, _ = model._run(feeds, None, profile=False, poison=True)
            outputs = list(model._by_name(buffers).values())
    except GeError as error:
        return f"{error.code}: {error.problems[0].text}"
    try:
        Runner.assert_similar_outputs(expected, outputs, case.rtol, case.atol)
    except AssertionError as error:
        return f"wrong result: {difference(str(error), expected, outputs)}"
    return None


def shape_flags(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> list[str]:
    """The --input_shape words for the inputs that have dims without a number."""
    initializers = {tensor.name for tensor in model.graph.initializer}
    shapes = []
    for value in model.graph.input:
        tensor = value.type.tensor_type
        known = tensor.HasField("shape") and all(
            dim.HasField("dim_value") for dim in tensor.shape.dim
        )
        if not known and value.name not in initializers:
            shapes.append(f"{value.name}:{','.join(map(str, inputs[value.name].shape))}")
    return [f"--input_shape={';'.join(shapes)}"] if shapes else []


def compile_model(source: Path, output: Path, flags: list[str]) -> str | None:
    """Run ATC's command line in this process; return the headline of a failure."""
    target = ["--framework=5", "--soc_version=Ascend310P3", "--precision_mode_v2=origin"]
    words = ["atc", f"--model={source}", *target, f"--output={output}", *flags]
    with captured() as text:
        status = _pyatc.run(_engine.current.wrapper, words)
    if status == 0:
        return None
    found = re.search(r"\((E\d{5})\): (.*)", text())
    return f"{found[1]}: {found[2]}" if found else f"status {status}"


@contextlib.contextmanager
def captured(descriptors: tuple[int, ...] = (1, 2)) -> Iterator[Callable[[], str]]:
    """Catch what is written to stdout and stderr; call the result for it."""
    with tempfile.TemporaryFile() as file:
        kept = [os.dup(descriptor) for descriptor in descriptors]
        for descriptor in descriptors:
            os.dup2(file.fileno(), descriptor)
        text: list[str] = []
        try:
            yield lambda: "".join(text)
        finally:
            for descriptor, copy in zip(descriptors, kept, strict=True):
                os.dup2(copy, descriptor)
                os.close(copy)
            file.seek(0)
            text.append(file.read().decode(errors="replace"))


def stable(message: str, folder: Path) -> str:
    """A message without what differs between cases of one kind: folder, counts, names of nodes."""
    message = " ".join(message.replace(f"{folder}{os.sep}", "").split())
    message = re.sub(r" \(\d+ nodes?\)", "", message)
    message = re.sub(r"\.? Nodes?: .*$", "", message)
    message = re.sub(r"^E16002: \w+: ", "E16002: ", message)
    return re.sub(r"(Node|Input) \[[^]]*\]", r"\1", message)


def difference(message: str, expected: list, outputs: list) -> str:
    """The kind of a difference, without numbers that another machine may have otherwise."""
    for kind in ("incorrect shape", "nan location mismatch", "inf location mismatch"):
        if kind in message:
            return kind
    if "Not equal to tolerance" not in message:
        return "another dtype, or another number of outputs"
    units = 2 * 2**-10  # of the last place of a float16, relative to the value
    pairs = zip(outputs, expected, strict=True)
    if all(y.dtype == np.float16 and np.allclose(y, e, units, 2**-24) for y, e in pairs):
        return "two units in the last place of float16"
    return "other values"
