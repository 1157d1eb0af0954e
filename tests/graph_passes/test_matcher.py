"""Which places look like a pattern, against all ways to assign nodes to nodes."""

import itertools

from ge.es import GraphBuilder
from ge.es import all as es
from hypothesis import given
from hypothesis import strategies as st

from ge import _graph

ARITY = {"Relu": 1, "Abs": 1, "Add": 2, "Mul": 2}


@st.composite
def recipes(draw, most, outputs):
    """A graph: ``(type, values read)`` per node, and the values that leave it.

    Values 0 and 1 are the inputs, 2 and more the nodes.
    """
    nodes = []
    for number in range(draw(st.integers(1, most))):
        op_type = draw(st.sampled_from(sorted(ARITY)))
        read = st.integers(max(0, number - 2), number + 1)
        nodes.append((op_type, [draw(read) for _ in range(ARITY[op_type])]))
    results = draw(st.lists(st.integers(2, len(nodes) + 1), min_size=1, max_size=outputs))
    return nodes, list(dict.fromkeys(results))


def build(recipe):
    nodes, results = recipe
    builder = GraphBuilder("g")
    values = builder.create_inputs(2)
    for op_type, reads in nodes:
        values.append(getattr(es, op_type)(*(values[read] for read in reads)))
    graph = builder.build_and_reset([values[result] for result in results])
    return graph, [value.name for value in values]


def fits(pattern, target, chosen):
    """Whether node i of the pattern can be node chosen[i] of the target."""
    (parts, results), (nodes, leaving) = pattern, target
    bound = {}
    for part, choice in enumerate(chosen):
        bound[part + 2] = choice + 2
    for (op_type, reads), choice in zip(parts, chosen, strict=True):
        if nodes[choice][0] != op_type:
            return False
        for wanted, seen in zip(reads, nodes[choice][1], strict=True):
            if bound.setdefault(wanted, seen) != seen:
                return False
    inside = {choice + 2 for choice in chosen}
    if any(bound.get(value) in inside for value in (0, 1)):
        return False
    for part in range(2, len(parts) + 2):
        if part in results:
            continue
        readers = [
            (node + 2, place)
            for node, (_, reads) in enumerate(nodes)
            for place, read in enumerate(reads)
            if read == bound[part]
        ]
        wanted = [
            (bound[node + 2], place)
            for node, (_, reads) in enumerate(parts)
            for place, read in enumerate(reads)
            if read == part
        ]
        if bound[part] in leaving or sorted(readers) != sorted(wanted):
            return False
    return True


@given(recipes(3, 2), recipes(6, 3))
def test_found_places_are_those_of_all_assignments(pattern, target):
    graph, names = build(target)
    anchor = pattern[1][0] - 2  # the node of the first output
    expected = {
        names[chosen[anchor] + 2]
        for chosen in itertools.permutations(range(len(target[0])), len(pattern[0]))
        if fits(pattern, target, chosen)
    }
    places = _graph.find_places(build(pattern)[0], graph, False, False)
    found = [[node.name for node in place.nodes()] for place in places]
    assert {nodes[anchor] for nodes in found} == expected
    assert len(found) == len(expected)
    for nodes in found:
        assert fits(pattern, target, [names.index(name) - 2 for name in nodes])
