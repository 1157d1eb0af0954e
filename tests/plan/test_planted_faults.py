"""Faults planted into the plan of an OM file change its results: the other tests would see them."""

import itertools
import struct

import numpy as np
import pytest
from compile.conftest import compile_command, save
from om.om_files import read_om, rewritten
from onnx import helper
from plan.test_written_plan import ARENA, KERNEL, Walk

import ge.om
from ge.errors import ModelFileError

X = np.random.default_rng(9).standard_normal((4, 64)).astype(np.float32)


@pytest.fixture
def without_reuse(run, atc, tmp_path):
    """OM of y = (-x + exp x) * relu(-x), z = sqrt(exp x), with a place for every value."""
    nodes = [
        helper.make_node("Neg", ["x"], ["n"], name="n"),
        helper.make_node("Exp", ["x"], ["a"], name="a"),
        helper.make_node("Add", ["n", "a"], ["s"], name="s"),
        helper.make_node("Relu", ["n"], ["r"], name="r"),
        helper.make_node("Mul", ["s", "r"], ["y"], name="y"),
        helper.make_node("Sqrt", ["a"], ["z"], name="z"),
    ]
    source = save(tmp_path / "net.onnx", nodes, {"x": X.shape}, {"y": X.shape, "z": X.shape})
    flags = ["--disable_reuse_memory=1"]
    done = run(*compile_command(atc, source, tmp_path / "net", *flags))
    assert done.status == 0, done.stdout
    return tmp_path / "net.om"


def results(path, **options):
    with ge.om.load(path) as model:
        buffers, _ = model._run([("x", X)], None, profile=False, **options)
        return [np.asarray(buffer).tobytes() for buffer in buffers]


def differs(path, right, **options):
    """Whether a file is refused, because an operator overwrites what it reads, or gives others."""
    try:
        return results(path, **options) != right
    except ModelFileError:
        return True


def moved(path, offset, target):
    """The file with everything that lies at ``offset`` of the arena at ``target``."""

    def change(model, tasks):
        for op in model.graph[0].op:
            for offsets, constants in ((op.output_i, []), (op.input_i, op.is_input_const)):
                flags = itertools.chain(constants, itertools.repeat(False))
                for i, (old, constant) in enumerate(zip(list(offsets), flags, strict=False)):
                    if old == offset and not constant:
                        offsets[i] = target
        tasks.memory_size += 512
        for task in tasks.task:
            if task.type == KERNEL:
                count = len(task.kernel.args) // 8
                args = struct.unpack(f"<{count}Q", task.kernel.args)
                args = [ARENA + target if arg == ARENA + offset else arg for arg in args]
                task.kernel.args = struct.pack(f"<{count}Q", *args)

    return rewritten(path, change)


def test_overlapping_values_are_noticed_and_only_they(without_reuse):
    walk = Walk(read_om(without_reuse).model_def().graph[0], {"n", "a", "s", "r", "y", "z"})
    right = results(without_reuse)
    assert results(without_reuse, poison=True) == right
    noticed, allowed = set(), set()
    for one, other in itertools.permutations(walk.born, 2):
        overlap = [walk.last_use[a] - walk.born[b] for a, b in ((one, other), (other, one))]
        together = min(overlap) > 0
        if min(overlap) == 0:
            continue  # the operator that reads one and writes the other may work in place
        for shift in (0, 512) if together else (0,):  # the same place, and half of it
            target = walk.offsets[other][0] + shift
            path = moved(without_reuse, walk.offsets[one][0], target)
            assert differs(path, right) == together, (one, other, shift)
            assert differs(path, right, poison=True) == together, (one, other, shift)
        (noticed if together else allowed).add(frozenset((one, other)))
    assert len(noticed) > 5 and len(allowed) > 3


def test_a_value_that_nobody_wrote_is_noticed(without_reuse):
    right = results(without_reuse)

    def skip(index):
        return rewritten(without_reuse, lambda model, tasks: tasks.task.pop(index))

    for index in range(6):
        with ge.om.load(skip(index)) as model:
            for _ in range(2):  # the second run finds what the first one left
                buffers, _ = model._run([("x", X)], None, profile=False, poison=True)
                assert [np.asarray(buffer).tobytes() for buffer in buffers] != right
