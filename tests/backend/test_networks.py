"""Trained networks give onnxruntime's numbers when they run from the OM."""

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from compile.conftest import compile_command

import ge.om

SHAPES = json.loads((Path(__file__).parent.parent / "data" / "input_shapes.json").read_text())
NAMES = [
    "mtcnn_pnet",
    "mtcnn_rnet",
    "mtcnn_onet",
    "ppocr_v4_det",
    "ppocr_v4_rec",
    "ppocr_v2_cls",
    "yolov8n_nudenet",
    "magika_v3_3",
    "oww_melspectrogram",
    "oww_embedding",
    "oww_alexa",
    "oww_hey_marvin",
    "oww_hey_mycroft",
    "oww_hey_jarvis",
    "silero_vad_v6",
    "silero_vad_v6_static",
    "silero_vad_v4",
    "silero_vad_v6_16k_op15",
    "silero_vad_v6_16k_sequence",
    "silero_vad_v6_ifless",
    "basic_pitch",
]
DTYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32}


def feeds_of(session, shapes):
    rng = np.random.default_rng(7)
    feeds = {}
    for port in session.get_inputs():
        shape = shapes.get(port.name, port.shape)
        dtype = DTYPES[port.type]
        if port.name == "sr":  # sampling rate
            feeds[port.name] = np.array(16000, dtype)
        elif dtype is np.float32:
            feeds[port.name] = rng.standard_normal(shape).astype(dtype)
        else:
            feeds[port.name] = rng.integers(0, 257, shape).astype(dtype)
    return feeds


@pytest.mark.parametrize("name", NAMES)
def test_a_network_gives_the_same_numbers(run, atc, models, tmp_path, name):
    source = models(name)
    shapes = SHAPES.get(name, {})
    text = ";".join(f"{port}:{','.join(map(str, dims))}" for port, dims in shapes.items())
    flags = [f"--input_shape={text}"] if shapes else []
    done = run(*compile_command(atc, source, tmp_path / "m"), *flags)
    assert done.status == 0, done.stdout
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    feeds = feeds_of(session, shapes)
    names = [port.name for port in session.get_outputs()]
    with ge.om.load(tmp_path / "m.om") as model:
        results = model.run(feeds)
    for output, expected in zip(names, session.run(names, feeds), strict=True):
        # Sums in another order differ in the last bits of the largest numbers.
        atol = 5e-4 * max(1.0, float(np.abs(expected).max(initial=0)))
        np.testing.assert_allclose(results[output], expected, rtol=1e-3, atol=atol)
