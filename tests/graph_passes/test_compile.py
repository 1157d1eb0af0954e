"""Graph passes in Python take part in a compile."""

import builtins
import json
import pathlib
import sys
import threading
import types as types_module
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
import pytest
from ge.passes import get_registered_passes
from onnx import helper

from graph_passes.conftest import counts, model_of, save, types

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "passes"
ADD_ZERO, TWICE = EXAMPLES / "remove_add_zero.py", EXAMPLES / "mul_to_add.py"
X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)


def node(op_type, inputs, output, name=None, **attrs):
    return helper.make_node(op_type, inputs, [output], name=name or output, **attrs)


def add_then_multiply(addend, factor):
    return model_of(
        node("Relu", ["x"], "a"),
        node("Add", ["a", "c"], "b"),
        node("Mul", ["b", "f"], "y"),
        constants=[("c", np.float32(addend)), ("f", np.float32(factor))],
    )


def reference(model):
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"x": X})[0]


def test_example_passes_fire_and_numbers_stay(compile_with):
    model = add_then_multiply(0, 2)
    result = compile_with(model, EXAMPLES)
    assert counts(result)["RemoveAddZero"] == 1 and counts(result)["MulToAdd"] == 1
    assert types(result) == ["Data", "Relu", "Add", "NetOutput"]
    np.testing.assert_array_equal(result.model.run({"x": X})["y"], reference(model))


def test_nearest_graph_is_left_alone(compile_with):
    model = add_then_multiply(1, 3)
    result = compile_with(model, EXAMPLES)
    assert "RemoveAddZero" not in counts(result) and "MulToAdd" not in counts(result)
    np.testing.assert_array_equal(result.model.run({"x": X})["y"], reference(model))


def test_zero_that_makes_the_sum_larger_stays(compile_with):
    model = model_of(
        node("Relu", ["x"], "a"),
        node("Add", ["a", "c"], "y"),
        constants=[("c", np.zeros((1, 1, 1), np.float32))],
    )
    result = compile_with(model, ADD_ZERO)
    assert "RemoveAddZero" not in counts(result)
    np.testing.assert_array_equal(result.model.run({"x": X})["y"], reference(model))


def test_input_that_becomes_an_output_is_copied(compile_with):
    model = model_of(node("Add", ["x", "c"], "y"), constants=[("c", np.float32(0))])
    result = compile_with(model, ADD_ZERO)
    assert counts(result)["RemoveAddZero"] == 1
    np.testing.assert_array_equal(result.model.run({"x": X})["y"], X)


def test_branches_are_rewritten_too(compile_with):
    def branch(name, addend):
        constant = helper.make_node(
            "Constant", [], [name + "_c"], value_float=addend, name=name + "_const"
        )
        graph = [constant, node("Add", ["x", name + "_c"], name)]
        value = helper.make_tensor_value_info(name, 1, None)
        return helper.make_graph(graph, name, [], [value])

    model = model_of(
        node("ReduceSum", ["x"], "sum", keepdims=0),
        node("Greater", ["sum", "c"], "positive"),
        node("If", ["positive"], "y", then_branch=branch("t", 0.0), else_branch=branch("e", 1.0)),
        constants=[("c", np.float32(0))],
    )
    result = compile_with(model, ADD_ZERO)
    assert counts(result)["RemoveAddZero"] == 1
    for x in (X, -X):
        np.testing.assert_array_equal(result.model.run({"x": x})["y"], x if x.sum() > 0 else x + 1)


def test_stages_run_in_order_and_see_the_graph(compile_with, write_pass, capfd):
    path = write_pass("""
        from ge.passes import FusionBasePass, PassStage, register_fusion_pass
        for stage in reversed(PassStage):
            class Show(FusionBasePass):
                def run(self, graph, context):
                    types = [node.type for node in graph.get_all_nodes()]
                    print(context.get_pass_name(), *types, flush=True)
                    assert context.get_option_value("ge.socVersion") == "Ascend310P3"
            register_fusion_pass(name=stage.value, stage=stage)(Show)
    """)
    compile_with(add_then_multiply(0, 2), path, precision_mode_v2="fp16")
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "BeforeInferShape",
        "AfterInferShape",
        "AfterBuiltinFusionPass",
        "AfterOriginGraphOptimize",
    ]
    assert lines[0].split()[1:] == ["Data", "Relu", "Const", "Add", "Const", "Mul", "NetOutput"]
    assert "Cast" not in lines[2] and "Cast" in lines[3]


@pytest.mark.parametrize("stage", ["BeforeInferShape", "AfterInferShape", "AfterBuiltinFusionPass"])
def test_pass_that_changes_nothing_changes_no_byte(compile_with, write_pass, stage, models):
    path = write_pass(f"""
        from ge.passes import FusionBasePass, register_fusion_pass
        @register_fusion_pass(name="Nothing", stage="{stage}")
        class Nothing(FusionBasePass):
            def run(self, graph, context):
                return 201
    """)
    model = add_then_multiply(0, 2)
    plain = compile_with(model).om_path.read_bytes()
    assert compile_with(model, path).om_path.read_bytes() == plain


@pytest.mark.parametrize("name", ["RemoveAddZero", "ALL"])
def test_switch_file_turns_a_pass_off(compile_with, tmp_path, name):
    switches = tmp_path / "switch.cfg"
    switches.write_text(json.dumps({"Switch": {"GraphFusion": {name: "off"}}}))
    result = compile_with(add_then_multiply(0, 3), ADD_ZERO, fusion_switch_file=switches)
    assert "RemoveAddZero" not in counts(result)


def test_pass_that_the_program_registered_takes_part(compile_with):
    from ge import passes

    @passes.register_fusion_pass(name="Mine", stage=passes.PassStage.AFTER_INFER_SHAPE)
    class Mine(passes.PatternFusionPass):
        @passes.pattern
        def relu(self, inputs):
            from ge.es.nn import Relu

            return Relu(inputs[0])

        def replacement(self, inputs):
            return inputs[0] * 3.0

    try:
        result = compile_with(model_of(node("Relu", ["x"], "y")))
    finally:
        passes.clear_registered_passes()
    assert counts(result) == {"Mine": 1}
    np.testing.assert_array_equal(result.model.run({"x": X})["y"], X * 3)


def test_module_that_another_thread_imports_has_no_passes_yet(monkeypatch, compile_with):
    half = types_module.ModuleType("ge.passes.registry")  # as sys.modules has it meanwhile
    monkeypatch.setitem(sys.modules, "ge.passes.registry", half)
    assert types(compile_with(model_of(node("Relu", ["x"], "y")))) == ["Data", "Relu", "NetOutput"]


def test_passes_of_a_file_are_not_those_of_other_threads(monkeypatch, compile_with, write_pass):
    path = write_pass(
        """
        import builtins
        from ge.passes import *

        @register_fusion_pass(name="OfFile", stage=PassStage.AFTER_INFER_SHAPE)
        class OfFile(FusionBasePass):
            def run(self, graph, context):
                pass

        registered, seen = builtins._events_of_passes
        registered.set()
        assert seen.wait(30) and [row.pass_name for row in get_registered_passes()] == ["OfFile"]
        """
    )
    registered, seen = threading.Event(), threading.Event()
    monkeypatch.setattr(builtins, "_events_of_passes", (registered, seen), raising=False)
    with ThreadPoolExecutor(1) as pool:
        compiled = pool.submit(compile_with, model_of(node("Relu", ["x"], "y")), path)
        assert registered.wait(30)
        elsewhere = get_registered_passes()
        seen.set()
        assert not compiled.result().warnings
    assert elsewhere == []


def test_new_dims_and_dtypes_are_inferred(compile_with, write_pass):
    path = write_pass("""
        from ge.es.all import Exp, Log
        from ge.passes import PassStage, PatternFusionPass, pattern, register_fusion_pass
        @register_fusion_pass(name="Slow", stage=PassStage.BEFORE_INFER_SHAPE)
        class Slow(PatternFusionPass):
            @pattern
            def relu(self, inputs):
                from ge.es.all import Relu
                return Relu(inputs[0])
            def replacement(self, inputs):
                return Log(Exp(inputs[0]) + 1)
    """)
    result = compile_with(model_of(node("Relu", ["x"], "y")), path)
    expected = np.log(np.exp(X) + 1)
    np.testing.assert_allclose(result.model.run({"x": X})["y"], expected, rtol=1e-6)


def test_command_line_counts_passes_as_fusions(pyatc, run, tmp_path):
    model = save(add_then_multiply(0, 3), tmp_path / "m.onnx")
    done = run(
        pyatc,
        f"--model={model}",
        "--framework=5",
        f"--output={tmp_path / 'm'}",
        "--soc_version=Ascend310P3",
        "--export_compile_stat=1",
        cwd=tmp_path,
        env={"ASCEND_GE_PY_PASS_PATH": str(ADD_ZERO)},
    )
    assert done.status == 0, done
    document = json.loads((tmp_path / "fusion_result.json").read_text())
    text = json.dumps(document)
    assert '"RemoveAddZero": {"effect_times": "1", "match_times": "1"}' in text


@pytest.mark.parametrize(("value", "fires"), [(0.5, True), (0.25, False)])
def test_constants_are_compared_when_the_pass_says_so(compile_with, write_pass, value, fires):
    path = write_pass("""
        from ge.es.graph_builder import GraphBuilder
        from ge.es.math import Mul
        from ge.es.nn import Relu
        from ge.passes import (PassStage, PatternFusionPass, PatternMatcherConfigBuilder,
                               create_pattern, create_replacement, register_fusion_pass)

        @register_fusion_pass(name="Half", stage=PassStage.BEFORE_INFER_SHAPE)
        class Half(PatternFusionPass):
            def __init__(self):
                super().__init__(PatternMatcherConfigBuilder().enable_const_value_match().build())

            def patterns(self):
                builder = GraphBuilder("half")
                x = builder.create_input(0)
                half = Mul(x, builder.create_const_float([0.5], [1]))
                pattern = create_pattern(builder.build_and_reset([half]))
                return [pattern.capture_tensor(x).capture_tensor(half)]

            def replacement(self, match_result):
                assert match_result.get_captured_tensor(1).node.type == "Mul"
                assert match_result.get_pattern_graph_name() == "half"
                builder = GraphBuilder("replacement")
                x = builder.create_input(0)
                return create_replacement(builder.build_and_reset([Relu(x) / 2]))
    """)
    model = model_of(node("Mul", ["x", "c"], "y"), constants=[("c", np.array([value], np.float32))])
    result = compile_with(model, path)
    assert ("Half" in counts(result)) == fires
    expected = np.maximum(X, 0) / 2 if fires else X * np.float32(value)
    np.testing.assert_array_equal(result.model.run({"x": X})["y"], expected)


def test_attributes_are_compared_when_the_pass_says_so(compile_with, write_pass):
    text = """
        from ge.es.all import LeakyRelu, Relu
        from ge.passes import *

        @register_fusion_pass(name="Leaky", stage=PassStage.BEFORE_INFER_SHAPE)
        class Leaky(PatternFusionPass):
            def __init__(self):
                builder = PatternMatcherConfigBuilder()
                super().__init__((builder.enable_ir_attr_match() if {on} else builder).build())

            @pattern
            def leaky(self, inputs):
                return LeakyRelu(inputs[0], negative_slope=0.5)

            def replacement(self, inputs):
                return Relu(inputs[0])
    """
    model = model_of(node("LeakyRelu", ["x"], "y", alpha=0.25))
    for on in (True, False):
        result = compile_with(model, write_pass(text.format(on=on)))
        assert ("Leaky" in counts(result)) == (not on)


def test_part_of_a_graph_is_replaced_by_hand(compile_with, write_pass):
    path = write_pass("""
        from ge.es import GraphBuilder
        from ge.es.nn import Relu
        from ge.passes import *

        @register_fusion_pass(name="Swap", stage=PassStage.AFTER_INFER_SHAPE)
        class Swap(FusionBasePass):
            def run(self, graph, context):
                for node in graph.get_direct_nodes():
                    if node.type != "Exp":
                        continue
                    reader, _ = node.get_out_data_nodes_and_port_indexes(0)[0]
                    boundary = SubgraphBoundary()
                    boundary.add_input(0, SubgraphInput([(node, 0)]))
                    boundary.add_output(0, SubgraphOutput(reader, 0))
                    builder = GraphBuilder("replacement")
                    x = builder.create_input(0)
                    replacement = builder.build_and_reset([Relu(x)])
                    infer_shape(replacement, boundary)
                    assert can_fuse([node, reader]).ok
                    assert SubgraphRewriter.replace(boundary, replacement, context=context) == 0
                return True
    """)
    model = model_of(node("Exp", ["x"], "a"), node("Log", ["a"], "y"))
    result = compile_with(model, path)
    assert counts(result)["Swap"] == 1
    np.testing.assert_array_equal(result.model.run({"x": X})["y"], np.maximum(X, 0))
