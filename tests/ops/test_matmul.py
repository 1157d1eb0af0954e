"""MatMul, Gemm, Einsum and the integer products."""

import numpy as np
import pytest
import strategies as gen
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.oracle import Call, check_refused, check_shapes, folded, import_call

EXAMPLES = settings(max_examples=20)  # every example is a session of onnxruntime

F32 = np.float32


@st.composite
def products(draw, dtype=np.float32):
    m, k, n = draw(st.tuples(*[st.integers(1, 4)] * 3))
    left, right = draw(gen.broadcastable(max_rank=2, max_dim=3))
    a = draw(st.sampled_from([(k,), (m, k), (*left, m, k)]))
    b = draw(st.sampled_from([(k,), (k, n), (*right, k, n)]))
    return Call(
        "MatMul", [np.ones(a, dtype), np.ones(b, dtype)], {}, draw(st.sampled_from([7, 13]))
    )


@EXAMPLES
@given(call=products(), data=st.data())
def test_product_of_any_ranks(call, data):
    check_shapes(call, hidden=data.draw(gen.hidden_dims(call.inputs)))


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int32, np.int64, np.uint32])
def test_product_keeps_the_dtype(dtype):
    check_shapes(Call("MatMul", [np.ones((2, 3), dtype), np.ones((3, 2), dtype)]))


@EXAMPLES
@given(data=st.data())
def test_gemm(data):
    m, k, n = data.draw(st.tuples(*[st.integers(1, 4)] * 3))
    trans_a, trans_b = data.draw(st.tuples(st.booleans(), st.booleans()))
    inputs = [
        np.ones((k, m) if trans_a else (m, k), F32),
        np.ones((n, k) if trans_b else (k, n), F32),
    ]
    c_shape = data.draw(st.sampled_from([None, (), (1,), (n,), (1, n), (m, 1), (m, n)]))
    if c_shape is not None:
        inputs.append(np.ones(c_shape, F32))
    attrs = {"transA": int(trans_a), "transB": int(trans_b)}
    attrs |= data.draw(st.sampled_from([{}, {"alpha": 0.5}, {"beta": 2.0, "alpha": 3.0}]))
    call = Call("Gemm", inputs, attrs, 13)
    hidden = data.draw(gen.hidden_dims(inputs[:2]))
    imported = check_shapes(call, constant=(2,), hidden=hidden)
    types = [node["type"] for node in imported["nodes"]]
    assert ("Mul" in types) == ("alpha" in attrs)
    assert ("Add" in types) == (c_shape is not None)


def test_unknown_dims_of_a_bias_may_turn_out_to_be_1():
    inputs = [np.ones((2, 3), F32), np.ones((3, 1), F32), np.ones((1, 1), F32)]
    imported = import_call(Call("Gemm", inputs), hidden={2: (0, 1)})
    assert imported["outputs"][0]["shape"][0] == 2


def test_beta_of_0_drops_the_bias():
    inputs = [np.ones((2, 2), F32)] * 3
    imported = import_call(Call("Gemm", inputs, {"beta": 0.0}))
    assert "Add" not in [node["type"] for node in imported["nodes"]]


EQUATIONS = [
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
    ("ij,jk", [(2, 3), (3, 4)]),
    ("ba", [(2, 3)]),
    ("ii->i", [(3, 3)]),
    ("ii", [(3, 3)]),
    ("i,j->ij", [(2,), (3,)]),
    ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 5)]),
    ("...ij,...jk", [(2, 5, 3, 4), (2, 5, 4, 6)]),
    ("b...c->c...b", [(2, 3, 4, 5)]),
    ("bhwc,hkc->bhwk", [(1, 2, 3, 4), (2, 5, 4)]),
    (" i j , j k -> k i ", [(2, 3), (3, 4)]),
    ("ij,j->i", [(2, 3), (1,)]),
    ("aB,Bc->cB", [(2, 3), (3, 4)]),
    ("ij->", [(2, 3)]),
    ("i,i,i->i", [(3,), (3,), (3,)]),
]


@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS)
@EXAMPLES
@given(data=st.data())
def test_einsum(equation, shapes, data):
    call = Call("Einsum", [np.ones(shape, F32) for shape in shapes], {"equation": equation})
    hidden = data.draw(gen.hidden_dims(call.inputs))
    check_shapes(call, hidden=hidden)


@pytest.mark.parametrize("dtype", [F32, np.float64, np.float16, np.int32, np.int64], ids=str)
@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        *EQUATIONS,
        ("...ij,...jk", [(2, 1, 3, 4), (2, 5, 4, 6)]),
        ("ij,jk,kl,li->i", [(2, 3), (3, 4), (4, 5), (5, 2)]),
        ("iij,jkk->jk", [(3, 3, 2), (2, 4, 4)]),
        ("i...,...->...i", [(3, 2), (4, 1)]),
        ("ij,kl->", [(2, 3), (4, 0)]),
        ("bij,bkj->bik", [(2, 7, 300), (2, 9, 300)]),
    ],
)
def test_einsum_values(equation, shapes, dtype):
    rng = np.random.default_rng(0)
    inputs = [rng.integers(-9, 9, shape).astype(dtype) for shape in shapes]
    wide = np.float64 if np.dtype(dtype).kind == "f" else np.int64
    expected = np.einsum(equation, *[x.astype(wide) for x in inputs]).astype(dtype)
    (got,) = folded(Call("Einsum", inputs, {"equation": equation}))
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, expected)


def test_ellipsis_broadcasts():
    check_shapes(einsum("...ij,...jk", (2, 1, 3, 4), (2, 5, 4, 6)))


def einsum(equation, *shapes):
    return Call("Einsum", [np.ones(shape, F32) for shape in shapes], {"equation": equation})


def product(op_type, *shapes, **attrs):
    return Call(op_type, [np.ones(shape, F32) for shape in shapes], attrs)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (product("MatMul", (2, 3), (4, 5)), ["[2,3]", "[4,5]", "3 and 4"]),
        (product("MatMul", (2, 3, 4), (3, 4, 5)), ["[2]", "[3]"]),
        (product("MatMul", (), (3,)), ["scalar"]),
        (product("Gemm", (2, 3), (2, 3)), ["[2,3]", "3 and 2"]),
        (product("Gemm", (2, 3, 1), (3, 3)), ["[2,3,1]", "2 dims"]),
        (product("Gemm", (1, 3), (3, 4), (2, 4)), ["[2,4]", "[1,4]"]),
        (einsum("ij,jk->ik", (2, 3), (4, 5)), ["axis j", "3 and 4"]),
        (einsum("ij->ik", (2, 3)), ["axis k"]),
        (einsum("ij->ii", (2, 3)), ["axis i", "twice"]),
        (einsum("ii->i", (2, 3)), ["axis i", "[2,3]"]),
        (einsum("ij,j->i", (2, 3)), ["2 terms", "1 inputs"]),
        (einsum("i1->i", (2, 3)), ['"1"']),
        (einsum("ijk->i", (2, 3)), ["[2,3]", "3 axes"]),
        (einsum("...i->i", (2, 3)), ['"..."']),
        (einsum("i......j", (2, 3)), ['"."']),
        (einsum("", (2, 3)), ["[2,3]"]),
    ],
)
def test_wrong_products_are_refused(call, words):
    check_refused(call, *words)


@pytest.mark.parametrize("shapes", [((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((3,), (3,))])
def test_integer_product(shapes):
    a, b = np.ones(shapes[0], np.uint8), np.ones(shapes[1], np.int8)
    zero = [np.array(2, np.uint8), np.array(1, np.int8)]
    check_shapes(Call("MatMulInteger", [a, b, *zero]), constant=(2, 3))


def test_quantized_product():
    scale, zero = np.array(0.5, F32), np.array(1, np.uint8)
    a, b = np.ones((2, 3), np.uint8), np.ones((3, 4), np.uint8)
    call = Call("QLinearMatMul", [a, scale, zero, b, scale, zero, scale, zero])
    check_shapes(call, constant=(1, 2, 3, 4, 5, 6, 7))
