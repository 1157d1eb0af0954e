"""InferShapes: every output gets the dtype and shape of its operator's rule."""

import pytest
from passes.graphs import F32_23, const, data, op, run

from ge import _testing


def test_unknown_outputs_become_known_and_stay():
    nodes = [
        data("x"),
        const("shape", [3, 2]),
        op("y", "Reshape", "x", "shape"),
        op("z", "Relu", "y"),
    ]
    graph = run(["InferShapes", "InferShapes"], nodes, ["z"])
    assert graph["changed"] == [True, False]
    assert graph["outputs"][0] | {"name": "", "value": None} == {
        "name": "",
        "dtype": "float32",
        "shape": [3, 2],
        "value": None,
    }


def test_a_graph_with_all_shapes_is_left_alone():
    graph = run("InferShapes", [data("x"), op("y", "Relu", "x", outputs=[F32_23])], ["y"])
    assert graph["changed"] == [False]


def test_all_faults_are_reported_but_none_that_follows_from_another():
    nodes = [data("x"), const("bad", [4]), const("worse", [5])]
    nodes += [op("a", "Reshape", "x", "bad"), op("b", "Reshape", "x", "worse")]
    nodes += [op("c", "Reshape", "a", "bad"), op("y", "ConcatD", "b", "c", concat_dim=0, N=2)]
    with pytest.raises(_testing.CompileError) as caught:
        run("InferShapes", nodes, ["y"])
    assert [problem["code"] for problem in caught.value.problems] == ["E14001", "E14001"]
    assert ["[a]" in p["message"] or "[b]" in p["message"] for p in caught.value.problems]
