"""Networks with operators in Python: compiled, stored, run, compared with NumPy."""

import hashlib
import sys

import numpy as np
import onnx
import pytest
from hooks.networks import F32, add_model
from hooks.vendor import ADD, ADD_INFO, PLAIN_ADD, Vendor, add_vendor, port
from onnx import helper as h

import ge
from ge import errors, hooks
from ge.om import load


@pytest.fixture
def use(monkeypatch):
    """Put a vendor on the path."""

    def put(*vendors):
        paths = ":".join(str(vendor.path) for vendor in vendors)
        monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", paths)

    yield put
    hooks.clear()


def compile_and_run(model, x, y, **flags):
    flags = {"precision_mode_v2": "origin", **flags}
    with ge.compile(model, soc_version="Ascend310P3", **flags) as result:
        return next(iter(result.model.run({"x": x, "y": y}).values()))


def arrays(shape=(2, 3), dtype=np.float32):
    generator = np.random.default_rng(1)
    return [generator.standard_normal(shape).astype(dtype) for _ in range(2)]


def test_type_of_a_store_runs_as_its_python_says(tmp_path, use):
    use(add_vendor(tmp_path / "acme"))
    x, y = arrays()
    found = compile_and_run(add_model(alpha=2.0), x, y)
    np.testing.assert_array_equal(found, -(np.maximum(x, 0) + y * np.float32(2)))


def test_vendors_of_the_installation_count_where_no_other_folder_is_named(tmp_path, monkeypatch):
    add_vendor(tmp_path / "cann" / "opp" / "vendors" / "acme")
    (tmp_path / "cann" / "opp" / "vendors" / "config.ini").write_text("load_priority=acme\n")
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path / "cann"))
    x, y = arrays()
    np.testing.assert_array_equal(compile_and_run(add_model(), x, y), -(np.maximum(x, 0) + y))
    monkeypatch.setenv("ASCEND_OPP_PATH", str(tmp_path))
    with pytest.raises(errors.UnsupportedError):
        ge.compile(add_model(), soc_version="Ascend310P3")


def test_attribute_that_is_left_out_has_the_default_of_the_library(tmp_path, use):
    use(add_vendor(tmp_path / "acme"))
    x, y = arrays()
    np.testing.assert_array_equal(compile_and_run(add_model(), x, y), -(np.maximum(x, 0) + y))


def test_operator_with_decorators_of_the_toolkit(tmp_path, use):
    use(add_vendor(tmp_path / "acme", ADD))
    x, y = arrays()
    np.testing.assert_array_equal(compile_and_run(add_model(), x, y), -(np.maximum(x, 0) + y))


def test_other_precision_puts_casts_around_the_operator(tmp_path, use):
    use(
        add_vendor(
            tmp_path / "acme",
            input0=port("x", "float16"),
            input1=port("y", "float16"),
            output0=port("z", "float16"),
        )
    )
    x, y = arrays()
    expected = -(np.maximum(x, 0).astype(np.float16) + y.astype(np.float16))
    found = compile_and_run(add_model(), x, y, precision_mode_v2="fp16")
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, expected.astype(np.float32))


def test_dtype_that_no_combination_has_is_refused_with_those_there_are(tmp_path, use):
    use(
        add_vendor(
            tmp_path / "acme",
            input0=port("x", "float16"),
            input1=port("y", "float16"),
            output0=port("z", "float16"),
        )
    )
    with pytest.raises(
        errors.CompileError, match=r"(?s)E40021.*add0.*float32.*float16 ND"
    ) as raised:
        compile_and_run(add_model(), *arrays())
    assert raised.value.problems[0].code == "E40021"


def test_decorated_onnx_type_becomes_the_operator_it_names(tmp_path, use):
    vendor = add_vendor(tmp_path / "acme").write_parser("""
from ge import hooks

@hooks.onnx_operator("ScaledAdd", domain="my.company", operator="AddDsl")
def scaled(node):
    assert node.inputs[0].dtype == "float32" and node.inputs[0].shape == (2, 3)
    return {"alpha": node.attrs["scale"] / 2}
""")
    use(vendor)
    x, y = arrays()
    model = add_model(domain="my.company", op_type="ScaledAdd", scale=6.0)
    found = compile_and_run(model, x, y)
    np.testing.assert_array_equal(found, -(np.maximum(x, 0) + y * np.float32(3)))


def test_program_registers_an_operator_of_its_own_without_a_store(use):
    @hooks.onnx_operator("MyAbs", domain="my", operator="Abs")
    def my_abs(node):
        return None

    model = h.make_model(
        h.make_graph(
            [h.make_node("MyAbs", ["x"], ["z"], domain="my")],
            "g",
            [h.make_tensor_value_info("x", F32, (3,))],
            [h.make_tensor_value_info("z", F32, (3,))],
        ),
        opset_imports=[h.make_opsetid("", 17), h.make_opsetid("my", 1)],
    )
    x = np.array([-1, 0, 2], np.float32)
    with ge.compile(model, soc_version="Ascend310P3", precision_mode_v2="origin") as result:
        np.testing.assert_array_equal(result.model.run({"x": x})["z"], abs(x))


def test_equal_nodes_share_one_kernel_and_bytes_are_the_same_each_time(tmp_path, use):
    use(add_vendor(tmp_path / "acme"))
    model = add_model(nodes=3)
    digests = set()
    for i in range(2):
        path = tmp_path / str(i) / "m.om"
        ge.compile(model, path, soc_version="Ascend310P3").close()
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1
    with load(path) as opened:
        names = {
            n.attrs["_kernelname"] for g in opened.graphs for n in g.nodes if n.type == "AddDsl"
        }
    (name,) = names
    assert name.startswith("te_add_dsl_") and name.endswith("_1__kernel0")
    content = path.read_bytes()
    assert content.count(bytes.fromhex("FD6E775D")) == 1  # one record


def test_unknown_sizes_run_with_any_size(tmp_path, use):
    vendor = add_vendor(tmp_path / "acme")
    (vendor.implementation / "dynamic").mkdir()
    vendor.write_file(
        "dynamic/add_dsl.py",
        """
from tbe import dsl, tvm
from tbe.common.utils import shape_util


def add_dsl(x, y, z, alpha=1.0, kernel_name="add_dsl"):
    schedules, tensors = [], []
    for case in dsl.classify([x, y], "elewise"):
        with dsl.compute():
            shape_x, shape_y = shape_util.variable_shape(list(case))
            a = tvm.placeholder(shape_x, x["dtype"], "a")
            b = tvm.placeholder(shape_y, y["dtype"], "b")
            result = dsl.vadd(a, dsl.vmuls(b, tvm.const(alpha, y["dtype"])))
            tensors.append([a, b, result])
        with tvm.target.cce():
            schedules.append(dsl.auto_schedule(result))
    dsl.build(schedules, {"name": kernel_name, "tensor_list": tensors})
""",
    )
    use(vendor)
    model = add_model(shape=("n", 3))
    with ge.compile(
        model,
        soc_version="Ascend310P3",
        precision_mode_v2="origin",
        input_shape={"x": (None, 3), "y": (None, 3)},
    ) as result:
        for rows in (1, 4):
            x, y = arrays((rows, 3))
            found = next(iter(result.model.run({"x": x, "y": y}).values()))
            np.testing.assert_array_equal(found, -(np.maximum(x, 0) + y))


def test_interpreter_inside_of_the_operator_is_the_one_that_was_started(tmp_path, use, capfd):
    vendor = add_vendor(tmp_path / "acme")
    text = (vendor.implementation / "add_dsl.py").read_text()
    vendor.write_file("add_dsl.py", f"import sys\nprint('inside', sys.executable)\n{text}")
    use(vendor)
    ge.compile(add_model(), soc_version="Ascend310P3").close()
    assert f"inside {sys.executable}\n" in capfd.readouterr().out


def test_nothing_stays_imported_and_no_path_is_left(tmp_path, use):
    use(add_vendor(tmp_path / "acme"))
    before, paths = set(sys.modules), list(sys.path)
    ge.compile(add_model(), soc_version="Ascend310P3").close()
    left = {name for name in set(sys.modules) - before if not name.startswith("ge.")}
    assert not {
        name for name in left if name.partition(".")[0] in ("tbe", "te", "impl", "acme_impl")
    }
    assert sys.path == paths


COMPILE_IN_THREADS = """
import concurrent.futures, hashlib, sys
import ge

def digest(alpha):
    with ge.compile(f"{alpha}.onnx", soc_version="Ascend310P3") as result:
        return hashlib.sha256(result.om_path.read_bytes()).hexdigest()

with concurrent.futures.ThreadPoolExecutor(4) as pool:
    found = list(pool.map(digest, [0, 1, 2] * 4))
assert found == [digest(alpha) for alpha in (0, 1, 2)] * 4
assert not [name for name in sys.modules if name.startswith(("acme_impl", "tbe"))]
"""


def test_compiles_of_many_threads_from_the_first_on(tmp_path, use, run_python, monkeypatch):
    use(add_vendor(tmp_path / "acme"))
    for alpha in range(3):
        onnx.save(add_model(alpha=float(alpha)), tmp_path / f"{alpha}.onnx")
    monkeypatch.chdir(tmp_path)
    done = run_python(COMPILE_IN_THREADS)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ("import no_such_thing\n", "E40020", "No module named 'no_such_thing'"),
        ("def other(): pass\n", "E40021", "no function [add_dsl]"),
        ("def add_dsl(*args, **kw):\n    raise ValueError('bad bits')\n", "E40021", "bad bits"),
        ("def add_dsl(*args, **kw):\n    pass\n", "E40021", "build was not called"),
        ("import sys\nsys.exit(3)\n", "E40024", "must not end the program"),
        ("def add_dsl(x, y, z, alpha, kernel_name):\n    (\n", "E40021", "SyntaxError"),
        (
            "def add_dsl(*a, **kw):\n    raise RuntimeError({'errCode': 'E80008', 'op_name': 'a'},"
            " 'dtype is wrong')\n",
            "E80008",
            "dtype is wrong",
        ),
    ],
)
def test_fault_of_the_users_file_names_it(tmp_path, use, text, code, shown):
    vendor = add_vendor(tmp_path / "acme", text)
    use(vendor)
    with pytest.raises(errors.CompileError) as raised:
        ge.compile(add_model(), soc_version="Ascend310P3")
    assert raised.value.code == code
    assert shown in raised.value.text
    if code.startswith("E400"):
        first = raised.value.text.split("\n")[0]
        assert str(vendor.implementation / "add_dsl.py") in first
        assert code == "E40020" or "[add0]" in first


def test_interrupt_inside_of_an_operator_interrupts_the_compile(tmp_path, use):
    use(add_vendor(tmp_path / "acme", "def add_dsl(*a, **k):\n    raise KeyboardInterrupt\n"))
    with pytest.raises(KeyboardInterrupt):
        ge.compile(add_model(), soc_version="Ascend310P3")


def test_type_that_is_in_no_store_is_still_unknown(tmp_path, use):
    use(add_vendor(tmp_path / "acme"))
    with pytest.raises(errors.UnsupportedError, match="E10501"):
        ge.compile(add_model(op_type="SubDsl"), soc_version="Ascend310P3")


def test_check_supported_may_refuse(tmp_path, use):
    text = "def check_supported(*a):\n    return False, 'odd sizes'\n" + PLAIN_ADD
    use(add_vendor(tmp_path / "acme", text, needCheckSupport={"flag": "true"}))
    with pytest.raises(errors.CompileError, match=r"(?s)E40021.*odd sizes"):
        ge.compile(add_model(), soc_version="Ascend310P3")


def test_op_select_format_chooses_instead_of_the_library(tmp_path, use):
    text = (
        "import json\n"
        "def op_select_format(*a):\n"
        "    row = {'dtype': 'float', 'format': 'ND'}\n"
        "    return json.dumps({'input0': {'name': 'x', **row}, 'input1': {'name': 'y', **row},"
        " 'output0': {'name': 'z', **row}})\n"
    ) + PLAIN_ADD
    ports = {"input0": "x", "input1": "y", "output0": "z"}
    info = {key: {"name": name, "paramType": "required"} for key, name in ports.items()}
    use(add_vendor(tmp_path / "acme", text, dynamicFormat={"flag": "true"}, **info))
    x, y = arrays()
    np.testing.assert_array_equal(compile_and_run(add_model(), x, y), -(np.maximum(x, 0) + y))


def test_kernels_are_kept_where_a_debug_level_asks_for_them(tmp_path, use):
    use(add_vendor(tmp_path / "acme"))
    ge.compile(
        add_model(), soc_version="Ascend310P3", op_debug_level=3, debug_dir=str(tmp_path / "kept")
    ).close()
    names = sorted(path.suffix for path in (tmp_path / "kept" / "kernel_meta").iterdir())
    assert names == [".json", ".o"]
    (kernel,) = (tmp_path / "kept" / "kernel_meta").glob("*.o")
    ge.compile(add_model(), tmp_path / "m.om", soc_version="Ascend310P3").close()
    assert kernel.read_bytes() in (tmp_path / "m.om").read_bytes()


@pytest.mark.parametrize("variable", ["ASCEND_OP_COMPILE_SAVE_KERNEL_META", "NPU_COLLECT_PATH"])
def test_variables_keep_kernels_too(tmp_path, use, monkeypatch, variable):
    use(add_vendor(tmp_path / "acme"))
    monkeypatch.setenv("ASCEND_WORK_PATH", str(tmp_path / "work"))
    ge.compile(add_model(), soc_version="Ascend310P3").close()
    assert not (tmp_path / "work").exists()
    monkeypatch.setenv(variable, "1")
    ge.compile(add_model(), soc_version="Ascend310P3").close()
    assert len(list((tmp_path / "work" / "kernel_meta").iterdir())) == 2


@pytest.fixture
def modes_seen(tmp_path, use, capfd):
    """Call as ``modes_seen(**flags)``: the impl_mode of AddDsl add0 and add1, in order."""
    vendor = add_vendor(tmp_path / "acme")
    text = (vendor.implementation / "add_dsl.py").read_text()
    text = text.replace(
        'kernel_name="add_dsl"):',
        'kernel_name="add_dsl", impl_mode=None):\n    print("mode", alpha, impl_mode)',
    )
    vendor.write_file("add_dsl.py", text)
    use(vendor)

    def compile_with(**flags):
        model = add_model(nodes=2, alpha=1.0)
        model.graph.node[2].attribute[0].f = 2.0
        capfd.readouterr()
        with ge.compile(model, soc_version="Ascend310P3", **flags) as result:
            warnings = [warning.text for warning in result.warnings]
        lines = dict.fromkeys(capfd.readouterr().out.splitlines())
        built = dict(line.split()[1:] for line in lines)
        return [built["1.0"], built["2.0"]], warnings

    return compile_with


def test_implementation_mode_reaches_functions_that_take_it(modes_seen):
    assert modes_seen()[0] == ["None", "None"]
    assert modes_seen(op_select_implmode="high_precision")[0] == ["high_precision"] * 2
    assert modes_seen(op_select_implmode="high_performance_for_all")[0] == ["high_performance"] * 2
    flags = {"op_select_implmode": "high_precision"}
    assert modes_seen(**flags, optypelist_for_implmode="Add,AddDsl")[0] == ["high_precision"] * 2
    assert modes_seen(**flags, optypelist_for_implmode="Add")[0] == ["None", "None"]


def test_file_of_modes_goes_by_node_then_by_type(modes_seen, tmp_path):
    path = tmp_path / "modes.ini"
    path.write_text("[ByNodeName]\nadd1=super_performance\n[ByOpType]\nAddDsl = keep_fp16\n")
    found, _ = modes_seen(op_precision_mode=str(path), op_select_implmode="high_precision")
    assert found == ["keep_fp16", "super_performance"]


def test_line_of_the_file_of_modes_that_says_none_is_a_warning(modes_seen, tmp_path):
    path = tmp_path / "modes.ini"
    path.write_text("# by type\nAddDsl=fastest\n")
    found, warnings = modes_seen(op_precision_mode=str(path))
    assert found == ["None", "None"]
    (warning,) = [text for text in warnings if "fastest" in text]
    assert "high_precision" in warning


def test_hook_that_raises_says_no_and_is_a_warning(tmp_path, use):
    use(add_vendor(tmp_path / "acme", f"def get_op_support_info(*a):\n    1 / 0\n{PLAIN_ADD}"))
    with ge.compile(add_model(), soc_version="Ascend310P3") as result:
        (warning,) = [warning for warning in result.warnings if warning.code == "W40024"]
    assert "get_op_support_info of AddDsl" in warning.text
    assert "ZeroDivisionError" in warning.text


@pytest.mark.parametrize("supported", [True, False])
def test_operator_that_declines_leaves_the_node_to_the_built_in_kernel(tmp_path, use, supported):
    vendor = Vendor(tmp_path / "acme").write_info(
        {"Add": {**ADD_INFO, "needCheckSupport": {"flag": "true"}}}
    )
    text = f"def check_supported(*a):\n    return {supported}\n"
    vendor.write_file("add.py", text + PLAIN_SUB.replace("add_dsl", "add"))
    use(vendor)
    x, y = arrays()
    found = compile_and_run(add_model(op_type="Add"), x, y)
    expected = np.maximum(x, 0) - y if supported else np.maximum(x, 0) + y
    np.testing.assert_array_equal(found, -expected)


@pytest.mark.parametrize(
    ("raised", "codes"),
    [
        ("({'errCode': 'E60114'}, {'errCode': 'E80012', 'detailed_cause': 'b'}), 'a'", None),
        ("{'errCode': 'E61001', 'type': '2', 'detailed_cause': 'b'}, 'a'", ["E61001"]),
        ("'errCode: E80017 shapes differ'", ["E80017"]),
        ("{'errCode': 'E10001'}, 'a code of the compiler itself'", ["E40021"]),
    ],
)
def test_codes_are_those_that_the_operator_raises(tmp_path, use, raised, codes):
    text = f"def add_dsl(*args, **kw):\n    raise RuntimeError({raised})\n"
    vendor = add_vendor(tmp_path / "acme", text)
    use(vendor)
    with pytest.raises(errors.HookError) as caught:
        ge.compile(add_model(), soc_version="Ascend310P3")
    assert [problem.code for problem in caught.value.problems] == (codes or ["E60114", "E80012"])
    for problem in caught.value.problems:
        assert str(vendor.implementation / "add_dsl.py") in problem.text
        assert f"interpreter: {sys.executable}" in problem.text


def test_first_vendor_of_the_path_counts_and_names_do_not_meet(tmp_path, use):
    first = add_vendor(tmp_path / "a" / "acme", PLAIN_SUB)
    second = Vendor(tmp_path / "b" / "acme").write_info(
        {"MulDsl": {**ADD_INFO}, "AddDsl": ADD_INFO}
    )
    second.write_file("add_dsl.py", "raise ValueError('the second one')")
    second.write_file("mul_dsl.py", PLAIN_SUB.replace("vsub", "vmul").replace("add_dsl", "mul_dsl"))
    use(first, second)
    x, y = arrays()
    model = add_model(nodes=2)
    model.graph.node[2].op_type = "MulDsl"
    np.testing.assert_array_equal(compile_and_run(model, x, y), -((np.maximum(x, 0) - y) * y))


PLAIN_SUB = """
from tbe import dsl, tvm


def add_dsl(x, y, z, alpha=1.0, kernel_name="add_dsl"):
    a = tvm.placeholder(x["shape"], x["dtype"], "a")
    b = tvm.placeholder(y["shape"], y["dtype"], "b")
    result = dsl.vsub(a, b)
    with tvm.target.cce():
        schedule = dsl.auto_schedule(result)
    dsl.build(schedule, {"name": kernel_name, "tensor_list": [a, b, result]})
"""
