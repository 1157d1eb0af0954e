"""Fixtures of the precision tests: models compiled with some mode, and what became of them."""

import dataclasses

import numpy as np
import onnx
import pytest

import ge.om


@dataclasses.dataclass
class Built:
    """How a compile ended."""

    status: int
    text: str  # what was printed
    path: object  # of the OM

    def graph(self):
        with ge.om.load(self.path) as model:
            return model.graph

    def dtypes(self):
        """Dtype of the first output of every node that computes something, by source name."""
        return {
            source: node.outputs[0].dtype
            for node in self.graph().nodes
            if node.outputs and node.type not in {"Const", "Data"}
            for source in node.sources or [node.name]
        }

    def run(self, feeds):
        with ge.om.load(self.path) as model:
            return model.run(feeds)


@pytest.fixture
def build(run, atc, tmp_path):
    """Call as ``build(model, *flags, soc=, name=)`` with an ONNX model or the path of one."""

    def call(model, *flags, soc="Ascend310P3", name="net", fails=False):
        source = model
        if isinstance(model, onnx.ModelProto):
            source = tmp_path / "net.onnx"
            onnx.save(model, source)
        words = [f"--model={source}", "--framework=5", f"--soc_version={soc}"]
        done = run(atc, *words, f"--output={tmp_path / name}", *flags)
        assert (done.status != 0) is fails, done.stdout
        assert (tmp_path / f"{name}.om").exists() is not fails
        return Built(done.status, done.stdout, tmp_path / f"{name}.om")

    return call


def as_float16(model):
    """The same network with every float32 tensor stored as float16."""
    half = onnx.ModelProto()
    half.CopyFrom(model)
    for value in [*half.graph.input, *half.graph.output]:
        if value.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
            value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT16
    # Resize has its scales in float32 whatever it resizes.
    scales = {name for one in half.graph.node if one.op_type == "Resize" for name in one.input[1:]}
    for tensor in half.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and tensor.name not in scales:
            array = onnx.numpy_helper.to_array(tensor).clip(-65504, 65504).astype(np.float16)
            tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))
    return half
