"""One SoC for all tests of this folder, and processes of their own for what a process does once."""

import textwrap
from pathlib import Path

import pytest

from ge import aclop

TESTS = Path(__file__).resolve().parents[1]
PRELUDE = """
import sys
sys.path.append({tests!r})
from ge import aclop
from ge.aclop import CompileOpt, acl
from aclop.words import *
"""


@pytest.fixture(scope="session", autouse=True)
def soc():
    aclop.init("Ascend310P3")


@pytest.fixture
def fresh_process(run, python, package, tmp_path):
    """Call as ``fresh_process(code, **env)``: what the code prints in a process of its own."""

    def called(code, **env):
        text = PRELUDE.format(tests=str(TESTS)) + textwrap.dedent(code)
        env = {"PYTHONPATH": package.parent, "ASCEND_SOC_VERSION": "Ascend310P3", **env}
        done = run(python, "-P", "-c", text, cwd=tmp_path, env=env)
        assert (done.status, done.stderr) == (0, ""), done.stdout
        return done.stdout.split()

    return called
