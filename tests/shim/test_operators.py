"""Whole operators, in the shapes that people write them in: called as the compiler calls them."""

import importlib.util
import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from ge._shim import register

OWN = Path(__file__).parent / "operators"
EXAMPLES = Path(__file__).parents[2] / "examples/custom_opp/op_impl/ai_core/tbe/custom_opp_impl"
F16, F32 = np.float16, np.float32


def load(path):
    spec = importlib.util.spec_from_file_location(f"operators_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def describe(shape, dtype="float16", **more):
    """A descriptor as the compiler hands it over."""
    sizes = [(1, None) if dim == -1 else (dim, dim) for dim in shape]
    return {
        "shape": tuple(shape),
        "ori_shape": tuple(shape),
        "format": "ND",
        "ori_format": "ND",
        "dtype": dtype,
        "range": tuple(sizes),
    } | more


@pytest.fixture
def dynamic(tbe):
    context = tbe.module("tbe.common.context")
    with context.OpContext("dynamic") as op_context:
        yield op_context


def test_the_oldest_spelling(tbe):
    load(OWN / "old_names.py").old_names((2, 3), "float16", kernel_name="old_names")
    x = np.arange(6, dtype=F16).reshape(2, 3)
    np.testing.assert_array_equal(tbe.run_kernel(x, x, name="old_names")[0], x + x)


@strategies.few
@given(data=st.data())
def test_a_broadcast_with_checks(tbe, data):
    shapes = data.draw(
        strategies.broadcastable(max_rank=3, max_dim=3).filter(
            lambda pair: 0 not in pair[0] + pair[1]
        )
    )
    a, b = (data.draw(strategies.arrays(np.int32, shape)) for shape in shapes)
    module = load(OWN / "broadcast_static.py")
    rows = [describe(shape, "int32") for shape in shapes]
    full = np.broadcast_shapes(*shapes)
    module.broadcast_static(*rows, describe(full, "int32"), kernel_name="mul")
    (result,) = tbe.run_kernel(a, b, name="mul")
    np.testing.assert_array_equal(result.reshape(full), a * b)


@pytest.mark.parametrize(
    ("first", "second", "code", "said"),
    [
        (describe((2,), "int8"), describe((2,)), "E80008", "should be one of float16"),
        (describe((2,), "float32"), describe((2,)), "E80018", "[float32] and [float16]"),
        (describe((2,)), describe((3,)), "E80013", "do not broadcast"),
        (describe((2,)), None, "E80001", "parameter [x2]: it is mandatory"),
        (describe((2,)), {"shape": (2,)}, "E80004", "no entry [format]"),
    ],
)
def test_faults_of_callers_are_dicts_with_codes(tbe, first, second, code, said):
    module = load(OWN / "broadcast_static.py")
    with pytest.raises(RuntimeError) as caught:
        module.broadcast_static(first, second, describe((2,)), kernel_name="mul")
    entries, text = caught.value.args
    assert entries["errCode"] == code
    assert all(isinstance(value, str) for value in entries.values())
    assert said in text


@pytest.mark.parametrize("dtype", [F16, F32])
def test_example_with_an_attribute(tbe, dtype):
    module = load(EXAMPLES / "add_scaled.py")
    row = describe((2, 3), np.dtype(dtype).name)
    module.add_scaled(row, dict(row), dict(row), 0.5, "add_scaled")
    x, y = np.arange(6, dtype=dtype).reshape(2, 3), np.full((2, 3), 3, dtype)
    (result,) = tbe.run_kernel(x, y, name="add_scaled")
    np.testing.assert_array_equal(result.reshape(2, 3), x + dtype(0.5) * y)
    assert register.get_op_compute("add_scaled", "static") is not None


def test_example_with_two_outputs(tbe):
    module = load(EXAMPLES / "sum_and_max.py")
    row, out = describe((2, 3, 4)), describe((2,))
    module.sum_and_max(row, out, dict(out), (1, -1), False, "sum_and_max")
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(F16)
    total, greatest = tbe.run_kernel(x, name="sum_and_max")
    np.testing.assert_allclose(total, x.astype("f8").sum((1, 2)).astype(F16), rtol=2e-3)
    np.testing.assert_array_equal(greatest, x.max((1, 2)))


@strategies.few
@given(data=st.data())
def test_example_for_unknown_sizes(tbe, data):
    shapes = data.draw(
        strategies.broadcastable(3, max_rank=3, max_dim=3).filter(
            lambda rows: 0 not in sum(rows, ())
        )
    )
    arrays = [data.draw(strategies.arrays(F32, shape, -4, 4)) for shape in shapes]
    hidden = [[-1 if data.draw(st.booleans()) else dim for dim in shape] for shape in shapes]
    module = load(EXAMPLES / "dynamic" / "blend.py")
    with tbe.module("tbe.common.context").OpContext("dynamic"):
        rows = [describe(shape, "float32") for shape in hidden]
        module.blend(*rows, describe((-1,) * 3, "float32"), "blend")
    (result,) = tbe.run_kernel(*arrays, name="blend")
    x1, x2, weight = arrays
    expected = x2 + weight * (x1 - x2)
    np.testing.assert_allclose(result.reshape(expected.shape), expected, rtol=1e-6, atol=1e-6)
    assert register.get_operator("Blend").get_func() is module.blend


@pytest.mark.parametrize("sizes", [(1, 1), (3, 4), (7, 1)])
def test_one_kernel_for_all_sizes(tbe, dynamic, sizes):
    module = load(OWN / "dynamic_cases.py")
    unknown = describe((-1, -1), "float32")
    x = np.random.default_rng(2).standard_normal(sizes).astype(F32)
    module.softsquare(dict(unknown), dict(unknown), "softsquare")
    np.testing.assert_allclose(
        tbe.run_kernel(x, name="softsquare")[0], x * x / (x * x + 1), rtol=1e-6
    )
    module.row_mean(dict(unknown), dict(unknown), (-1,), True, "row_mean")
    np.testing.assert_allclose(
        tbe.run_kernel(x, name="row_mean")[0], x.mean(-1, keepdims=True), rtol=1e-5, atol=1e-6
    )
    module.row_softmax(dict(unknown), dict(unknown), -1, "row_softmax")
    power = np.exp(x - x.max(-1, keepdims=True))
    np.testing.assert_allclose(
        tbe.run_kernel(x, name="row_softmax")[0], power / power.sum(-1, keepdims=True), rtol=1e-5
    )
    description = json.loads((tbe.folder / "kernel_meta/row_mean.json").read_text())
    assert description["compileInfo"] == {"keep_dims": True}


@pytest.mark.parametrize("shapes", [((3, 4), (4,)), ((3, 1), (4,)), ((1, 4), (4,))])
def test_shapes_that_broadcast_are_not_taken_for_equal(tbe, dynamic, shapes):
    rows = [describe((-1, -1), "float32"), describe((-1,), "float32")]
    load(OWN / "dynamic_cases.py").quotient(*rows, None)
    x, y = (np.arange(1, np.prod(one) + 1, dtype=F32).reshape(one) for one in shapes)
    np.testing.assert_allclose(tbe.run_kernel(x, y, name="quotient")[0], x / y)


def test_axes_that_are_a_constant_input(tbe, dynamic):
    row, axes = describe((-1, 4), "float32"), describe((1,), "int32", const_value=(-1,))
    load(OWN / "dynamic_cases.py").greatest_of(row, axes, describe((-1,), "float32"))
    x = np.arange(12, dtype=F32).reshape(3, 4)
    (result,) = tbe.run_kernel(x, np.array([-1], np.int32), name="greatest_of")
    np.testing.assert_array_equal(result, x.max(-1))
    with pytest.raises(RuntimeError, match="axes of a reduction that is only known"):
        load(OWN / "dynamic_cases.py").greatest_of(row, describe((1,), "int32"), None)


@pytest.mark.parametrize(("axis", "batch"), [(0, 0), (1, 0), (2, 0), (-1, 0), (1, 1), (2, 1)])
def test_gather_after_classify(tbe, dynamic, axis, batch):
    x = np.arange(24, dtype=F32).reshape(2, 3, 4)
    indices = np.array([[1, 0], [1, 1]], np.int32)
    rows = [describe((2, 3, 4), "float32"), describe((2, 2), "int32")]
    load(OWN / "dynamic_cases.py").pick(*rows, None, axis, batch)
    expected = x.take(indices, axis)
    if batch == 1:
        expected = np.stack([one.take(i, axis - 1) for one, i in zip(x, indices, strict=True)])
    (result,) = tbe.run_kernel(x, indices, name="pick")
    np.testing.assert_array_equal(result.ravel(), expected.ravel())


def test_gather_of_an_unknown_number_of_rows(tbe, dynamic):
    rows = [describe((-1, 4), "float32"), describe((-1,), "int32")]
    load(OWN / "dynamic_cases.py").pick(*rows, None, 0, 0)
    x, indices = np.arange(12, dtype=F32).reshape(3, 4), np.array([2, 0, 1, 1, 2], np.int32)
    (result,) = tbe.run_kernel(x, indices, name="pick")
    np.testing.assert_array_equal(result.reshape(5, 4), x[indices])


def test_slice_segment_and_sums_after_classify(tbe, dynamic):
    module = load(OWN / "dynamic_cases.py")
    x = np.arange(12, dtype=F32).reshape(3, 4)
    row = describe((3, 4), "float32")
    starts, sizes = np.array([1, 0], np.int32), np.array([-1, 2], np.int32)
    parts = [describe((2,), "int32", const_value=tuple(n)) for n in (starts, sizes)]
    module.cut(dict(row), *parts, None)
    (result,) = tbe.run_kernel(x, starts, sizes, name="cut")
    np.testing.assert_array_equal(result, x[1:, :2])

    ids, count = np.array([2, 0, 2], np.int32), np.array([4], np.int32)
    rows = [describe((3,), "int32"), describe((1,), "int32", const_value=(4,))]
    module.group_max(describe((-1, 4), "float32"), *rows, None)
    (result,) = tbe.run_kernel(x, ids, count, name="group_max")
    np.testing.assert_array_equal(result, [x[1], [-1] * 4, x[2], [-1] * 4])

    module.sums(describe((-1, -1), "float32"), None, None, (0,))
    total, squares = tbe.run_kernel(x, name="sums")
    np.testing.assert_array_equal(total, x.sum(0, keepdims=True))
    np.testing.assert_array_equal(squares, (x * x).sum(0, keepdims=True))


def test_unknown_rank_of_an_elementwise_operator_is_one_long_row(tbe, dynamic):
    row = describe((-2,), "float32", range=((0, None),))
    load(OWN / "dynamic_cases.py").softsquare(row, dict(row), "softsquare")
    x = np.arange(24, dtype=F32).reshape(2, 3, 4)
    (result,) = tbe.run_kernel(x, name="softsquare")
    np.testing.assert_allclose(result, (x * x / (x * x + 1)).ravel())


def test_a_scalar_that_only_tiling_knows_is_refused(tbe, dynamic):
    with pytest.raises(RuntimeError, match=r"run-time scalar \[factor\]"):
        load(OWN / "dynamic_cases.py").needs_tiling(describe((2,), "float32"), None)


def test_operator_information_in_the_file(tbe):
    module = load(OWN / "in_file_information.py")
    module.square(describe((3,)), describe((3,)), kernel_name="square")
    x = np.array([1, -2, 3], F16)
    np.testing.assert_array_equal(tbe.run_kernel(x, name="square")[0], x * x)
    assert module.square.op_info["inputs"] == [{"index": 0, "name": "x"}]
    assert module.square.op_info["dtype_format"][1] == (("F16", "5HD"), ("F16", "5HD"))


@pytest.mark.parametrize("dtype", [F16, F32])
def test_a_long_chain(tbe, dtype):
    row = describe((101,), np.dtype(dtype).name)
    load(OWN / "long_chain.py").long_chain(row, dict(row), kernel_name="chain")
    x = np.linspace(-5, 5, 101).astype(dtype)
    expected = [math.erf(float(one)) for one in x]
    limit = 1e-3 if dtype is F16 else 1e-6
    np.testing.assert_allclose(tbe.run_kernel(x, name="chain")[0], expected, atol=limit)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("tik_program", "[tik.Dprofile]"),
        ("own_instructions", "[tvm.ir_builder]"),
        ("own_schedule", "[tvm.create_schedule]"),
        ("vector_intrinsic", "[tbe.dsl.instrinsic.cce_util.get_const]"),
    ],
)
def test_programs_for_the_device_are_refused_by_name(tbe, function, said):
    module = load(OWN / "by_hand.py")
    with pytest.raises(RuntimeError) as caught:
        getattr(module, function)(describe((2,)), describe((2,)))
    assert said in caught.value.args[1]
    assert "tbe.dsl functions" in caught.value.args[1]


def test_files_of_a_kernel_depend_on_nothing_but_the_operator(tbe):
    module = load(EXAMPLES / "add_scaled.py")
    pairs = []
    for _ in range(2):
        module.add_scaled(*(describe((4,)) for _ in range(3)), 2.0, "twice")
        folder = tbe.folder / "kernel_meta"
        pairs.append([(folder / f"twice{suffix}").read_bytes() for suffix in (".o", ".json")])
    assert pairs[0] == pairs[1]
    assert json.loads(pairs[0][1])["binFileName"] == "twice"


def test_a_prebuild_writes_nothing(tbe):
    with tbe.module("tbe.common.context").OpContext("static") as op_context:
        op_context.add_addition("op_prebuild", True)
        module = load(EXAMPLES / "add_scaled.py")
        module.add_scaled(*(describe((4,)) for _ in range(3)), 2.0, "dry")
    assert not (tbe.folder / "kernel_meta/dry.o").exists()


def test_threads_build_what_one_builds(tbe):
    context = tbe.module("tbe.common.context")
    module = load(EXAMPLES / "dynamic" / "blend.py")

    def build(number):
        with context.OpContext("dynamic"):
            rows = [describe((-1, number % 3 + 1), "float32") for _ in range(4)]
            module.blend(*rows, f"blend_{number}")
        return tbe.kernel(f"blend_{number}").replace(f"blend_{number}".encode(), b"")

    alone = [build(number) for number in range(6)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(build, list(range(6)) * 4))
    assert together == alone * 4
