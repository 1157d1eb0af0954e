"""Where :class:`ge.graph.Graph` is looked for too."""

from ge._graph import Graph

__all__ = ["Graph"]
