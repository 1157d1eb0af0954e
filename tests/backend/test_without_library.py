"""Without the optional library everything works, and a log says so once."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from compile.conftest import compile_command, save
from onnx import helper

CODE = """
import sys, logging
import numpy as np
logging.basicConfig(format="%(name)s %(levelname)s %(message)s")
import ge.om
x = np.load(sys.argv[2])
for _ in range(2):
    with ge.om.load(sys.argv[1]) as model:
        (y,) = model(x)
np.save(sys.argv[3], y)
"""


@pytest.fixture
def convolution(run, atc, tmp_path):
    """Folder with m.om, a convolution, and x.npy for it."""
    rng = np.random.default_rng(0)
    conv = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
    weights = {"w": rng.standard_normal((16, 8, 3, 3)).astype(np.float32)}
    shapes = {"x": [1, 8, 20, 20]}, {"y": [1, 16, 20, 20]}
    model = save(tmp_path / "m.onnx", [conv], *shapes, weights)
    assert run(*compile_command(atc, model, tmp_path / "m")).status == 0
    np.save(tmp_path / "x.npy", rng.standard_normal((1, 8, 20, 20)).astype(np.float32))
    return tmp_path


def run_in(package_root, folder, result):
    # The search path is for development builds, whose libraries know where they were built.
    paths = {"PYTHONPATH": str(package_root), "LD_LIBRARY_PATH": f"{package_root}/ge"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", CODE, folder / "m.om", folder / "x.npy", folder / result],
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.splitlines(), np.load(folder / result)


def test_the_plain_kernels_take_over_and_one_line_says_so(convolution, package, tmp_path):
    if not (package / "libge_dnnl.so").exists():
        pytest.skip("waits for a wheel with libge_dnnl.so, to take it out")
    shutil.copytree(package, tmp_path / "bare" / "ge")
    (tmp_path / "bare" / "ge" / "libge_dnnl.so").unlink()
    with_lines, with_library = run_in(package.parent, convolution, "with.npy")
    lines, plain = run_in(tmp_path / "bare", convolution, "plain.npy")
    assert with_lines == []
    assert len(lines) == 1
    assert lines[0].startswith("ge.om WARNING convolutions and matrix products run without oneDNN")
    np.testing.assert_allclose(plain, with_library, rtol=1e-4, atol=1e-5)
