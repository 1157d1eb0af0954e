"""--mode=1 --framework=5, against the onnx package's reading of the same file."""

import numpy as np
import onnx
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from om.json_oracle import to_json
from onnx import TensorProto, helper, numpy_helper


def model_of(tensor, **attributes):
    """One node that reads ``tensor``, with any attributes."""
    graph = helper.make_graph(
        [helper.make_node("Any", ["x", "w"], ["y"], name="node", **attributes)],
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
        [tensor],
    )
    return helper.make_model(graph)


def test_graph_is_the_root_and_nothing_is_hidden(dump):
    model = model_of(numpy_helper.from_array(np.arange(3, dtype=np.uint8), "w"), axis=0)
    shown = dump(model.SerializeToString(), "--framework=5")
    assert shown == to_json(model.graph)
    assert shown["initializer"][0]["raw_data"] == r"\000\001\002"
    assert shown["node"][0]["attribute"][0]["i"] == 0


@given(
    hnp.arrays(st.sampled_from([np.float32, np.int64, np.uint8]), hnp.array_shapes(max_side=3)),
    st.booleans(),
    st.floats(width=32),
    st.lists(st.floats(width=32), max_size=3),
    st.binary(max_size=6),
)
def test_any_model_shows_what_onnx_reads(dump, array, raw, number, numbers, text):
    tensor = numpy_helper.from_array(array, "w")
    if not raw and array.dtype != np.uint8:
        tensor = helper.make_tensor("w", tensor.data_type, array.shape, array.flatten())
    model = model_of(tensor, f=number, s=text, n=3, **({"fs": numbers} if numbers else {}))
    assert dump(model.SerializeToString(), "--framework=5") == to_json(model.graph)


def test_subgraphs_are_shown(dump):
    inner = helper.make_graph([helper.make_node("Neg", ["a"], ["b"])], "inner", [], [])
    model = model_of(numpy_helper.from_array(np.zeros(1), "w"), body=inner)
    shown = dump(model.SerializeToString(), "--framework=5")
    assert shown["node"][0]["attribute"][0]["g"]["node"][0]["op_type"] == "Neg"


def test_file_without_graph_is_refused(run, atc, tmp_path):
    path, out = tmp_path / "m.onnx", tmp_path / "m.json"
    path.write_bytes(onnx.ModelProto(producer_name="nobody").SerializeToString())
    done = run(atc, "--mode=1", "--framework=5", f"--om={path}", f"--json={out}")
    assert done.status != 0
    assert "E10041" in done.stdout + done.stderr
    assert not out.exists()
