"""What the compiler calls: requests and replies are JSON texts (core/hooks/graph_passes.cc).

Paths in them have one character for each byte.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ge.graph import Graph, Node
from ge.passes import _expression, _loader, registry
from ge.passes.base import DecomposePass, FusionBasePass, PatternFusionPass
from ge.passes.context import PassContext
from ge.passes.pattern import MatchResult, Pattern, PatternMatcherConfig
from ge.passes.registry import PassDescriptor

from ge import _graph, _hook_text, _pass_files

_NOT_CHANGED = 201
_IN_PROCESS = ""  # stands for the passes that the program itself registered


class PassError(Exception):
    """A pass gave something that it must not give."""


def find(request: str) -> str:
    """``{"paths"}`` -> ``{"files": [path], "faults": [{"path", "reason"}]}``."""
    paths = [_hook_text.path_of(path) for path in json.loads(request)["paths"]]
    files, faults = _pass_files.find(paths)
    rows = [{"path": _hook_text.text_of(path), "reason": reason} for path, reason in faults]
    return _hook_text.reply({"files": [_hook_text.text_of(file) for file in files], "faults": rows})


def load(request: str) -> str:
    """``{"file"}``, empty for this program's own -> ``{"passes": [{"name", "stage", "kind"}]}``."""
    rows = [
        {"name": row.pass_name, "stage": row.stage.value, "class": row.class_name}
        for row in _passes_of(json.loads(request)["file"])
    ]
    return _hook_text.reply({"passes": rows})


def run(capsule: object, request: str) -> str:
    """Run one pass on a graph and its subgraphs.

    ``{"file", "name", "options"}`` -> ``{"matches", "effects", "warnings": [text]}`` or
    ``{"failure": text}``.
    """
    asked = json.loads(request)
    descriptor = next(row for row in _passes_of(asked["file"]) if row.pass_name == asked["name"])
    runner = _Runner(descriptor, asked["options"])
    root = _graph.lent_graph(capsule)
    try:
        for graph in [root, *root.get_all_subgraphs()]:
            if graph.is_valid():  # a pass may have removed the node that it belongs to
                runner.run_on(graph)
    except PassError as error:
        return _hook_text.reply({"failure": str(error)})
    reply = {"matches": runner.matches, "effects": runner.effects, "warnings": runner.warnings}
    return _hook_text.reply(reply)


def _passes_of(file: str) -> list[PassDescriptor]:
    if file == _IN_PROCESS:
        return registry.get_registered_passes()
    return _loader.load(_hook_text.path_of(file))


class _Runner:
    """One pass in one stage of one compile."""

    def __init__(self, descriptor: PassDescriptor, options: dict[str, str]) -> None:
        self.descriptor = descriptor
        self.options = options
        self.matches = 0
        self.effects = 0
        self.warnings: list[str] = []
        self.instance = descriptor.cls()

    def run_on(self, graph: Graph) -> None:
        with self.context() as context:
            if isinstance(self.instance, PatternFusionPass):
                self.match_and_replace(self.instance, graph, context)
            elif isinstance(self.instance, DecomposePass):
                self.decompose(self.instance, graph, context)
            else:
                self.call_run(self.instance, graph, context)

    @contextmanager
    def context(self) -> Iterator[PassContext]:
        context = PassContext(self.descriptor.pass_name, self.options)
        try:
            yield context
        finally:
            context._valid = False

    def call_run(self, instance: FusionBasePass, graph: Graph, context: PassContext) -> None:
        result = instance.run(graph, context)
        self.effects += context._effects
        self.matches += context._effects
        message = f": {context._message}" if context._message else ""
        where = f"{self.descriptor.class_name}.run() returned"
        if result is None or result is True:
            return
        if result is False:
            raise PassError(f"{where} False{message}")
        if not isinstance(result, int):
            raise PassError(f"{where} {type(result).__name__}; it returns None, a bool or an int")
        if result not in (0, _NOT_CHANGED):
            raise PassError(f"{where} status {result}{message}")

    def match_and_replace(
        self, instance: PatternFusionPass, graph: Graph, context: PassContext
    ) -> None:
        # A subclass with its own __init__ need not call that of the base.
        config = getattr(instance, "matcher_config", None) or PatternMatcherConfig()
        for pattern in self.patterns(instance):
            places = _graph.find_places(
                pattern._graph,
                graph,
                config.is_enable_const_value_match(),
                config.is_enable_ir_attr_match(),
            )
            with _graph.Replacing(graph) as replacing:
                for place in places:
                    if replacing.is_there(place):
                        match = MatchResult(pattern, place)
                        self.replace_match(instance, match, context, replacing)

    def replace_match(
        self,
        instance: PatternFusionPass,
        match: MatchResult,
        context: PassContext,
        replacing: _graph.Replacing,
    ) -> None:
        place = match._place
        try:
            if self.wants(instance, match, context) and not replacing.closes_cycle(place):
                self.matches += 1
                replacing.replace(place, self.replacement(instance, match, context))
                self.effects += 1
        finally:
            match._invalidate()

    def patterns(self, instance: PatternFusionPass) -> Iterable[Pattern]:
        patterns = []
        for name in instance._pattern_methods:
            method = getattr(instance, name)
            graph, captured = _expression.build(name, method.__qualname__, method)
            pattern = Pattern(graph)
            for tensor in captured:
                pattern.capture_tensor(tensor)
            patterns.append(pattern)
        given = instance.patterns()
        for item in () if given is None else given:
            if isinstance(item, Graph):
                item = Pattern(item)
            if not isinstance(item, Pattern):
                raise PassError(
                    f"{self.descriptor.class_name}.patterns() gave {type(item).__name__};"
                    " it gives Pattern or Graph"
                )
            item._check()
            patterns.append(item)
        for pattern in patterns:
            pattern._released = True
        return patterns

    def wants(self, instance: Any, subject: Any, context: PassContext) -> bool:
        """Return what meet_requirements says; an exception is a warning, and means no."""
        try:
            return bool(
                instance._call_requirements(instance.meet_requirements, subject, context, None)
            )
        except Exception as error:
            self.warnings.append(
                f"{self.descriptor.class_name}.meet_requirements() raised"
                f" {type(error).__name__}: {error}; the place is left alone"
            )
            return False

    def replacement(self, instance: Any, subject: Any, context: PassContext) -> Graph:
        hook, call = instance.replacement, getattr(type(instance), "_call_replacement", None)
        what = f"{self.descriptor.class_name}.replacement()"
        if call is None:
            raise PassError(f"{self.descriptor.class_name} has no replacement()")
        if getattr(instance, "_is_expression", False):
            return _expression.build(
                "replacement", what, lambda inputs: call(hook, subject, context, inputs)
            )[0]
        result = call(hook, subject, context, None)
        if not isinstance(result, Graph):
            raise PassError(f"{what} returned {type(result).__name__}; it returns a Graph")
        return result

    def decompose(self, instance: DecomposePass, graph: Graph, context: PassContext) -> None:
        types = self.descriptor.op_types
        nodes: list[Node] = [node for node in graph.get_direct_nodes() if node.type in types]
        with _graph.Replacing(graph) as replacing:
            for node in nodes:
                place = _graph.place_of_node(node)
                if not replacing.is_there(place) or not self.wants(instance, node, context):
                    continue
                self.matches += 1
                replacing.replace(place, self.replacement(instance, node, context))
                self.effects += 1
