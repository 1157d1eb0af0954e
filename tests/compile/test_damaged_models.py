"""Models that are cut or changed at random: an error message, or an OM, but never a crash."""

import subprocess

import numpy as np
import pytest
from compile.conftest import save
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A model with constants, attributes, shape arithmetic and a branch."""
    folder = tmp_path_factory.mktemp("damaged")
    rng = np.random.default_rng(1)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("Shape", ["c"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["n"]),
        helper.make_node("Unsqueeze", ["n", "axis"], ["n1"]),
        helper.make_node("Concat", ["n1", "rest"], ["shape"], axis=0),
        helper.make_node("Reshape", ["c", "shape"], ["r"]),
        helper.make_node("MatMul", ["r", "m"], ["mm"]),
        helper.make_node("Softmax", ["mm"], ["p"], axis=-1),
        helper.make_node("Slice", ["p", "zero1", "two1"], ["y"]),
    ]
    model = save(
        folder / "m.onnx",
        nodes,
        {"x": [1, 3, 8, 8]},
        {"y": [1, 4]},
        {
            "w": rng.standard_normal((4, 3, 3, 3), dtype=np.float32),
            "m": rng.standard_normal((64, 4), dtype=np.float32),
            "zero": np.array(0, np.int64),
            "zero1": np.array([0], np.int64),
            "two1": np.array([2], np.int64),
            "axis": np.array([0], np.int64),
            "rest": np.array([-1], np.int64),
        },
    )
    return model.read_bytes()


def compile_bytes(atc, folder, data):
    model = folder / "damaged.onnx"
    model.write_bytes(data)
    output = folder / "out"
    done = subprocess.run(
        [atc, f"--model={model}", "--framework=5", "--soc_version=Ascend310P3",
         "--precision_mode_v2=origin", f"--output={output}"],
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    written = (folder / "out.om").exists()
    (folder / "out.om").unlink(missing_ok=True)
    assert done.returncode in (0, 255), done.stderr
    assert written == (done.returncode == 0)
    if done.returncode != 0:
        assert b"(E" in done.stdout
        assert b"E19999" not in done.stdout  # the model's fault, not ours
    return done.returncode


def test_the_model_itself_compiles(atc, source, tmp_path):
    assert compile_bytes(atc, tmp_path, source) == 0


@given(data=st.data())
@settings(max_examples=60)
def test_cut_models(atc, source, tmp_path_factory, data):
    length = data.draw(st.integers(0, len(source) - 1))
    compile_bytes(atc, tmp_path_factory.getbasetemp(), source[:length])


@given(data=st.data())
@settings(max_examples=150)
def test_changed_models(atc, source, tmp_path_factory, data):
    changed = bytearray(source)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(0, len(source) - 1))] = data.draw(st.integers(0, 255))
    compile_bytes(atc, tmp_path_factory.getbasetemp(), bytes(changed))
