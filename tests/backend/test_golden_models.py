"""OM files that earlier versions wrote give the results they always gave."""

from pathlib import Path

import numpy as np
import pytest

import ge.om

FOLDER = Path(__file__).resolve().parent.parent / "data" / "golden"
NAMES = sorted(path.stem for path in FOLDER.glob("*.om"))
TOLERANCES = {"float16": (4e-3, 2e-3), "float32": (1e-5, 1e-6)}  # other types are exact


def runs_of(name):
    """(inputs, outputs) by port of each recorded run."""
    runs = {}
    with np.load(FOLDER / f"{name}.npz") as archive:
        for key in archive.files:
            run, direction, port = key.split(".", 2)
            runs.setdefault(run, {"in": {}, "out": {}})[direction][port] = archive[key]
    return [(run["in"], run["out"]) for run in runs.values()]


def test_there_is_a_result_for_every_file():
    assert len(NAMES) >= 12
    assert sorted(path.stem for path in FOLDER.glob("*.npz")) == NAMES


@pytest.mark.parametrize("poison", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_files_of_earlier_versions_give_the_same_results(name, poison):
    model = ge.om.load(FOLDER / f"{name}.om")
    for inputs, expected in runs_of(name):
        buffers, _ = model._run(inputs.items(), None, profile=False, poison=poison)
        results = model._by_name(buffers)
        assert list(results) == list(expected)
        for port, wanted in expected.items():
            got = results[port]
            if got.dtype.isbuiltin != 1:  # of ml_dtypes, recorded as bits
                got = got.view(f"u{got.dtype.itemsize}")
            assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
            rtol, atol = TOLERANCES.get(wanted.dtype.name, (0, 0))
            np.testing.assert_allclose(got, wanted, rtol, atol, err_msg=port)
