"""Facts that the command line tests share."""

import json
from pathlib import Path

# One dict per flag of ATC, in the order of its usage text.
FLAGS = json.loads((Path(__file__).parent.parent / "data" / "atc_flags.json").read_text())

# A command line that compiles the model of the fixture `folder`.
GOOD = {
    "model": "net.onnx",
    "framework": "5",
    "output": "out/net",
    "soc_version": "Ascend310P3",
    "precision_mode_v2": "origin",
}
