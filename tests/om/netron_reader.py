"""Netron as a reader of OM files, without its window: an independent check of what we write.

``read_with_netron(path)`` returns what Netron shows::

    {"format": "DaVinci OM",
     "graphs": [{"name": "net_0",
                 "nodes": [{"name": "relu", "type": "Relu",
                            "inputs": [{"name": "x", "values": [VALUE]}],
                            "outputs": [{"name": "y", "values": [VALUE]}],
                            "attributes": {"index": 0}}]}]}

A VALUE is ``{"name": "x:0", "type": TYPE, "tensor": None}``; ``tensor`` of a constant is its TYPE
with ``bytes`` and ``sha256`` of the data.  A TYPE is ``{"dtype", "shape", "layout"}``.
Const nodes do not appear: their data stands at the inputs that read them.
"""

import atexit
import functools
import json
import shutil
import subprocess
import tempfile
from importlib import util
from pathlib import Path

_SCRIPT = Path(__file__).with_name("netron_om.mjs")
_MODULES = ("base.js", "om.js", "om-metadata.json", "om-proto.js", "protobuf.js", "text.js")


class NetronError(Exception):
    """Netron refuses the file; the message is Netron's."""


def is_available():
    """Whether node and the netron package are installed."""
    return shutil.which("node") is not None and util.find_spec("netron") is not None


@functools.cache
def _modules_folder():
    """A folder in which node takes Netron's files for ES modules, which needs a package.json."""
    source = Path(util.find_spec("netron").origin).parent
    folder = Path(tempfile.mkdtemp(prefix="netron-om-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in _MODULES:
        shutil.copy(source / name, folder / name)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def read_with_netron(path):
    """The graphs of the OM file ``path`` as Netron reads them; NetronError when it refuses."""
    command = ["node", str(_SCRIPT), str(_modules_folder()), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise NetronError(run.stderr.strip())
    return json.loads(run.stdout)


def constants(graph):
    """Value name to constant tensor, of everything that a node of ``graph`` reads."""
    return {
        value["name"]: value["tensor"]
        for node in graph["nodes"]
        for argument in node["inputs"]
        for value in argument["values"]
        if value["tensor"]
    }
