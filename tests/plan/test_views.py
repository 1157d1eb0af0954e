"""Parts of a tensor that follow each other in memory are no copies."""

import numpy as np
import pytest
from compile.conftest import compile_command, save
from onnx import helper
from plan.test_written_plan import read

import ge.om

X = np.random.default_rng(3).standard_normal((1, 8, 4, 6)).astype(np.float32)


def ints(*values):
    return np.array(values, np.int64)


@pytest.fixture
def compiled(run, atc, tmp_path):
    """Call with nodes, outputs and constants; returns the path of the OM and its graph."""

    def call(nodes, outputs, constants, *flags, x=X.shape, opset=18):
        source = save(tmp_path / "net.onnx", nodes, {"x": x}, outputs, constants, opset=opset)
        done = run(*compile_command(atc, source, tmp_path / "net"), *flags)
        assert done.status == 0, done.stdout
        model, _, names = read(tmp_path / "net.om")
        return tmp_path / "net.om", {op.name: op for op in model.graph[0].op}, names

    return call


def results(path, x=X):
    with ge.om.load(path) as model:
        runs = [model._run([("x", x)], None, profile=False, poison=poison)[0] for poison in (0, 1)]
        plain, poisoned = ([np.asarray(b).copy() for b in buffers] for buffers in runs)
    assert [a.tobytes() for a in plain] == [b.tobytes() for b in poisoned]
    return plain


SLICES = {
    "front": ([0], [4], [1], [1], X[:, :4]),
    "back": ([-3], [99], [1], [1], X[:, -3:]),
    "one_row": ([5, 0], [6, 1], [1, 2], [1, 1], X[:, 5:6, :1]),
    "rows_of_one_channel": ([2, 0], [3, 2], [1, 2], [1, 1], X[:, 2:3, :2]),
}
COPIES = {
    "columns": ([1], [4], [3], [1], X[..., 1:4]),
    "rows_of_all": ([1], [3], [2], [1], X[:, :, 1:3]),
    "every_other": ([0], [8], [1], [2], X[:, ::2]),
    "backwards": ([7], [-9], [1], [-1], X[:, ::-1]),
    "not_at_32_bytes": ([5, 2], [6, 3], [1, 2], [1, 1], X[:, 5:6, 2:3]),
}


@pytest.mark.parametrize("case", [*SLICES, *COPIES])
def test_a_slice_that_is_one_run_is_a_view(compiled, case):
    begin, end, axes, strides, expected = (SLICES | COPIES)[case]
    lists = {"b": begin, "e": end, "a": axes, "s": strides}
    nodes = [
        helper.make_node("Exp", ["x"], ["t"], name="before"),
        helper.make_node("Slice", ["t", *lists], ["part"], name="part"),
        helper.make_node("Neg", ["part"], ["y"], name="after"),
    ]
    constants = {name: ints(*values) for name, values in lists.items()}
    path, ops, names = compiled(nodes, {"y": expected.shape}, constants)
    assert ("part" not in names) == (case in SLICES)
    if case in SLICES:
        first = np.flatnonzero(expected.flat[0] == X)[0]
        assert ops["part"].output_i[0] == ops["before"].output_i[0] + 4 * first
        assert ops["after"].input_i[0] == ops["part"].output_i[0]
    np.testing.assert_allclose(results(path)[0], -np.exp(expected), rtol=1e-6)


def test_parts_of_a_split_are_views_when_all_begin_at_a_multiple_of_32_bytes(compiled):
    nodes = [
        helper.make_node("Exp", ["x"], ["t"], name="before"),
        helper.make_node("Split", ["t", "sizes"], ["a", "b"], name="split", axis=1),
        helper.make_node("Sqrt", ["a"], ["y"], name="root"),
        helper.make_node("Neg", ["b"], ["z"], name="neg"),
    ]
    for sizes, x, is_view in (((3, 5), X, True), ((3, 5), X[..., :3, :3].copy(), False)):
        parts = np.split(np.exp(x), [sizes[0]], axis=1)
        path, ops, names = compiled(
            nodes,
            {"y": parts[0].shape, "z": parts[1].shape},
            {"sizes": ints(*sizes)},
            x=x.shape,
        )
        assert ("split" not in names) == is_view
        if is_view:
            start = ops["before"].output_i[0]
            assert list(ops["split"].output_i) == [start, start + parts[0].nbytes]
        y, z = results(path, x)
        np.testing.assert_allclose(y, np.sqrt(parts[0]), rtol=1e-6)
        np.testing.assert_allclose(z, -parts[1], rtol=1e-6)


def test_an_index_and_a_transpose_of_axes_of_one_are_views(compiled):
    nodes = [
        helper.make_node("Exp", ["x"], ["t"], name="before"),
        helper.make_node("Transpose", ["t"], ["turned"], name="turned", perm=[1, 0, 2, 3]),
        helper.make_node("Gather", ["turned", "index"], ["row"], name="row", axis=0),
        helper.make_node("Neg", ["row"], ["y"], name="after"),
    ]
    path, _, names = compiled(nodes, {"y": [1, 4, 6]}, {"index": np.array(-2, np.int64)})
    assert names == ["before", "after", "NetOutput"]
    np.testing.assert_allclose(results(path)[0], -np.exp(X[:, 6]), rtol=1e-6)


def test_a_tensor_is_not_overwritten_by_an_operator_that_also_reads_a_part_of_it(compiled):
    nodes = [
        helper.make_node("Exp", ["x"], ["t"], name="t"),
        helper.make_node("Slice", ["t", "b", "e", "one"], ["part"], name="part"),
        helper.make_node("Sub", ["t", "part"], ["y"], name="y"),
        # Needs more memory than y and t, so that no copy of the part makes the arena smaller.
        helper.make_node("Concat", ["y", "y"], ["z"], name="z", axis=0),
    ]
    constants = {"b": ints(3), "e": ints(4), "one": ints(1)}
    path, ops, names = compiled(nodes, {"z": [2, *X.shape[1:]]}, constants)
    assert "part" not in names
    assert ops["y"].output_i[0] != ops["t"].output_i[0]
    t = np.exp(X)
    y = t - t[:, 3:4]
    np.testing.assert_allclose(results(path)[0], np.concatenate([y, y]), rtol=1e-5, atol=1e-6)


def test_a_small_part_does_not_keep_a_large_tensor(compiled):
    nodes = [
        helper.make_node("Exp", ["x"], ["t"], name="t"),
        helper.make_node("Slice", ["t", "b", "e"], ["part"], name="part"),
        helper.make_node("MatMul", ["t", "m"], ["u"], name="u"),
        helper.make_node("MatMul", ["u", "m"], ["v"], name="v"),
        helper.make_node("MatMul", ["v", "m"], ["w"], name="w"),
        helper.make_node("Add", ["w", "part"], ["y"], name="y"),
    ]
    side = 32
    x = np.random.default_rng(1).standard_normal((16, side, side)).astype(np.float32)
    m = np.eye(side, dtype=np.float32)
    constants = {"b": ints(3), "e": ints(4), "m": m}
    path, _, names = compiled(nodes, {"y": x.shape}, constants, x=x.shape)
    assert "part" in names
    with ge.om.load(path) as model:
        assert model.memory.arena_bytes == 2 * x.nbytes + 4 * side * side
    np.testing.assert_allclose(results(path, x)[0], np.exp(x) + np.exp(x[3:4]), rtol=1e-5)


def test_a_result_that_is_part_of_another_state_of_a_loop_is_read_before_it_is_overwritten(
    compiled,
):
    # state a' = b[:2], b' = b + 1: a must be the part of the b of the iteration before.
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Slice", ["b", "begin", "end"], ["part"]),
            helper.make_node("Add", ["b", "one"], ["next"]),
            helper.make_node("Identity", ["go"], ["still"]),
        ],
        "body",
        [info("i", 7, []), info("go", 9, []), info("a", 1, [2, 8]), info("b", 1, [4, 8])],
        [info("still", 9, []), info("part", 1, [2, 8]), info("next", 1, [4, 8])],
    )
    nodes = [
        helper.make_node("Slice", ["x", "begin", "end"], ["first"]),
        helper.make_node("Loop", ["count", "", "first", "x"], ["y", "z"], body=body),
    ]
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    constants = {
        "begin": ints(2),
        "end": ints(4),
        "count": np.array(3, np.int64),
        "one": np.float32(1),
    }
    path, _, _ = compiled(nodes, {"y": [2, 8], "z": [4, 8]}, constants, x=x.shape)
    y, z = results(path, x)
    np.testing.assert_array_equal(y, x[2:] + 2)
    np.testing.assert_array_equal(z, x + 3)
