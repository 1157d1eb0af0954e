"""Passes that say the same with other operators: the numbers of random graphs are onnxruntime's."""

import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

import ge

PASSES = """
from ge.es import GraphBuilder
from ge.es.all import LeakyRelu, Neg, Relu, Sigmoid
from ge.passes import *
STAGE = PassStage.{stage}

@register_fusion_pass(name="NegTwice", stage=STAGE)
class NegTwice(PatternFusionPass):
    @pattern
    def twice(self, inputs):
        return Neg(Neg(inputs[0]))

    def replacement(self, inputs):
        return inputs[0]

@register_fusion_pass(name="Subtract", stage=STAGE)
class Subtract(PatternFusionPass):
    @pattern
    def difference(self, inputs):
        return inputs[0] - inputs[1]

    def replacement(self, inputs):
        return Neg(inputs[1] - inputs[0])

@register_fusion_pass(name="TwoReaders", stage=STAGE)
class TwoReaders(PatternFusionPass):
    @pattern
    def two(self, inputs):
        return [Relu(inputs[0]), Sigmoid(inputs[0])]

    def replacement(self, inputs):
        return [LeakyRelu(inputs[0], negative_slope=0.0), Sigmoid(inputs[0])]

@register_decompose_pass(name="Doubled", stage=STAGE, op_types=["Mul"])
class Doubled(DecomposePass):
    def replacement(self, node):
        builder = GraphBuilder("doubled")
        left, right = builder.create_inputs(2)
        return builder.build_and_reset([Neg(Neg(left) * right)])
"""
ARITY = {"Relu": 1, "Sigmoid": 1, "Neg": 1, "Sub": 2, "Mul": 2}


@st.composite
def models(draw):
    names, nodes = ["x", "z"], []
    for number in range(draw(st.integers(1, 12))):
        op_type = draw(st.sampled_from(sorted(ARITY)))
        reads = [draw(st.sampled_from(names[-5:])) for _ in range(ARITY[op_type])]
        names.append(f"t{number}")
        nodes.append(helper.make_node(op_type, reads, [names[-1]], name=names[-1]))
    results = draw(st.lists(st.sampled_from(names[2:]), min_size=1, max_size=3, unique=True))
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xz"],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in results],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize(
    ("stage", "mode", "error"),
    [
        ("BEFORE_INFER_SHAPE", "origin", 1e-6),
        ("AFTER_INFER_SHAPE", "origin", 1e-6),
        ("AFTER_BUILTIN_FUSION_PASS", "origin", 1e-6),
        ("AFTER_ORIGIN_GRAPH_OPTIMIZE", "origin", 1e-6),
        ("AFTER_ORIGIN_GRAPH_OPTIMIZE", "fp16", 2e-2),
    ],
)
def test_numbers_stay(tmp_path_factory, stage, mode, error):
    path = tmp_path_factory.mktemp("passes") / "same.py"
    path.write_text(PASSES.format(stage=stage))
    feed = {
        "x": np.array([[-1.5, -0.25, 0], [0.5, 1, 1.25]], np.float32),
        "z": np.array([[0.75, -1, 0.5], [-0.5, 0, 1]], np.float32),
    }

    @settings(max_examples=40)
    @given(models())
    def check(model):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ASCEND_GE_PY_PASS_PATH", str(path))
            with ge.compile(model, soc_version="Ascend310P3", precision_mode_v2=mode) as result:
                seen = result.model.run(feed)
        session = onnxruntime.InferenceSession(model.SerializeToString())
        for output, expected in zip(session.get_outputs(), session.run(None, feed), strict=True):
            np.testing.assert_allclose(seen[output.name], expected, rtol=error, atol=error)

    check()
