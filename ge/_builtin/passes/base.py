"""The classes that a pass derives from."""

from collections.abc import Callable, Iterable
from typing import Any

from ge.graph import Graph, Node
from ge.passes import _expression
from ge.passes.context import PassContext
from ge.passes.pattern import MatchResult, Pattern, PatternMatcherConfig

__all__ = ["DecomposePass", "FusionBasePass", "PatternFusionPass", "pattern"]

_PATTERN_MARK = "__ge_pattern__"


class FusionBasePass:
    """A pass that looks at a graph by itself."""

    def run(self, graph: Graph, context: PassContext) -> "bool | int | None":
        """Change the graph.

        Called for the graph of the model and then for each subgraph. The graph belongs to the
        compile: neither it nor its nodes may be used once the call is over.

        Returns:
            None, True or 0: done. False: it failed, and so does the compile. 201: nothing changed.
            Any other int: it failed with that status.
        """
        raise NotImplementedError(f"{type(self).__name__} has no run()")


def pattern(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method ``(self, inputs)`` of a :class:`PatternFusionPass` one of its patterns.

    It returns the output of the pattern, or a list of its outputs, as an expression of
    ``inputs[0]``, ``inputs[1]``, ... or ``inputs[:N]``.
    """
    setattr(method, _PATTERN_MARK, True)
    return method


class PatternFusionPass(FusionBasePass):
    """A pass that replaces what looks like a pattern.

    It has :meth:`patterns` or methods with ``@pattern``, a :meth:`replacement`, and maybe
    :meth:`meet_requirements`.

    Args:
        matcher_config: How constants and attributes are compared.
    """

    _pattern_methods: tuple[str, ...] = ()
    _call_replacement: Callable[..., Any]
    _call_requirements: Callable[..., Any]
    _is_expression = False

    def __init__(self, matcher_config: "PatternMatcherConfig | None" = None) -> None:
        if not isinstance(matcher_config, PatternMatcherConfig | None):
            given = type(matcher_config).__name__
            raise TypeError(f"matcher_config is a PatternMatcherConfig or None, not {given}")
        self.matcher_config = matcher_config

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        _refuse_run(cls, "PatternFusionPass")
        marked = [
            name
            for base in reversed(cls.__mro__)
            for name, value in vars(base).items()
            if getattr(value, _PATTERN_MARK, False)
        ]
        cls._pattern_methods = tuple(dict.fromkeys(marked))
        if marked and cls.patterns is not PatternFusionPass.patterns:
            raise TypeError(f"{cls.__qualname__} has patterns() and @pattern methods: one of them")
        for name in cls._pattern_methods:
            function = getattr(cls, name)
            if not _expression.is_expression(function):
                raise TypeError(f"{function.__qualname__} takes (self, inputs)")
        if cls.replacement is not PatternFusionPass.replacement:
            cls._is_expression = _expression.is_expression(cls.replacement)
            cls._call_replacement = staticmethod(
                _expression.caller(cls.replacement, "match_result", expressions=True)
            )
        cls._call_requirements = staticmethod(
            _expression.caller(cls.meet_requirements, "match_result", expressions=False)
        )

    def patterns(self) -> "Iterable[Pattern | Graph] | None":
        """Return the patterns, in the order in which they are tried."""
        return None

    def meet_requirements(self, match_result: MatchResult) -> bool:
        """Return whether the match is to be replaced. May take the context too."""
        return True

    def replacement(self, match_result: MatchResult) -> Graph:
        """Return what takes the place of a match.

        The graph has the inputs and outputs of the pattern. Instead of ``match_result`` the
        parameters may be ``inputs``, ``inputs, match_result``, ``inputs, context`` or all three:
        it then returns the outputs, as an expression of the inputs.
        """
        raise NotImplementedError(f"{type(self).__name__} has no replacement()")


class DecomposePass(FusionBasePass):
    """A pass that replaces single nodes of given types.

    It has a :meth:`replacement`, and maybe :meth:`meet_requirements`.
    """

    op_types: "list[str] | None" = None
    _call_replacement: Callable[..., Any]
    _call_requirements: Callable[..., Any]

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        _refuse_run(cls, "DecomposePass")
        cls._call_replacement = staticmethod(
            _expression.caller(cls.replacement, "node", expressions=False)
        )
        cls._call_requirements = staticmethod(
            _expression.caller(cls.meet_requirements, "node", expressions=False)
        )

    def meet_requirements(self, node: Node) -> bool:
        """Return whether the node is to be replaced. May take the context too."""
        return True

    def replacement(self, node: Node) -> Graph:
        """Return what takes the place of the node: a graph with its inputs and outputs."""
        raise NotImplementedError(f"{type(self).__name__} has no replacement()")


def _refuse_run(cls: type, base: str) -> None:
    if "run" in vars(cls):
        raise TypeError(f"{cls.__qualname__} must not override run(): a {base} has hooks instead")
