"""If and Loop; their branches and bodies are random graphs that read values around them."""

import numpy as np
from random_graphs.builder import BOOL, DTYPES, FLOAT32, INT64, MisfitError, Scope, Value

LIMIT = 4  # states of a loop stay within it


def _condition(scope):
    found = [v for v in scope.visible() if v.dtype == BOOL and v.shape == () and v.computed]
    if found and scope.flag():
        return found[-1]
    if scope.flag():
        x = scope.any(dtypes=(FLOAT32, INT64), exact=True, ranks=(0, 0))
        return scope.simple("Less", [x, scope.new(x.dtype, ())], (), 1, 0, BOOL)
    return scope.new(BOOL, ())


def _expands(shape, target):
    try:
        return np.broadcast_shapes(shape, target) == target
    except ValueError:
        return False


def _result(scope, dtype, shape, exact=False):
    """A new value of this type, made by a node of this very scope."""
    found = [
        value
        for value in scope.values
        if value.computed
        and value.dtype == dtype
        and _expands(value.shape, shape)
        and (value.exact or not exact)
    ]
    source = scope.one_of(reversed(found)) if found else scope.new(dtype, shape)
    if source.shape != shape:
        return scope.simple("Expand", [source, scope.constant(list(shape))], shape)
    return scope.simple("Identity", [source])


def make_if(add_nodes):
    """The operator If; ``add_nodes(scope, count)`` fills its branches."""

    def if_(scope):
        if scope.depth >= 2:
            raise MisfitError
        condition = _condition(scope)
        types = [(scope.one_of(DTYPES), scope.shape(0, 3)) for _ in range(scope.integer(1, 2))]
        graphs, results = {}, []
        for name in ("then_branch", "else_branch"):
            branch = Scope(scope.draw, scope)
            add_nodes(branch, scope.integer(0, 3))
            results.append([_result(branch, *kind) for kind in types])
            graphs[name] = branch.graph(name, [], results[-1])
        ports = [
            (a.dtype, a.shape, max(a.bound, b.bound), max(a.error, b.error))
            for a, b in zip(*results, strict=True)
        ]
        scope.node("If", [condition], ports, **graphs)

    return if_


def make_loop(add_nodes):
    """The operator Loop. States are exact, so that errors do not grow from step to step."""

    def loop(scope):
        if scope.depth >= 2:
            raise MisfitError
        trips = scope.integer(scope.root.least_trips, 4)
        limit = scope.leaf(np.array(trips), scope.one_of(["data", "input"]))
        starts = [
            scope.any(dtypes=(FLOAT32, INT64, BOOL), exact=True, bound=LIMIT, ranks=(0, 3))
            for _ in range(scope.integer(1, 2))
        ]
        if scope.flag():
            starts.append(starts[0])
        body = Scope(scope.draw, scope)
        number, go_on = Value(body.name(), INT64, (), LIMIT), Value(body.name(), BOOL, (), 1)
        states = [Value(body.name(), v.dtype, v.shape, LIMIT) for v in starts]
        body.values += [number, *states]
        add_nodes(body, scope.integer(0, 3))
        if scope.integer(0, 2):
            next_go = body.simple("Identity", [go_on])
        else:
            last = scope.integer(0, 3)
            trips = min(trips, last + 1)
            last = scope.leaf(np.array(last), "data")
            next_go = body.simple("Less", [number, last], (), 1, 0, BOOL)
        outputs = [_next(body, state) for state in _turned(states)]
        scans = [_result(body, scope.one_of(DTYPES), scope.shape(0, 2)) for _ in range(len(states))]
        scans = scans[: scope.integer(0, 2)]
        graph = body.graph("body", [number, go_on, *states], [next_go, *outputs, *scans])
        condition = scope.one_of([None, scope.leaf(np.array(True), "data")])
        ports = [(v.dtype, v.shape, LIMIT, 0.0) for v in states]
        ports += [(v.dtype, (trips, *v.shape), v.bound, v.error) for v in scans]
        scope.node("Loop", [limit, condition, *starts], ports, body=graph)

    return loop


def _turned(states):
    """The states in an order in which each can become the next one."""
    same = len({(v.dtype, v.shape) for v in states}) == 1
    return states[1:] + states[:1] if same else states


def _next(body, state):
    """What a state becomes: itself, or something within the limit."""
    if body.integer(0, 4) == 0:
        return body.simple("Identity", [state])
    value = _result(body, state.dtype, state.shape, exact=True)
    if value.dtype == BOOL:
        return body.simple("Not", [value])
    low, high = (body.leaf(np.array(limit, value.dtype), "data") for limit in (-LIMIT, LIMIT))
    return body.simple("Clip", [value, low, high], bound=LIMIT)
