"""A call that compiles the operators of a file."""

import json

import pytest


@pytest.fixture
def compile_ops(run, atc, tmp_path):
    """Call as ``compile_ops(entries, *words)``: a run of atc on a file with these entries.

    The file is ``ops.json``; entries may be its text, too. The folder of the models is ``out``.
    """

    def compile_ops(entries, *words, **how):
        text = entries if isinstance(entries, str | bytes) else json.dumps(entries)
        data = text.encode() if isinstance(text, str) else text
        (tmp_path / "ops.json").write_bytes(data)
        words = ("--singleop=ops.json", "--output=out", "--soc_version=Ascend310P3", *words)
        return run(atc, *words, cwd=tmp_path, **how)

    return compile_ops


@pytest.fixture
def models(tmp_path):
    """Call as ``models()``: names of the models that were written, sorted."""
    return lambda: sorted(path.name for path in tmp_path.glob("out/*"))
