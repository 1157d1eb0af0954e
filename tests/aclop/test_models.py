"""Operators from single-operator models, and from damaged ones."""

import numpy as np
import pytest
from aclop.words import built, code, d, execute_code, fresh
from hypothesis import given
from hypothesis import strategies as st
from om.om_files import rewritten

from ge import aclop
from ge._aclop import compile_only, write_model


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The bytes of a model of an Add of so many elements, and its arguments."""
    n = fresh()
    x = d(n, dtype="float32")
    arguments = "Add", [x, d(n, dtype="float32", constant=np.arange(n, dtype=np.float32))], [x]
    path = tmp_path_factory.mktemp("models") / "add.om"
    write_model(*arguments, {"extra": [1, 2]}, path=path)
    return path.read_bytes(), (*arguments, {"extra": [1, 2]})


def test_an_operator_that_was_loaded_is_found(model):
    content, (op_type, inputs, outputs, attrs) = model
    assert execute_code(op_type, inputs, outputs, attrs) == 100024
    aclop.load(content)
    x = np.ones(inputs[0].elements, np.float32)
    y = aclop.execute(op_type, [x, inputs[1]], outputs, attrs)
    np.testing.assert_array_equal(y, 1 + np.arange(x.size))
    assert built(compile_only, op_type, inputs, outputs, attrs) == 0
    assert execute_code(op_type, inputs, outputs) == 100024


def test_operators_of_a_folder(fresh_process, model, tmp_path):
    (tmp_path / "ops" / "inner").mkdir(parents=True)
    (tmp_path / "ops" / "inner" / "any name.om").write_bytes(model[0])
    (tmp_path / "ops" / "no model.om").write_bytes(b"no model")
    n = model[1][1][0].elements
    assert fresh_process(f"""
        import struct
        aclop.model_dir("ops")
        constant = b"".join(struct.pack("f", i) for i in range({n}))
        x, c = d({n}, dtype="float32"), d({n}, dtype="float32", constant=constant)
        print(execute_code("Add", [x, (c, None)], [x], {{"extra": [1, 2]}}))
        print(execute_code("Add", [x, x], [x]))
    """) == ["0", "100024"]


def test_an_operator_holds_no_activation(tmp_path):
    def change(model, tasks):
        (add,) = [op for op in model.graph[0].op if op.type == "Add"]
        add.attr["pyatc_activation"].s = b"Relu"

    x = d(fresh(), dtype="float32")
    write_model("Add", [x, x], [x], {}, path=tmp_path / "add.om")
    aclop.load(rewritten(tmp_path / "add.om", change).read_bytes())
    array = np.ones(x.elements, np.float32)
    with pytest.raises(aclop.CompileError, match="holds an activation"):
        aclop.execute("Add", [array, array], [x])


@given(st.data())
def test_damaged_models_are_refused_or_run(model, data):
    content, (op_type, inputs, outputs, attrs) = model
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    damaged = damaged[: data.draw(st.integers(0, 2 * len(damaged)))]
    assert code(aclop.load, damaged) in (0, 100000, 100012, 100013, 100016, 148050)
    x = np.ones(inputs[0].elements, np.float32)
    assert code(aclop.execute, op_type, [x, inputs[1]], outputs, attrs) in (
        0,
        145000,
        500002,
        100024,
    )
