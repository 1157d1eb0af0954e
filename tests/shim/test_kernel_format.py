"""The reader of kernel files: what docs/kernel-format.md says, and nothing damaged."""

import copy
import json
import random

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from ge import _testing

KERNEL = {
    "format": "pyatc-kernel",
    "version": 1,
    "name": "kernel",
    "inputs": [{"dtype": "float32", "shape": [2, -1]}, {"dtype": "float32", "shape": [1]}],
    "constants": [
        {"dtype": "float32", "shape": [], "hex": "0000003f"},
        {"dtype": "int64", "shape": [1], "hex": "0100000000000000"},
    ],
    "nodes": [
        {
            "type": "Mul",
            "inputs": [0, 2],
            "outputs": [{"dtype": "float32", "shape": [2, -1]}],
            "attrs": {},
        },
        {
            "type": "Add",
            "inputs": [4, 1],
            "outputs": [{"dtype": "float32", "shape": [2, -1]}],
            "attrs": {},
        },
        {
            "type": "ReduceSum",
            "inputs": [5, 3],
            "outputs": [{"dtype": "float32", "shape": [2]}],
            "attrs": {"keep_dims": {"bool": False}},
        },
        {
            "type": "Cast",
            "inputs": [5],
            "outputs": [{"dtype": "float16", "shape": [2, -1]}],
            "attrs": {"dst_type": {"int": 1}},
        },
    ],
    "outputs": [6, 7],
}
X = np.arange(6, dtype=np.float32).reshape(2, 3)
Y = np.array([1], np.float32)


def run(kernel, *arrays):
    given_arrays = [(x.shape, x.tobytes()) for x in arrays]
    text = kernel if isinstance(kernel, bytes) else json.dumps(kernel).encode()
    return _testing.run_kernel(text, given_arrays)


def changed(path, value):
    kernel = copy.deepcopy(KERNEL)
    place = kernel
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return kernel


def test_the_example_of_the_format():
    total, half = run(KERNEL, X, Y)
    np.testing.assert_array_equal(np.frombuffer(total[2], np.float32), (X / 2 + 1).sum(1))
    np.testing.assert_array_equal(np.frombuffer(half[2], np.float16).reshape(2, 3), X / 2 + 1)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["format"], "other", "not a kernel that the built-in engine recorded"),
        (["version"], 2, "its version is [2]; this program reads 1"),
        (["name"], 5, "it has no name"),
        (["inputs"], None, "no list of inputs"),
        (["inputs", 0, "dtype"], "float33", "input 0 has no data type"),
        (["inputs", 0, "dtype"], "string", "input 0 has no data type"),
        (["inputs", 0, "shape"], [-2], "input 0 has the dim -2"),
        (["inputs", 0, "shape"], [1.5], "input 0 has no shape"),
        (["constants", 0, "hex"], "00", "constant 0 has not the bytes of its shape"),
        (["constants", 0, "hex"], "0000003G", "constant 0 has not the bytes"),
        (["constants", 0, "shape"], [-1], "constant 0 has not the bytes"),
        (["nodes", 0, "type"], "NoSuch", "node 0 (NoSuch) is no operator"),
        (["nodes", 0, "type"], "If", "node 0 (If) is no operator"),
        (["nodes", 0, "inputs"], [0, 4], "node 0 (Mul) reads [4], which is no tensor before it"),
        (["nodes", 0, "inputs"], [0], "node 0 (Mul)"),
        (["nodes", 0, "inputs"], [0, -1], "node 0 (Mul): Node [Mul_0]"),
        (["nodes", 0, "outputs"], [], "node 0 (Mul) has no outputs"),
        (
            ["nodes", 0, "outputs", 0, "dtype"],
            "float16",
            "recorded as float16[2,-1], but is float32",
        ),
        (["nodes", 2, "attrs", "keep_dims"], {"int": 1}, "attribute [keep_dims]"),
        (["nodes", 2, "attrs", "other"], {"int": 1}, "attribute [other]"),
        (["nodes", 2, "attrs"], None, "node 2 (ReduceSum) has no attributes"),
        (["outputs"], [9], "output 0 reads [9]"),
        (["outputs"], [], "it has no outputs"),
    ],
)
def test_a_damaged_kernel_is_refused(path, value, said):
    with pytest.raises(_testing.CompileError) as caught:
        run(changed(path, value), X, Y)
    (problem,) = caught.value.problems
    assert problem["code"] == "E10041"
    assert said in problem["message"]


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff\xfe", b"null", b'{"format": 1}'])
def test_what_is_no_kernel_is_refused(text):
    with pytest.raises(_testing.CompileError, match="E10041"):
        run(text, X, Y)


def places(value, path=()):
    """All paths into a document."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for key, item in enumerate(value):
            yield from places(item, (*path, key))


DTYPES = ["float16", "float32", "int32", "int64", "bool", "uint8", "double"]
TYPES = ["Add", "Sub", "Less", "ReduceMax", "Cast", "Reshape", "ConcatD", "Transpose", "GatherV2"]
TYPES += ["Conv2D", "TopKV2", "Tile", "StridedSliceV2", "SelectV2", "ScatterElements", "Expand"]
LISTS = [[], [0], [1], [2, 3], [-1, -1], [3, -1], [1, 2, 3], [0, 2], [7], [2**40, 2**40]]
ODD = [None, -(2**63), 2**62, 1.5, "", {}, {"a": 1}, [[]]]


def alike(value):
    """Values that may well stand in the place of this one."""
    if isinstance(value, bool):
        return [True, False]
    if isinstance(value, int):
        return [-1, 0, 1, 2, 3, 4, 5, 6]
    if isinstance(value, str):
        return DTYPES if value in DTYPES else [*TYPES, "00000040", "0300000000000000"]
    return LISTS if isinstance(value, list) else ODD


@st.composite
def mutated(draw):
    """The kernel with one to three values changed, mostly into others of their kind."""
    kernel = copy.deepcopy(KERNEL)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([path for path in places(kernel) if path]))
        place = kernel
        for key in path[:-1]:
            place = place[key]
        values = alike(place[path[-1]])
        value = draw(st.one_of(st.sampled_from(values), st.sampled_from(values + ODD)))
        place[path[-1]] = copy.deepcopy(value)
    return kernel


@given(kernel=mutated())
def test_a_mutated_kernel_never_crashes(kernel):
    try:
        run(kernel, X, Y)
    except _testing.CompileError as error:
        assert error.problems


@strategies.few
@given(seed=st.integers(0, 2**32), count=st.integers(1, 8))
def test_a_kernel_with_other_bytes_never_crashes(seed, count):
    text = bytearray(json.dumps(KERNEL).encode())
    choose = random.Random(seed)
    for _ in range(count):
        text[choose.randrange(len(text))] = choose.randrange(256)
    try:
        run(bytes(text), X, Y)
    except _testing.CompileError as error:
        assert error.problems


RELU = {
    "format": "pyatc-kernel",
    "version": 1,
    "name": "relu",
    "constants": [],
    "nodes": [{"type": "Relu", "inputs": [0], "attrs": {}}],
    "outputs": [1],
}


@pytest.mark.parametrize(
    ("recorded", "given_shape", "seen"),
    [
        ([24], (2, 3, 4), (24,)),
        ([2, 3, 4], (24,), (2, 3, 4)),
        ([-1], (2, 3, 4), (24,)),
        ([6, -1], (2, 3, 4), (6, 4)),
        ([-1, -1, -1], (3, 4), (1, 3, 4)),
        ([-1, -1], (3, 4), (3, 4)),
        ([-1, 4], (3, 4), (3, 4)),
        ([], (1,), ()),
        ([-1, -1], (2, 3, 4), None),
        ([5], (2, 3), None),
        ([-1, 5], (2, 3), None),
        ([-1, 3, -1], (4, 2), None),
    ],
)
def test_a_tensor_of_another_shape_is_seen_in_that_of_the_kernel(recorded, given_shape, seen):
    port = {"dtype": "float32", "shape": recorded}
    kernel = copy.deepcopy(RELU) | {"inputs": [port]}
    kernel["nodes"][0]["outputs"] = [port]
    x = np.arange(np.prod(given_shape), dtype=np.float32).reshape(given_shape)
    if seen is None:
        with pytest.raises(_testing.CompileError, match=r"but gets \["):
            run(kernel, x)
        return
    ((_, shape, raw),) = run(kernel, x)
    assert shape == seen
    np.testing.assert_array_equal(np.frombuffer(raw, np.float32), x.ravel())
