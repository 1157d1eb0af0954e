"""The backend test cases that the onnx package ships, and which of them are in scope."""

import dataclasses
import importlib
import pkgutil
import warnings
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case import node as node_package
from onnx.backend.test.loader import DATA_DIR, load_model_tests
from onnx.backend.test.runner import Runner

FILE_KINDS = ("simple", "pytorch-operator", "pytorch-converted")
OTHER_TYPES = ("sequence_type", "optional_type", "map_type", "sparse_tensor_type")
# Element types of inputs and outputs that an OM has no number for.
NO_NUMBER = {TensorProto.UINT4, TensorProto.FLOAT8E4M3FNUZ, TensorProto.FLOAT8E5M2FNUZ}
# The text of each says that implementations draw different numbers.
RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike"}
RANDOM |= {"RandomUniform", "RandomUniformLike"}


@dataclasses.dataclass(frozen=True)
class Case:
    """A model with arrays that it is given and arrays that it shall compute."""

    name: str
    model: onnx.ModelProto
    data_sets: list  # of (inputs by name, expected outputs)
    rtol: float = 1e-3
    atol: float = 1e-7


def node_modules() -> list[str]:
    """Names of the modules that make the node cases, a module per operator."""
    return sorted(module.name for module in pkgutil.iter_modules(node_package.__path__))


def node_cases(modules: Collection[str]) -> Iterator[Case]:
    """The cases of these modules; their random values do not depend on other modules."""
    made = node_package._NodeTestCases
    for name in modules:
        before = len(made)
        np.random.seed(0)  # which generator is used is onnx's choice
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = importlib.import_module(f"{node_package.__name__}.{name}")
        _made_by.setdefault(module.__name__, made[before:])
        for case in _made_by[module.__name__]:
            yield _node_case(case)


_made_by: dict[str, list] = {}  # importing a module makes its cases once


def _node_case(case) -> Case:
    names = [value.name for value in case.model.graph.input]
    data_sets = [
        (dict(zip(names, map(_array, inputs), strict=False)), [_array(y) for y in outputs])
        for inputs, outputs in case.data_sets
    ]
    return Case(case.name, case.model, data_sets, case.rtol, case.atol)


def _array(value):
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    return np.asarray(value) if isinstance(value, np.generic) else value


def file_cases() -> Iterator[Case]:
    """The cases that lie in the package as files."""
    for kind in FILE_KINDS:
        for case in sorted(load_model_tests(kind=kind), key=lambda case: case.name):
            folder = Path(case.model_dir)
            model = onnx.load(folder / "model.onnx")
            data_sets = [
                (dict(zip(*_inputs(model, data), strict=False)), _values(data, "output", model))
                for data in sorted(folder.glob("test_data_set_*"))
            ]
            yield Case(case.name, model, data_sets, case.rtol, case.atol)


def _inputs(model, folder):
    return [value.name for value in model.graph.input], _values(folder, "input", model)


def _values(folder: Path, what: str, model) -> list:
    types = [value.type for value in getattr(model.graph, what)]
    values = []
    for i, value_type in enumerate(types):
        path = folder / f"{what}_{i}.pb"
        if not path.exists():
            break
        if value_type.HasField("tensor_type"):
            values.append(numpy_helper.to_array(onnx.load_tensor(path)))
        else:
            values.append(None)  # out of scope, see below
    return values


def light_cases() -> Iterator[Case]:
    """Whole networks whose weights are made by ConstantOfShape; inputs as onnx makes them."""
    for path in sorted(Path(DATA_DIR, "light").glob("*.onnx")):
        model = onnx.load(path)
        initializers = {tensor.name for tensor in model.graph.initializer}
        inputs = {
            value.name: Runner.generate_dummy_data(value)
            for value in model.graph.input
            if value.name not in initializers
        }
        outputs = [
            numpy_helper.to_array(onnx.load_tensor(f"{path.with_suffix('')}_output_{i}.pb"))
            for i in range(len(model.graph.output))
        ]
        yield Case(f"test_{path.stem}", model, [(inputs, outputs)])


def out_of_scope(case: Case) -> str | None:
    """Which kind of model, that no OM of a network holds or that has no one result, this is."""
    graph = case.model.graph
    for value in (*graph.input, *graph.output):
        for field in OTHER_TYPES:
            if value.type.HasField(field):
                return field.removesuffix("_type").replace("_", " ")
        if value.type.tensor_type.elem_type == TensorProto.STRING:
            return "string"
        if value.type.tensor_type.elem_type in NO_NUMBER:
            return "uint4 and float8 fnuz"
    if any(node.op_type in RANDOM for node in graph.node):
        return "random"
    if any(_trains(node, graph) for node in graph.node):
        return "training"
    return None


def _trains(node, graph) -> bool:
    if node.domain == "ai.onnx.preview.training":
        return True
    if any(attr.name == "training_mode" and attr.i for attr in node.attribute):
        return True
    return node.op_type == "Dropout" and len(node.input) == 3 and node.input[2] != ""
