"""atc, pyatc and python3 -m ge.pyatc: one main flow, so one answer."""

import dataclasses
import json
from pathlib import Path

import pytest

SHAPES = json.loads((Path(__file__).parents[1] / "data" / "input_shapes.json").read_text())


@pytest.fixture
def entries(run, atc, pyatc, python):
    """The three entries as functions of words; each one's name in its output becomes ``NAME``."""

    def entry(name, *command):
        def called(*words, **more):
            done = run(*command, *words, **more)
            for before, after in (("'", " "), (" ", " "), (" ", "\n")):
                text = done.stdout.replace(f"{before}{name}{after}", f"{before}NAME{after}")
                done = dataclasses.replace(done, stdout=text)
            return done

        return called

    return [
        entry("atc", atc),
        entry("pyatc", pyatc),
        entry("python3 -m ge.pyatc", python, "-P", "-m", "ge.pyatc"),
    ]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--help"], 0),
        ([], 255),
        (["--no_such_flag=1"], 255),
        (["--framework=5", "stray word", "\u540d"], 255),
        (["--model"], 255),
        (["--mode=6", "--om=/nowhere/a.om"], 255),
        (["--framework=5", "--model=/nowhere/a.onnx", "--soc_version=X", "--output=o"], 255),
    ],
)
def test_same_words_give_the_same_answer(entries, tmp_path, words, status):
    native, wrapper, module = (entry(*words, cwd=tmp_path) for entry in entries)
    assert native.status == status
    assert native == wrapper == module


def test_same_model_gives_the_same_answer_and_bytes(entries, models, tmp_path):
    dims = (f"{name}:{','.join(map(str, dims))}" for name, dims in SHAPES["mtcnn_onet"].items())
    words = [
        f"--model={models('mtcnn_onet')}",
        "--framework=5",
        "--soc_version=Ascend310P3",
        "--precision_mode_v2=origin",
        f"--input_shape={';'.join(dims)}",
        "--output=out/net",
    ]
    results = []
    for index, entry in enumerate(entries):
        folder = tmp_path / str(index)
        folder.mkdir()
        done = entry(*words, cwd=folder)
        assert done.status == 0, done.stdout + done.stderr
        results.append((done, (folder / "out" / "net.om").read_bytes()))
    assert results[0] == results[1] == results[2]
