"""Offline models (OM files): open them, look at them, run them on the CPU.

>>> import ge.om
>>> with ge.om.load("model.om") as model:  # doctest: +SKIP
...     print(model.summary())
...     outputs = model.run({"x": x})

OM files of every maker can be opened and looked at; those of the built-in engine can be run.
``python3 -m ge.om`` does the same on the command line. NumPy is used where it is installed, and
never required. See docs/running-models.md.
"""

from ge.om._arrays import Tensor
from ge.om._graph import Graph, Node, TensorDesc
from ge.om._model import Memory, Model, NodeTime, Port, Profile, load

__all__ = [
    "Graph",
    "Memory",
    "Model",
    "Node",
    "NodeTime",
    "Port",
    "Profile",
    "Tensor",
    "TensorDesc",
    "load",
]
