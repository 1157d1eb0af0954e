"""Convolutions and matrix products of int8 and uint8, against float32 where that is exact."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, import_call, run
from ops.test_conv import node_of

from ge import _testing

EXAMPLES = settings(max_examples=60, deadline=None)
BYTES = st.sampled_from([np.dtype(np.int8), np.dtype(np.uint8)])
F32 = np.float32


def numbers(rng, dtype, shape):
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype, endpoint=True)


def row(array, *more):
    return (array.dtype.name, array.shape, array.tobytes(), *more)


def result(op_type, rows, attrs, threads=1):
    ((dtype, shape, data),), _ = _testing.run_node(op_type, rows, attrs, threads=threads)
    assert dtype == "int32"
    return np.frombuffer(data, np.int32).reshape(shape)


@st.composite
def zero_points(draw, rng, dtype, lines):
    """None, one number, or one per line."""
    shape = draw(st.sampled_from([None, (), (lines,)]))
    return None if shape is None else numbers(rng, dtype, shape)


def centred(array, zero, axes_behind):
    """`array` less `zero`, a list of which goes along the axis in front of `axes_behind` others."""
    wide = array.astype(F32)
    if zero is None:
        return wide
    return wide - zero.astype(F32).reshape(-1, *[1] * axes_behind)


@EXAMPLES
@given(data=st.data())
def test_convolution(data):
    draw = data.draw
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    spatial = draw(st.sampled_from([2, 2, 3]))
    groups, channels, outputs = draw(st.tuples(*[st.integers(1, 3)] * 2, st.integers(1, 9)))
    kernel = draw(st.tuples(*[st.integers(1, 3)] * spatial))
    size = draw(st.tuples(*[st.integers(5, 24 if spatial == 2 else 7)] * spatial))
    x = numbers(rng, draw(BYTES), (draw(st.integers(1, 2)), groups * channels, *size))
    filter_ = numbers(rng, draw(BYTES), (groups * outputs, channels, *kernel))
    filter_zero = draw(zero_points(rng, filter_.dtype, groups * outputs))
    x_zero = numbers(rng, x.dtype, ())
    bias = draw(st.sampled_from([None, rng.integers(-(2**20), 2**20, groups * outputs, np.int32)]))
    walk = {
        "strides": draw(st.lists(st.integers(1, 2), min_size=spatial, max_size=spatial)),
        "dilations": draw(st.lists(st.integers(1, 2), min_size=spatial, max_size=spatial)),
        "pads": draw(st.lists(st.integers(0, 2), min_size=2 * spatial, max_size=2 * spatial)),
    }
    inputs = [centred(x, x_zero, 0), centred(filter_, filter_zero, spatial + 1)]
    (expected,) = run(Call("Conv", inputs, {**walk, "group": groups}))
    if bias is not None:
        expected = expected + bias.astype(np.int64).reshape(-1, *[1] * spatial)

    attrs = {
        "strides": [1, 1, *walk["strides"]],
        "dilations": [1, 1, *walk["dilations"]],
        "pads": [end for pair in np.reshape(walk["pads"], (2, -1)).T.tolist() for end in pair],
        "groups": groups,
        "data_format": "NCHW" if spatial == 2 else "NCDHW",
    }
    more = [("const",) if draw(st.booleans()) else ()] * 2
    rows = [
        row(x),
        row(filter_, *more[0]),
        None if bias is None else row(bias),
        None if filter_zero is None else row(filter_zero, *more[1]),
    ]
    if draw(st.booleans()):
        attrs["offset_x"] = int(x_zero)
    else:
        rows.append(row(x_zero))
    got = result("Conv2D" if spatial == 2 else "Conv3D", rows, attrs, draw(st.sampled_from([1, 3])))
    np.testing.assert_array_equal(got, expected.astype(np.int32))


@EXAMPLES
@given(data=st.data())
def test_matrix_product(data):
    draw = data.draw
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    m, n, k = draw(st.tuples(*[st.integers(1, 40)] * 3))
    batch_a, batch_b = draw(gen.broadcastable(2, max_rank=2, max_dim=3))
    t1, t2 = draw(st.booleans()), draw(st.booleans())
    a = numbers(rng, draw(BYTES), (*batch_a, m, k))
    b = numbers(rng, draw(BYTES), (*batch_b, k, n))
    b_zero = draw(zero_points(rng, b.dtype, n))
    a_zero = numbers(rng, a.dtype, ())
    bias = draw(st.sampled_from([None, rng.integers(-(2**20), 2**20, n, np.int32)]))
    expected = np.matmul(centred(a, a_zero, 0), centred(b, b_zero, 0)).astype(np.int64)
    expected = expected + (0 if bias is None else bias)

    rows = [
        row(np.ascontiguousarray(np.swapaxes(a, -1, -2)) if t1 else a),
        row(
            np.ascontiguousarray(np.swapaxes(b, -1, -2)) if t2 else b,
            *(["const"] if draw(st.booleans()) else []),
        ),
        None if bias is None else row(bias),
        None if b_zero is None else row(b_zero),
        row(a_zero),
    ]
    attrs = {"adj_x1": t1, "adj_x2": t2}
    got = result("BatchMatMulV2", rows, attrs, draw(st.sampled_from([1, 3])))
    np.testing.assert_array_equal(got, expected.astype(np.int32))


def test_sums_beyond_32_bits_wrap():
    a, b = np.full((1, 40000), 255, np.uint8), np.full((40000, 1), 255, np.uint8)
    got = result("MatMulV2", [row(a), row(b)], {"transpose_x1": False, "transpose_x2": False})
    assert got[0, 0] == np.array(40000 * 255 * 255, np.int64).astype(np.int32)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([None, row(np.zeros(3, np.int8))], ["input 1", "[3]", "[4]"]),
        ([None, row(np.zeros(4, np.uint8))], ["input 1", "uint8", "int8"]),
        ([None, None, row(np.zeros(2, np.uint8))], ["input 0", "[2]", "one element"]),
    ],
)
def test_zero_points_that_do_not_fit_are_refused(more, words):
    rows = [row(np.zeros((2, 3), np.uint8)), row(np.zeros((3, 4), np.int8)), *more]
    with pytest.raises(_testing.CompileError) as refused:
        _testing.run_node("BatchMatMulV2", rows, {"adj_x1": False, "adj_x2": False})
    assert all(word in str(refused.value) for word in words)


def test_zero_points_of_floats_are_refused():
    rows = [row(np.zeros((2, 3), F32)), row(np.zeros((3, 4), F32)), None, row(np.zeros(1, F32))]
    with pytest.raises(_testing.CompileError, match="int8 and uint8"):
        _testing.run_node("BatchMatMulV2", rows, {"adj_x1": False, "adj_x2": False})


@pytest.mark.parametrize("constant", [False, True])
def test_integer_products_are_one_node(constant):
    x, w = np.zeros((1, 2, 5, 5), np.uint8), np.zeros((3, 2, 3, 3), np.uint8)
    conv = Call("ConvInteger", [x, w, np.uint8(3), np.uint8(7)])
    matmul = Call("MatMulInteger", [x[0], w[0, 0, :1].repeat(5, 0), np.uint8(3), np.uint8(7)])
    for call, op_type in (conv, "Conv2D"), (matmul, "BatchMatMulV2"):
        imported = import_call(call, constant=range(1, 4) if constant else ())
        node = node_of(imported, op_type)
        assert node["attrs"].get("offset_x", 0) == (3 if constant else 0)
        assert {n["type"] for n in imported["nodes"]} <= {"Data", "Const", "NetOutput", op_type}


def test_rows_with_their_own_zero_points_are_centred_before():
    a, b = np.zeros((2, 3), np.uint8), np.zeros((3, 4), np.uint8)
    call = Call("MatMulInteger", [a, b, np.array([1, 2], np.uint8), np.uint8(7)])
    assert "Sub" in {n["type"] for n in import_call(call)["nodes"]}
