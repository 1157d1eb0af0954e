import os
import subprocess
import sys

import pytest


@pytest.fixture
def run_python(tmp_path):
    """Run a program in a Python of its own, which has 60 seconds."""

    def run(text, *args, **environment):
        program = tmp_path / "program.py"
        program.write_text(text)
        return subprocess.run(
            [sys.executable, "-P", str(program), *args],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run
