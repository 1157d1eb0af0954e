"""tvm.compute: bodies over indices become whole-tensor operators with NumPy's results."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

F16, F32, I32 = np.float16, np.float32, np.int32


@pytest.fixture
def x():
    return np.random.default_rng(1).integers(-8, 8, (3, 4)).astype(F32)


def test_elements_of_two_tensors(tbe, x):
    y = x[::-1].copy()
    t = tbe.tvm
    result = tbe.compute(
        lambda a, b: t.compute(a.shape, lambda *i: t.max(a(*i), b(*i)) * 2.0 - a(*i)), x, y
    )
    np.testing.assert_array_equal(result, np.maximum(x, y) * 2 - x)


def test_a_missing_axis_is_a_broadcast(tbe, x):
    result = tbe.compute(lambda a: tbe.tvm.compute((2, 3, 4), lambda i, j, k: a[j, k]), x)
    np.testing.assert_array_equal(result, np.broadcast_to(x, (2, 3, 4)))


def test_swapped_axes_are_a_transpose(tbe, x):
    result = tbe.compute(lambda a: tbe.tvm.compute((4, 3), lambda i, j: a[j, i] + 1), x)
    np.testing.assert_array_equal(result, x.T + 1)


@strategies.few
@given(data=st.data())
def test_offsets_and_strides_are_slices(tbe, data):
    x = np.arange(60, dtype=F32).reshape(5, 12)
    offset, step = data.draw(st.integers(0, 4)), data.draw(st.integers(1, 3))
    count = data.draw(st.integers(1, (12 - offset - 1) // step + 1))
    row = data.draw(st.integers(0, 4))
    result = tbe.compute(
        lambda a: tbe.tvm.compute((count,), lambda i: a[row, i * step + offset]), x
    )
    np.testing.assert_array_equal(result, x[row, offset::step][:count])


@st.composite
def reads(draw):
    """The shapes of a tensor and of a result, and an index of the tensor per dim of it.

    An index is a step along an axis of the result with an offset, a sum of two axes, or constant.
    """
    result = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    dims, indices = [], []
    for _ in range(draw(st.integers(1, 3))):
        terms = [
            (axis, draw(st.integers(-2, 3)))
            for axis in draw(st.lists(st.integers(0, len(result) - 1), max_size=2, unique=True))
        ]
        reach = [step * (result[axis] - 1) for axis, step in terms]
        offset = draw(st.integers(0, 2)) - sum(n for n in reach if n < 0)
        indices.append((terms, offset))
        dims.append(offset + sum(n for n in reach if n > 0) + draw(st.integers(1, 2)))
    return dims, result, indices


@given(case=reads())
def test_any_linear_index_reads_what_it_says(tbe, case):
    dims, result, indices = case
    x = np.arange(np.prod(dims), dtype=F32).reshape(dims)

    def at(axes):
        return [
            sum((axes[axis] * step for axis, step in terms), offset) for terms, offset in indices
        ]

    computed = tbe.compute(lambda a: tbe.tvm.compute(result, lambda *i: a[at(i)] * 2.0), x)
    expected = np.empty(result, F32)
    for place in np.ndindex(*result):
        expected[place] = x[tuple(at(place))] * 2
    np.testing.assert_array_equal(computed, expected)


def test_types_of_expressions(tbe):
    t = tbe.tvm
    placeholder = t.placeholder((t.var("n"), 3), "float32")
    assert isinstance(placeholder, t.tensor.Tensor)
    assert isinstance(placeholder.shape[0], t.expr.Var)
    assert isinstance(placeholder.shape[1], t.tir.IntImm)
    assert placeholder.shape[1].value == 3
    assert isinstance(t.const(1) + 1, t.tir.ConstExpr)


def test_a_reversed_axis_and_a_diagonal(tbe, x):
    reverse = tbe.compute(lambda a: tbe.tvm.compute((3, 4), lambda i, j: a[2 - i, j]), x)
    np.testing.assert_array_equal(reverse, x[::-1])
    diagonal = tbe.compute(lambda a: tbe.tvm.compute((3,), lambda i: a[i, i]), x)
    np.testing.assert_array_equal(diagonal, np.diagonal(x))


def test_divided_indices_repeat_and_regroup(tbe, x):
    t = tbe.tvm
    repeat = tbe.compute(lambda a: t.compute((3, 8), lambda i, j: a[i, t.floordiv(j, 2)]), x)
    np.testing.assert_array_equal(repeat, np.repeat(x, 2, 1))
    flat = tbe.compute(lambda a: t.compute((12,), lambda i: a[i // 4, i % 4]), x)
    np.testing.assert_array_equal(flat, x.ravel())


def test_a_select_guards_reads_outside(tbe, x):
    t = tbe.tvm

    def pad(a):
        inside = lambda i, j: t.all(i >= 1, i < 4, j < 4)  # noqa: E731
        return t.compute((5, 6), lambda i, j: t.select(inside(i, j), a[i - 1, j], t.const(-1.0)))

    result = tbe.compute(pad, x)
    np.testing.assert_array_equal(result, np.pad(x, ((1, 1), (0, 2)), constant_values=-1))


def test_indices_that_a_tensor_holds(tbe, x):
    indices = np.array([2, 0, 1, 1], I32)
    result = tbe.compute(lambda a, i: tbe.tvm.compute((4, 4), lambda r, c: a[i[r], c]), x, indices)
    np.testing.assert_array_equal(result, x[indices])


def test_the_index_is_a_number(tbe):
    x = np.zeros((2, 3), I32)
    result = tbe.compute(lambda a: tbe.tvm.compute((2, 3), lambda i, j: a[i, j] + i * 10 + j), x)
    np.testing.assert_array_equal(result, [[0, 1, 2], [10, 11, 12]])


REDUCTIONS = {"sum": np.sum, "max": np.max, "min": np.min}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduce_axis(tbe, name, x):
    t = tbe.tvm

    def reduce(a):
        k = t.reduce_axis((0, 4), "k")
        return t.compute((3,), lambda i: getattr(t, name)(a[i, k] * 2, axis=k))

    np.testing.assert_array_equal(tbe.compute(reduce, x), REDUCTIONS[name](x * 2, axis=1))


@pytest.mark.parametrize("dtype", [F32, I32])
def test_a_sum_of_products_is_a_matrix_product(tbe, dtype, x):
    a, b = x.astype(dtype), x.T[:, :2].astype(dtype)
    t = tbe.tvm

    def product(p, q):
        k = t.reduce_axis((0, 4), "k")
        return t.compute((3, 2), lambda i, j: t.sum(p[i, k] * q[k, j], axis=[k]))

    np.testing.assert_array_equal(tbe.compute(product, a, b), a @ b)


def test_a_part_that_is_used_often_is_computed_once(tbe, x):
    def body(a):
        def element(*i):
            value = a(*i)
            for _ in range(40):
                value = (value + value) * 0.5
            return value

        return tbe.tvm.compute(a.shape, element)

    np.testing.assert_array_equal(tbe.compute(body, x), x)


def test_functions_casts_and_two_results(tbe, x):
    t = tbe.tvm
    result = tbe.compute(
        lambda a: t.compute(a.shape, lambda *i: t.exp(a(*i) / 4.0).astype("float16")), x
    )
    np.testing.assert_allclose(result, np.exp(x / 4).astype(F16), rtol=2e-3)
    both = tbe.compute(lambda a: t.compute(a.shape, lambda *i: (a(*i) + 1, -a(*i))), x)
    np.testing.assert_array_equal(both[0], x + 1)
    np.testing.assert_array_equal(both[1], -x)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (lambda t, a, i, j: t.thread_axis("x"), "tvm.thread_axis"),
        (lambda t, a, i, j: t.extern((1,), [], None), "tvm.extern"),
        (lambda t, a, i, j: t.tir.ir_builder.create(), "tvm.tir.ir_builder"),
        (lambda t, a, i, j: a[i], "has 2 dims, but 1 indices"),
        (
            lambda t, a, i, j: t.sum(a[i, j], axis=t.reduce_axis((1, 4), "k")),
            "reduce_axis from [1]",
        ),
        (lambda t, a, i, j: t.sum(a[i, j], axis=t.reduce_axis((0, 4), "k")) + 1, "sum(x[i0, i1]"),
        (lambda t, a, i, j: 1 if a[i, j] > 0 else 2, "use tvm.select"),
    ],
)
def test_what_no_operator_expresses_is_refused_by_name(tbe, body, said):
    a = tbe.tvm.placeholder((3, 4), "float32", "x")
    with pytest.raises(RuntimeError) as caught:
        tbe.tvm.compute((3, 4), lambda i, j: body(tbe.tvm, a, i, j))
    assert said in caught.value.args[1]
