"""para_check, shape_util, platform, contexts, registration: what operators ask around a compute."""

import copy
import importlib
import itertools
from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from ge._shim import names, shim
from ge._shim.dsl import cube


@pytest.fixture(scope="module")
def check(tbe):
    return tbe.module("tbe.common.utils.para_check")


@pytest.fixture(scope="module")
def shapes(tbe):
    return tbe.module("tbe.common.utils.shape_util")


ROW = {"shape": (2,), "ori_shape": (2,), "format": "ND", "ori_format": "ND", "dtype": "float16"}


def kind_of(check, name):
    """The kind of that name, or several that a parameter may be of."""
    return getattr(check, name) if isinstance(name, str) else tuple(kind_of(check, n) for n in name)


@pytest.mark.parametrize(
    ("kind", "value", "code"),
    [
        ("REQUIRED_INPUT", None, "E80001"),
        ("REQUIRED_INPUT", [ROW], "E80003"),
        ("REQUIRED_OUTPUT", None, "E80001"),
        ("REQUIRED_INPUT", ROW | {"dtype": "float17"}, "E80008"),
        ("REQUIRED_INPUT", ROW | {"dtype": 3}, "E80003"),
        ("REQUIRED_INPUT", ROW | {"format": "NX"}, "E80015"),
        ("REQUIRED_INPUT", ROW | {"ori_format": "NX"}, "E80014"),
        ("REQUIRED_INPUT", ROW | {"shape": (-1,)}, "E80002"),
        ("REQUIRED_INPUT", ROW | {"shape": (1,) * 9}, "E80012"),
        ("REQUIRED_INPUT", ROW | {"shape": 3}, "TypeError"),
        ("REQUIRED_INPUT", ROW | {"shape": (1.5,)}, "E80003"),
        ("DYNAMIC_INPUT", ROW, "E80003"),
        ("DYNAMIC_INPUT", (), "E80001"),
        ("DYNAMIC_OUTPUT", (ROW, {}), "E80004"),
        ("REQUIRED_ATTR_INT", None, "E80001"),
        ("REQUIRED_ATTR_INT", 1.5, "E80003"),
        ("OPTION_ATTR_FLOAT", "x", "E80003"),
        ("OPTION_ATTR_BOOL", 2, "E80003"),
        ("OPTION_ATTR_STR", 2, "E80003"),
        ("OPTION_ATTR_TYPE", "float17", "E80003"),
        ("REQUIRED_ATTR_LIST_INT", 3, "E80003"),
        ("REQUIRED_ATTR_LIST_INT", [1.5], "E80003"),
        ("OPTION_ATTR_LIST_LIST_INT", [[1], 2], "E80003"),
        (("OPTION_ATTR_INT", "OPTION_ATTR_LIST_INT"), [1.5], "E80003"),
        ("KERNEL_NAME", "1st", "E80020"),
        ("KERNEL_NAME", "k" * 201, "E80002"),
        ("KERNEL_NAME", 5, "E80003"),
    ],
)
def test_a_wrong_parameter_is_refused_with_its_code(check, kind, value, code):
    @check.check_op_params(kind_of(check, kind))
    def operator(parameter):
        raise AssertionError("called")

    if code == "TypeError":
        with pytest.raises(TypeError):
            operator(value)
        return
    value = copy.deepcopy(value)
    for call in (lambda: operator(value), lambda: operator(parameter=value)):
        with pytest.raises(RuntimeError) as caught:
            call()
        entries, text = caught.value.args
        assert entries["errCode"] == code
        assert entries["op_name"] == "operator"
        assert "[parameter]" in text


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("OPTION_INPUT", None),
        ("OPTION_OUTPUT", None),
        ("REQUIRED_INPUT", ROW),
        ("DYNAMIC_INPUT", (ROW, ROW)),
        ("OPTION_ATTR_LIST_INT", (1, 2)),
        (("OPTION_ATTR_INT", "OPTION_ATTR_LIST_INT"), (1, 2)),
        (("OPTION_ATTR_INT", "OPTION_ATTR_LIST_INT"), 1),
        ("OPTION_ATTR_LIST_LIST_INT", ((1,), (2, 3))),
        ("OPTION_ATTR_FLOAT", 1.5),
        ("OPTION_ATTR_FLOAT", None),
        ("KERNEL_NAME", "_k1"),
    ],
)
def test_a_right_parameter_passes(check, kind, value):
    operator = check.check_op_params(kind_of(check, kind))(lambda parameter: parameter)
    given_value = copy.deepcopy(value)
    assert operator(given_value) is given_value


def test_the_name_of_the_parameter_is_added(check):
    @check.check_op_params(check.REQUIRED_INPUT)
    def operator(x):
        return x["param_name"]

    assert operator(dict(ROW)) == "x"


def test_unknown_sizes_need_a_range(tbe, check):
    operator = check.check_op_params(check.REQUIRED_INPUT)(lambda x: x["range"])
    row = ROW | {"shape": (-1,), "ori_shape": (-1,)}
    with tbe.module("tbe.common.context").OpContext("dynamic"):
        for given_range, code in (
            (None, "E80004"),
            ([(1, 2), (1, 2)], "E80021"),
            ([(3, 2)], "E80022"),
            ([(1,)], "E80023"),
        ):
            wrong = row if given_range is None else row | {"range": given_range}
            with pytest.raises(RuntimeError) as caught:
                operator(dict(wrong))
            assert caught.value.args[0]["errCode"] == code
        assert operator(row | {"range": [(1, None)]}) == [(1, None)]
        assert operator(row | {"shape": (-2,), "ori_shape": (-2,)}) == [(0, None)]


def test_error_functions_fill_in_their_entries(tbe):
    errors = tbe.module("tbe.common.utils.errormgr.error_manager_vector")
    for name in (one for one in vars(errors) if one.startswith("raise_err_")):
        function = getattr(errors, name)
        for count in itertools.count(1):
            try:
                function(*(f"v{i}" for i in range(count)))
            except TypeError:
                continue
            except RuntimeError as error:
                entries, text = error.args
                assert len(entries) == count + 1
                assert all(f"v{i}" in text for i in range(count))
                break


@given(pair=strategies.broadcastable(max_rank=5, max_dim=4))
def test_broadcast_shapes(shapes, pair):
    first, second, full = shapes.broadcast_shapes(*pair)
    expected = np.broadcast_shapes(*pair)
    assert tuple(full) == expected
    assert len(first) == len(second) == len(expected)
    if 0 in expected:
        return
    a, b = shapes.refine_shapes_for_broadcast(*pair)
    x, y = (np.arange(np.prod(shape, dtype=int)).reshape(shape) for shape in pair)
    np.testing.assert_array_equal((x.reshape(a) + y.reshape(b)).ravel(), (x + y).ravel())


@given(data=st.data())
def test_shapes_with_axes_stay_the_same_reduction(shapes, data):
    shape = data.draw(strategies.shapes(min_rank=2, max_rank=5, min_dim=1))
    axes = sorted(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    x = np.random.default_rng(0).integers(0, 9, shape)
    expected = x.sum(tuple(axes)).ravel()
    for function in (shapes.refine_shape_axes, shapes.simplify_axis_shape, shapes.shape_refine):
        dims, left = function(list(shape), list(axes))
        np.testing.assert_array_equal(x.reshape(dims).sum(tuple(left)).ravel(), expected)


def test_small_functions_of_shapes(shapes):
    assert shapes.axis_check(4, -1) == 3
    assert shapes.axis_check(4, [-1, 0, 3]) == [0, 3]
    assert shapes.wrap_axes_to_positive((-2,), 3) == [1]
    assert shapes.squeeze_shape((1, 3, 1)) == [3]
    assert shapes.shape_refine((1, 1)) == [1]
    assert shapes.scalar2tensor_one(()) == [1]
    assert shapes.get_shape_size((2, 3)) == 6
    with pytest.raises(RuntimeError, match=r"axis \[4\]"):
        shapes.axis_check(4, 4)
    with pytest.raises(RuntimeError, match="differ"):
        shapes.compare_tensor_dict_key({"dtype": "a"}, {"dtype": "b"}, "dtype")


def test_the_soc_answers(tbe):
    with shim("Ascend910B3"):
        platform = importlib.import_module("tbe.common.platform")
        assert platform.get_soc_spec("SHORT_SOC_VERSION") == "Ascend910B"
        assert platform.get_soc_spec("FULL_SOC_VERSION") == "Ascend910B3"
        assert platform.get_soc_spec("UB_SIZE") == 196608
        assert platform.get_soc_spec("cube_vector_combine") == "split"
        assert platform.api_check_support("tbe.dsl.cast_to", "f322bf16")
        with pytest.raises(RuntimeError, match=r"key \[COLOUR\]"):
            platform.get_soc_spec("COLOUR")
    with shim("Ascend310"):
        platform = importlib.import_module("te.platform")
        assert platform.get_soc_spec("CORE_NUM") == 2
        assert not platform.api_check_support("te.lang.cce.vexp", "float32")
        assert platform.api_check_support("te.lang.cce.vexp", "float16")
        assert not platform.api_check_support("tik.vcopy")
        assert platform.intrinsic_check_support("Intrinsic_vadd", "int32")
        platform.set_current_compile_soc_info("Ascend310P3", aicore_num=3)
        assert platform.get_soc_spec("CORE_NUM") == 3
    # The fixture's, again.
    assert tbe.module("tbe.common.platform").get_soc_spec("FULL_SOC_VERSION") == "Ascend310P3"


def test_log_calls_reach_the_logger(tbe, caplog):
    log = tbe.module("tbe.common.utils.log")
    with caplog.at_level("INFO", "tbe"):
        log.info("tiling %d", 3)
        log.warn("slow")
    assert caplog.messages == ["tiling 3", "slow"]


def test_contexts_nest_and_belong_to_their_thread(tbe):
    context = tbe.module("tbe.common.context")
    operation = tbe.module("tbe.dsl.base.operation")
    assert context.get_context() is None
    with context.OpContext("static") as outer:
        info = context.OpInfo("add_1", "Add")
        outer.add_op_info(info)
        assert context.get_context().get_op_info("add_1") is info
        assert outer.get_addition("op_impl_mode_dict").get("Add") is None
        with context.OpContext("dynamic"):
            assert operation.in_dynamic()
            operation.add_compile_info("key", 1)
            assert operation.get_compile_info() == {"key": 1}
            variable = operation.var("n", (1, 8))
            assert operation.get_te_var("n").get_tvm_var() is variable
            with tbe.dsl.compute() as current:
                assert operation.get_context().get_current_compute() is current
        assert operation.get_op_mode() == "static"
        assert operation.get_compile_info() == {}
    assert context.get_context() is None


def test_bfloat16_of_a_registered_compute_is_computed_in_float32(tbe):
    register = tbe.module("tbe.common.register")
    seen = []

    @register.register_op_compute("Own", op_mode="dynamic", support_bfp16=True)
    def own_compute(x):
        seen.append(x.dtype)
        return tbe.dsl.vadds(x, 1.0)

    result = own_compute(tbe.tvm.placeholder((2,), "bfloat16", "x"))
    assert (seen, result.dtype) == (["float32"], "bfloat16")
    assert register.get_op_compute("Own").get_func() is own_compute


@pytest.mark.parametrize("mode", ["transdata", "pooling", "", "conv2d"])
def test_modes_of_classify_that_are_not_built_are_named(tbe, mode):
    with pytest.raises(RuntimeError, match=rf"classify in the mode \[{mode}\]"):
        tbe.dsl.classify([dict(ROW)], mode)


def test_every_spelling_is_the_same_function(tbe):
    adapter = tbe.module("impl.util.platform_adapter")
    for module in ("tbe.dsl", "tbe.dsl.api", "te.lang.cce", "te.lang.dynamic"):
        assert tbe.module(module).vadd is adapter.tbe.vadd
    for module in ("topi.generic", "tbe.tvm.topi.generic", "te.lang.cce"):
        assert tbe.module(module).auto_schedule is tbe.dsl.auto_schedule
    assert tbe.module("te.lang.cce").sum is tbe.dsl.reduce_sum
    assert names.MODULES["te.tvm"] is names.MODULES["tbe.tvm"]


def test_every_compute_function_is_tested_or_refused():
    sources = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    sources += "unsorted_segment_sum unsorted_segment_max unsorted_segment_min"
    sources += " unsorted_segment_mean unsorted_segment_prod inplace_add inplace_sub inplace_update"
    functions = set(names._COMPUTE) - set(cube.REFUSED)
    assert [name for name in sorted(functions) if name not in sources] == []
    assert len(functions) > 70
