"""examples/custom_opp in networks, and the page about it followed to the letter."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto
from onnx import helper as h

import ge

ROOT = Path(__file__).parents[2]
F16, F32 = np.float16, np.float32
RANDOM = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def example(monkeypatch):
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(ROOT / "examples" / "custom_opp"))


def network(op_type, inputs, outputs, dtype=TensorProto.FLOAT, **attrs):
    """One node; ``inputs`` are name -> shape, ``outputs`` names."""
    values = [h.make_tensor_value_info(name, dtype, shape) for name, shape in inputs.items()]
    results = [h.make_tensor_value_info(name, dtype, None) for name in outputs]
    node = h.make_node(op_type, list(inputs), outputs, name="own", **attrs)
    return h.make_model(h.make_graph([node], "g", values, results))


def run(model, feeds, **flags):
    flags = {"soc_version": "Ascend310P3", "precision_mode_v2": "origin", **flags}
    with ge.compile(model, **flags) as result:
        return list(result.model.run(feeds).values())


@pytest.mark.parametrize("dtype", [F16, F32])
def test_one_element_at_a_time(dtype):
    x1, x2 = (RANDOM.standard_normal((2, 3, 4)).astype(dtype) for _ in range(2))
    kind = TensorProto.FLOAT16 if dtype == F16 else TensorProto.FLOAT
    model = network("AddScaled", {"x1": x1.shape, "x2": x2.shape}, ["y"], kind, scale=0.5)
    (y,) = run(model, {"x1": x1, "x2": x2})
    np.testing.assert_array_equal(y, x1 + x2 * dtype(0.5))


@pytest.mark.parametrize("keep_dims", [0, 1])
def test_two_results(keep_dims):
    x = RANDOM.standard_normal((2, 3, 4)).astype(F32)
    model = network(
        "SumAndMax", {"x": x.shape}, ["total", "greatest"], axes=[1], keep_dims=keep_dims
    )
    total, greatest = run(model, {"x": x})
    np.testing.assert_allclose(total, x.sum(1, keepdims=bool(keep_dims)), rtol=1e-6)
    np.testing.assert_array_equal(greatest, x.max(1, keepdims=bool(keep_dims)))


def test_sizes_that_are_known_when_the_model_runs():
    model = network("Blend", {"x1": ("n", "m"), "x2": ("n", "m"), "weight": ("n", "m")}, ["y"])
    shapes = dict.fromkeys(("x1", "x2", "weight"), (None, None))
    flags = {"soc_version": "Ascend310P3", "precision_mode_v2": "origin"}
    with ge.compile(model, input_shape=shapes, **flags) as result:
        for sizes in ([(2, 3)] * 3, [(1, 5), (4, 5), (4, 1)]):
            x1, x2, weight = (RANDOM.random(size).astype(F32) for size in sizes)
            (y,) = result.model.run({"x1": x1, "x2": x2, "weight": weight}).values()
            np.testing.assert_array_equal(y, x2 + weight * (x1 - x2))


def test_the_page_works_as_written(run_words, tmp_path):
    text = (ROOT / "docs" / "custom-operators.md").read_text()
    operator, network_of, single = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (information,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    (commands,) = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    tbe = tmp_path / "my_ops" / "op_impl" / "ai_core" / "tbe"
    for name, content in (
        ("config/ascend310p/aic-ascend310p-ops-info.json", information),
        ("my_ops_impl/add_scaled.py", operator),
        ("../../../../make_net.py", network_of),
        ("../../../../single.py", single),
    ):
        (tbe / name).parent.mkdir(parents=True, exist_ok=True)
        (tbe / name).write_text(content)
    done = run_words("set -e\n" + commands + "python3 single.py\n")
    assert (done.status, done.stderr) == (0, "")
    assert "[[2. 2. 2.]\n [2. 2. 2.]]" in done.stdout


@pytest.fixture
def run_words(run, python, package, atc, tmp_path):
    """Call as ``run_words(script)``: a shell script whose python3 is that of the tests."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "pyatc").write_text(f'#!/bin/sh\nexec "{python}" -P -m ge.pyatc "$@"\n')
    (folder / "pyatc").chmod(0o755)
    (folder / "python3").write_text(f'#!/bin/sh\nexec "{python}" "$@"\n')
    (folder / "python3").chmod(0o755)
    shell = shutil.which("sh")

    def call(script):
        env = {"PATH": f"{folder}:/usr/bin:/bin", "PYTHONPATH": package.parent}
        return run(shell, "-c", script, cwd=tmp_path, env=env)

    return call
