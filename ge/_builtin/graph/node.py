"""Where :class:`ge.graph.Node` is looked for too."""

from ge._graph import Node

__all__ = ["Node"]
