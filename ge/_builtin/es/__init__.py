"""Building graphs from expressions.

    from ge.es import GraphBuilder
    from ge.es.all import Relu

    builder = GraphBuilder("twice")
    x = builder.create_input(0)
    graph = builder.build_and_reset([Relu(x) * 2.0])

Every operator type is a function: inputs, for outputs that are a list their number, then
attributes. Modules ``all``, ``math``, ``nn``, ``cv`` and ``transformer`` all have all of them.
"""

from importlib import import_module, metadata
from types import ModuleType

from ge.es.graph_builder import GraphBuilder, attr_scope, control_dependency_scope
from ge.es.tensor_holder import TensorHolder

__all__ = [
    "GraphBuilder",
    "TensorHolder",
    "attr_scope",
    "control_dependency_scope",
    "get_plugin",
    "list_plugins",
]

_OWN = ("all", "all_ops", "cv", "math", "nn", "transformer")


def list_plugins() -> list[str]:
    """Return the names of the modules with operator functions, those of other packages included."""
    others = (entry.name for entry in metadata.entry_points(group="ge.es.plugins"))
    return sorted({*_OWN, *others})


def get_plugin(name: str) -> ModuleType:
    """Import a module of :func:`list_plugins`.

    Raises:
        KeyError: There is none of that name.
    """
    if name in _OWN:
        return import_module(f"ge.es.{name}")
    for entry in metadata.entry_points(group="ge.es.plugins", name=name):
        module: ModuleType = entry.load()
        return module
    raise KeyError(f"there is no module {name!r}; there are {', '.join(list_plugins())}")
