"""Fixtures of the OM tests."""

import json
from pathlib import Path

import pytest

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
