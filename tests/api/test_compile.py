"""``ge.compile``: the compiler for programs."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import pytest
from compile.conftest import compile_command, save
from onnx import TensorProto, helper

import ge
import ge.errors
import ge.om

FLAGS = {"soc_version": "Ascend310P3", "precision_mode_v2": "origin"}


@pytest.fixture
def network(tmp_path):
    """A file with y = relu(x @ w), x of any batch."""
    w = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["product"], name="product"),
        helper.make_node("Relu", ["product"], ["y"], name="relu"),
    ]
    return save(tmp_path / "net.onnx", nodes, {"x": ["n", 8]}, {"y": ["n", 4]}, {"w": w})


def expected(path, x):
    (w,) = onnx.load(path).graph.initializer
    return np.maximum(x @ onnx.numpy_helper.to_array(w), 0)


def test_a_file_becomes_the_same_model_as_on_the_command_line(run, atc, network, tmp_path):
    shape = ["--input_shape=x:3,8", "--soc_version=Ascend310P3"]
    done = run(*compile_command(atc, network, tmp_path / "by_line"), *shape)
    assert done.status == 0, done.stdout
    result = ge.compile(network, tmp_path / "new" / "net.om", input_shape={"x": (3, 8)}, **FLAGS)
    assert result.om_path == tmp_path / "new" / "net.om"
    x = np.ones((3, 8), np.float32)
    (by_line,) = ge.om.load(tmp_path / "by_line.om")(x)
    np.testing.assert_array_equal(result.model(x)[0], by_line)
    np.testing.assert_allclose(by_line, expected(network, x), rtol=1e-5)


@pytest.mark.parametrize("form", ["bytes", "bytearray", "memoryview", "proto"])
def test_a_model_may_be_in_memory(network, form):
    data = network.read_bytes()
    forms = {"bytes": data, "bytearray": bytearray(data), "memoryview": memoryview(data)}
    model = onnx.load(network) if form == "proto" else forms[form]
    with ge.compile(model, input_shape={"x": (2, 8)}, **FLAGS) as result:
        x = np.full((2, 8), 0.5, np.float32)
        np.testing.assert_allclose(result.model(x)[0], expected(network, x), rtol=1e-5)
        assert result.om_path.exists()
    assert not result.om_path.exists()
    assert not result.om_path.parent.exists()


def test_a_model_in_memory_gives_the_same_bytes_each_time(network):
    flags = {**FLAGS, "input_shape": "x:2,8"}
    with (
        ge.compile(network.read_bytes(), **flags) as a,
        ge.compile(onnx.load(network), **flags) as b,
    ):
        assert a.om_path.read_bytes() == b.om_path.read_bytes()


def test_dims_may_be_open_or_have_a_range(network):
    for dims, least in [((None, 8), 1), (((2, 5), 8), 2), (((2, None), 8), 2)]:
        with ge.compile(network, input_shape={"x": dims}, **FLAGS) as result:
            (port,) = result.model.inputs
            assert port.shape == (None, 8)
            assert port.range[0][0] in (least, 0, 1)
            x = np.ones((4, 8), np.float32)
            np.testing.assert_allclose(result.model(x)[0], expected(network, x), rtol=1e-5)


def test_flags_have_the_values_of_python(network):
    flags = {**FLAGS, "input_shape": "x:2,8", "disable_reuse_memory": True, "keep_dtype": None}
    with ge.compile(network, out_nodes=["product:0"], **flags) as result:
        assert "--disable_reuse_memory=1" in result.model.command_line
        assert result.model.outputs[0].shape == (2, 4)


def test_all_faults_of_flags_are_in_one_error(network, tmp_path):
    with pytest.raises(ge.errors.FlagError) as caught:
        ge.compile(
            network,
            tmp_path / "net",
            soc_version="Ascend310P",
            precision_mode_v2="orgin",
            disable_reuse_memory=7,
        )
    codes = {problem.code for problem in caught.value.problems}
    assert len(caught.value.problems) >= 3
    assert all(code.startswith("E") for code in codes)
    assert isinstance(caught.value, ValueError)
    assert list(tmp_path.glob("*.om")) == []


def test_a_flag_that_is_not_there_is_a_type_error(network):
    with pytest.raises(TypeError, match="did you mean precision_mode"):
        ge.compile(network, soc_version="Ascend310P3", precision_mod="origin")
    with pytest.raises(TypeError, match="no flag 'log'"):
        ge.compile(network, soc_version="Ascend310P3", log="info")
    with pytest.raises(TypeError, match="no flag 'singleop'"):
        ge.compile(network, soc_version="Ascend310P3", singleop="ops.json")


def test_a_file_that_is_not_there_is_pythons_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        ge.compile(tmp_path / "nothing.onnx", **FLAGS)


def test_what_is_no_model_is_a_model_error():
    with pytest.raises(ge.errors.ModelError) as caught:
        ge.compile(b"this is no model", **FLAGS)
    assert caught.value.code == "E10041"


def test_an_error_names_the_node(tmp_path):
    nodes = [helper.make_node("Add", ["x", "z"], ["y"], name="sum of both")]
    model = save(tmp_path / "m.onnx", nodes, {"x": [2, 3], "z": [4, 3]}, {"y": [2, 3]})
    with pytest.raises(ge.errors.ModelError) as caught:
        ge.compile(model, **FLAGS)
    assert caught.value.code == "E14001"
    assert caught.value.problems[0].node == "sum of both"


def test_unknown_operators_are_unsupported(tmp_path):
    nodes = [helper.make_node("Frobnicate", ["x"], ["y"], name="f")]
    model = save(tmp_path / "m.onnx", nodes, {"x": [2, 3]}, {"y": [2, 3]})
    with pytest.raises(ge.errors.UnsupportedError, match="Frobnicate"):
        ge.compile(model, **FLAGS)


def test_nothing_is_printed(network, capfd):
    with ge.compile(network, input_shape={"x": (2, 8)}, **FLAGS):
        pass
    with pytest.raises(ge.errors.FlagError):
        ge.compile(network, soc_version="none")
    assert capfd.readouterr() == ("", "")


def test_compiles_may_overlap(tmp_path):
    def one(i):
        nodes = [helper.make_node("Add", ["x", "c"], ["y"])]
        constant = {"c": np.full((16,), i, np.float32)}
        model = save(tmp_path / f"{i}.onnx", nodes, {"x": [16]}, {"y": [16]}, constant)
        for _ in range(5):
            with ge.compile(model, **FLAGS) as result:
                (y,) = result.model(np.zeros(16, np.float32))
                assert (y == i).all()
        with pytest.raises(ge.errors.FlagError) as caught:
            ge.compile(model, soc_version=f"Soc{i}")
        assert f"[Soc{i}]" in str(caught.value)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(16)))
    assert threading.active_count() >= 1


def test_the_command_line_does_not_pay_for_it():
    code = "import sys, ge; assert 'ge._compile' not in sys.modules; ge.compile; print('ok')"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert done.stdout == "ok\n", done.stderr


def test_an_interrupt_ends_the_compile(tmp_path):
    code = """
import sys, threading, os, signal, time
import ge
def later():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=later).start()
try:
    for _ in range(1000):
        ge.compile(sys.argv[1], sys.argv[2], soc_version="Ascend310P3", precision_mode_v2="origin")
except KeyboardInterrupt:
    print("interrupted")
"""
    nodes, name = [], "x"
    for i in range(3000):
        nodes.append(helper.make_node("Neg", [name], [f"t{i}"]))
        name = f"t{i}"
    model = save(tmp_path / "long.onnx", nodes, {"x": [4]}, {name: (TensorProto.FLOAT, [4])})
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, model, tmp_path / "long.om"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "interrupted\n", done.stderr
    assert [path.name for path in tmp_path.iterdir() if ".om" in path.name] in ([], ["long.om"])
