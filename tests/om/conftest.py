"""Fixtures of the OM tests."""

import itertools
import json
import textwrap
from pathlib import Path

import numpy as np
import pytest
from compile.conftest import compile_command, save
from onnx import TensorProto, helper

import ge.om

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "om"


@pytest.fixture(scope="session")
def samples():
    """Folder of real OM files (its README says where they come from)."""
    return SAMPLES


@pytest.fixture(scope="session")
def dump(run, atc, tmp_path_factory):
    """Call as ``dump(model, *flags)`` with a path or bytes: the parsed JSON of ``--mode=1``."""
    folder = tmp_path_factory.mktemp("dump")

    def call(model, *flags):
        if isinstance(model, bytes):
            path = folder / "model"
            path.write_bytes(model)
            model = path
        out = folder / "out.json"
        out.unlink(missing_ok=True)
        done = run(atc, "--mode=1", f"--om={model}", f"--json={out}", *flags)
        assert done.status == 0, done.stdout + done.stderr
        return json.loads(out.read_bytes())

    return call


@pytest.fixture(scope="session")
def compiled(run, atc, tmp_path_factory):
    """Call as ``compiled(nodes, inputs, outputs, initializers, name=, flags=)``: path of an OM.

    The arguments are those of ``save`` in tests/compile/conftest.py.
    """

    def call(*model, name="model", flags=(), **options):
        folder = tmp_path_factory.mktemp(name)
        source = save(folder / f"{name}.onnx", *model, **options)
        done = run(*compile_command(atc, source, folder / name, *flags))
        assert done.status == 0, done.stdout
        return folder / f"{name}.om"

    return call


@pytest.fixture(scope="session")
def add_om(compiled):
    """OM of ``sum = a + b; twice = sum + sum; top = sum + w`` with a[2,3], b[3], w = [1,2,3]."""
    nodes = [
        helper.make_node("Add", ["a", "b"], ["sum"], name="add"),
        helper.make_node("Add", ["sum", "sum"], ["twice"], name="double"),
        helper.make_node("Add", ["sum", "w"], ["top"], name="top_node"),
    ]
    weights = {"w": np.array([1, 2, 3], np.float32)}
    return compiled(nodes, {"a": [2, 3], "b": [3]}, {"twice": [2, 3], "top": [2, 3]}, weights)


@pytest.fixture
def add_model(add_om):
    """The model of ``add_om``, opened."""
    with ge.om.load(add_om) as model:
        yield model


@pytest.fixture(scope="session")
def open_om(compiled):
    """OM of ``y = -x`` with x[n,3], n from 1 to 8."""
    ports = {"x": ["n", 3]}, {"y": ["n", 3]}
    flags = ["--input_shape=x:1~8,3"]
    return compiled([helper.make_node("Neg", ["x"], ["y"])], *ports, flags=flags, name="open")


@pytest.fixture(scope="session")
def index_om(compiled):
    """OM of ``y = Gather(x, i)`` with x[4,2] float32 and i[3] int64."""
    return compiled(
        [helper.make_node("Gather", ["x", "i"], ["y"], name="pick")],
        {"x": [4, 2], "i": (TensorProto.INT64, [3])},
        {"y": [3, 2]},
        name="index",
    )


@pytest.fixture(scope="session")
def chain(compiled):
    """Call as ``chain(length)``: OM of so many nodes, each of which takes some milliseconds."""

    def call(length):
        names = ["x", *(f"t{i}" for i in range(length - 1)), "y"]
        nodes = [
            helper.make_node("Sin", [before], [after], name=f"sin{i}")
            for i, (before, after) in enumerate(itertools.pairwise(names))
        ]
        shape = [1 << 20]
        return compiled(nodes, {"x": shape}, {"y": shape}, name="chain")

    return call


@pytest.fixture(scope="session")
def script(run, python, package):
    """Call as ``script(code, *args, env=)``: run Python code, which finds args in ``args``."""

    def call(code, *args, env=(), **options):
        code = "import sys\nargs = sys.argv[1:]\n" + textwrap.dedent(code)
        environment = {"PYTHONPATH": package.parent, **dict(env)}
        return run(python, "-P", "-c", code, *args, env=environment, **options)

    return call


@pytest.fixture(scope="session")
def command(run, python, package):
    """Call as ``command(*words, env=, cwd=)``: run ``python3 -m ge.om``."""

    def call(*words, env=(), **options):
        environment = {"PYTHONPATH": package.parent, **dict(env)}
        return run(python, "-P", "-m", "ge.om", *words, env=environment, **options)

    return call
