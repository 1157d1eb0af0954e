"""MergeSlices: slices of slices become one."""

import numpy as np
import pytest
from passes.models import model, node


def network(first, second, *, outputs=("y",), more=()):
    """Two Slices of an input [6, 7]; each is given as {axis: (begin, end, step)}."""
    constants, nodes = {}, []
    for name, x, axes in (("a", "x", first), ("y", "a", second)):
        words = np.array([[axis, *bounds] for axis, bounds in axes.items()]).T
        for word, row in zip(("axes", "begin", "end", "step"), words, strict=True):
            constants[f"{name}_{word}"] = row
        nodes.append(node("Slice", f"{x},{name}_begin,{name}_end,{name}_axes,{name}_step", name))
    return model([*nodes, *more], {"x": [6, 7]}, list(outputs), constants)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({0: (1, 5, 1)}, {0: (1, 3, 1)}),
        ({0: (1, 5, 1)}, {1: (2, 100, 1)}),
        ({1: (0, 7, 2)}, {1: (1, 4, 2)}),
        ({1: (-1, -100, -1)}, {1: (1, 7, 1)}),
        ({1: (-1, -100, -1)}, {1: (-1, -100, -2)}),
        ({0: (4, -100, -2), 1: (1, 6, 1)}, {1: (-2, -100, -3)}),
    ],
)
def test_two_slices(check_fused, first, second):
    graph = check_fused(network(first, second), {"StridedSliceV2": 1})
    (row,) = [row for row in graph.nodes if row.type == "StridedSliceV2"]
    assert row.sources == ("y", "a")


def test_a_slice_with_other_readers_stays(check_fused):
    more = [node("Neg", "a", "z")]
    first, second = {0: (1, 5, 1)}, {0: (1, 3, 1)}
    twice = network(first, second, outputs="yz", more=more)
    check_fused(twice, {"StridedSliceV2": 2, "Neg": 1})
    check_fused(network(first, second, outputs="ya"), {"StridedSliceV2": 2})


def test_an_empty_slice_stays(check_fused):
    check_fused(network({0: (1, 5, 1)}, {0: (3, 3, 1)}, outputs="y"))
