"""ge.om.load: what an open model tells, of our files and of files made by others."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from om.om_files import build_om

import ge.om
from ge import errors
from ge.om import Memory, Port

FOREIGN = ["flow_model", "gemm_singleop", "hiai_softmax", "three_blocks"]


def test_ports_have_name_dtype_and_shape(add_model):
    assert add_model.inputs == (
        Port("a", "float32", (2, 3), None),
        Port("b", "float32", (3,), None),
    )
    assert add_model.outputs == (
        Port("twice", "float32", (2, 3), None),
        Port("top", "float32", (2, 3), None),
    )


def test_size_known_at_run_time_is_none_with_its_range(compiled):
    from onnx import TensorProto, helper

    om = compiled(
        [helper.make_node("NonZero", ["x"], ["y"])],
        {"x": [2, 3]},
        {"y": (TensorProto.INT64, [2, "n"])},
        name="nonzero",
    )
    model = ge.om.load(om)
    (port,) = model.outputs
    assert (port.shape, port.range[0]) == ((2, None), (2, 2))
    assert model.memory.has_unknown_sizes
    assert "[2,-1]" in model.summary()


def test_facts_say_who_made_it_from_what(add_model, add_om):
    assert add_model.path == str(add_om)
    assert add_model.made_by.startswith("pyatc ")
    assert add_model.framework == "Onnx"
    assert add_model.soc_version == "Ascend310P3"
    assert "--framework=5" in add_model.command_line
    assert add_model.file_bytes == add_om.stat().st_size
    assert (add_model.runnable, add_model.not_runnable_reason) == (True, "")


def test_path_may_be_text_or_path(add_om):
    assert ge.om.load(str(add_om)).inputs == ge.om.load(add_om).inputs


def test_memory_counts_bytes(add_model):
    memory = add_model.memory
    assert isinstance(memory, Memory)
    assert memory.arena_bytes >= 2 * 512  # two results, each in a block of 512
    assert memory.weight_bytes >= 12
    assert memory.has_unknown_sizes is False


def test_graph_has_nodes_with_attributes_and_sources(index_om):
    graph = ge.om.load(index_om).graph
    (node,) = [node for node in graph.nodes if node.type == "GatherV2"]
    assert (node.name, node.sources) == ("pick", ("pick",))
    assert [name.partition(":")[0] for name in node.inputs[:2]] == ["x", "i"]
    assert (node.outputs[0].dtype, node.outputs[0].shape) == ("float32", (3, 2))
    assert node.graphs == ()
    assert graph.operators() == {"GatherV2": 1}


def test_branches_are_graphs_of_their_own(compiled):
    from onnx import TensorProto, helper

    def branch(kind):
        value = helper.make_tensor_value_info(kind, TensorProto.FLOAT, [2])
        return helper.make_graph([helper.make_node(kind, ["x"], [kind])], kind, [], [value])

    node = helper.make_node(
        "If", ["c"], ["y"], name="if", then_branch=branch("Neg"), else_branch=branch("Abs")
    )
    om = compiled([node], {"c": (TensorProto.BOOL, [1]), "x": [2]}, {"y": [2]}, name="branches")
    model = ge.om.load(om)
    root, *others = model.graphs
    (chooser,) = [node for node in root.nodes if node.graphs]
    assert list(chooser.graphs) == [graph.name for graph in others]
    assert [graph.operators() for graph in others] == [{"Neg": 1}, {"Abs": 1}]
    x = np.array([-1, 2], np.float32)
    assert model(np.array([True]), x)[0].tolist() == [1, -2]
    assert model(np.array([False]), x)[0].tolist() == [1, 2]


def test_graph_is_read_once_and_kept(add_model):
    assert add_model.graph is add_model.graph


def test_weights_are_views_of_the_file_that_outlive_the_model(add_om):
    with ge.om.load(add_om) as model:
        weights = model.weights
        (name,) = weights
        value = weights[name]
    assert "w" in name
    np.testing.assert_array_equal(value, np.array([1, 2, 3], np.float32))
    assert not value.flags.writeable
    assert not value.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        value[0] = 7
    with pytest.raises(TypeError):
        weights["new"] = value


def test_values_are_immutable(add_model):
    with pytest.raises(AttributeError):
        add_model.inputs[0].name = "other"
    with pytest.raises(AttributeError):
        add_model.graph.nodes[0].type = "Other"


def test_summary_tells_what_a_person_asks_first(add_model, add_om):
    text = add_model.summary()
    assert str(add_om) in text
    assert "made by     pyatc" in text
    assert "runs here   yes" in text
    assert "a  float32 [2,3]" in text
    assert "operators   3: 3 Add" in text


@pytest.mark.parametrize("name", FOREIGN)
def test_files_made_by_others_open_and_refuse_to_run(samples, name):
    model = ge.om.load(samples / f"{name}.om")
    assert model.inputs and model.graph.nodes
    assert all(graph.nodes is not None for graph in model.graphs)
    assert "runs here   no" in model.summary()
    assert all(value.nbytes >= 0 for value in model.weights.values())
    assert not model.runnable
    with pytest.raises(errors.NotRunnableError, match="E10055") as caught:
        model()
    assert model.not_runnable_reason in str(caught.value)


def test_refusal_to_run_names_the_tasks_of_the_npu(samples):
    model = ge.om.load(samples / "gemm_singleop.om")
    assert model.soc_version == "Ascend910B"
    assert model.graph.operators() == {"GEMM": 1}
    assert "AI core" in model.not_runnable_reason
    with pytest.raises(RuntimeError, match="1 AI core"):
        model.run({"anything": b""})


def test_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"absent\.om"):
        ge.om.load(tmp_path / "absent.om")


def test_folder_is_refused(tmp_path):
    with pytest.raises((errors.ModelFileError, OSError), match=tmp_path.name):
        ge.om.load(tmp_path)


def test_other_kind_of_file_is_refused_with_code_and_path(tmp_path):
    path = tmp_path / "picture.om"
    path.write_bytes(b"\x89PNG" + bytes(300))
    with pytest.raises(errors.ModelFileError) as caught:
        ge.om.load(path)
    assert caught.value.code == "E10041"
    assert str(path) in caught.value.text
    assert len(caught.value.problems) == 1
    assert str(caught.value).startswith("E10041: ")


def test_archive_is_refused_as_a_kind_that_is_not_read(tmp_path):
    path = tmp_path / "model.om"
    path.write_bytes(b"PK\x03\x04" + bytes(300))
    with pytest.raises(errors.ModelFileError) as caught:
        ge.om.load(path)
    assert caught.value.code == "E10055"


def test_empty_model_definition_is_refused_or_shown(tmp_path):
    path = tmp_path / "empty.om"
    path.write_bytes(build_om([[(0, b""), (2, b"")]]))
    try:
        model = ge.om.load(path)
    except errors.ModelFileError as error:
        assert str(path) in error.text
    else:
        assert model.summary()


def test_wrong_type_of_path_is_a_type_error():
    with pytest.raises(TypeError):
        ge.om.load(3)


def test_exceptions_survive_pickling(tmp_path):
    path = tmp_path / "x.om"
    path.write_bytes(b"nothing")
    with pytest.raises(errors.GeError) as caught:
        ge.om.load(path)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.problems) == (type(caught.value), caught.value.problems)


def test_every_exception_is_in_the_tree_of_the_docstring():
    for name in errors.__all__:
        if issubclass(getattr(errors, name), Exception):
            assert name in errors.__doc__


def test_import_needs_no_numpy():
    code = (
        "import sys, ge.om; heavy = 'numpy ml_dtypes json argparse inspect random'.split();"
        "print(set(heavy) & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("name", ["negative_dims", "huge_dims"])
def test_a_weight_with_impossible_dims_is_a_row(name):
    damaged = Path(__file__).parent.parent / "data" / "damaged" / f"{name}.om"
    with ge.om.load(damaged) as model:
        assert all(weight.ndim >= 0 for weight in model.weights.values())
        assert any(weight.ndim == 1 for weight in model.weights.values())


def test_an_input_of_a_loop_body_without_an_output_is_refused():
    damaged = Path(__file__).parent.parent / "data" / "damaged" / "input_without_output.om"
    with pytest.raises(errors.ModelFileError, match="an input of its graphs has not one output"):
        ge.om.load(damaged)
