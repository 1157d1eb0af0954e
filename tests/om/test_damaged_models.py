"""Opening and running files that are cut off or changed: an exception or a result, no crash."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from om.om_files import build_om, message, read_om, rewritten
from onnx import TensorProto, helper

import ge.om
from ge.errors import GeError, ModelFileError, RunError

FOREIGN = ["flow_model", "gemm_singleop", "hiai_softmax", "three_blocks"]


def use(path):
    """Do all that can be done with a file that may be damaged."""
    try:
        model = ge.om.load(path)
        assert model.summary()
        for value in model.weights.values():
            np.asarray(value).tobytes()
        small = all(
            port.shape is not None and np.prod([dim or 1 for dim in port.shape]) < 1e6
            for port in model.inputs
        )
        if model.runnable and small:
            dtypes = [port.dtype for port in model.inputs]
            shapes = [[1 if dim is None else dim for dim in port.shape] for port in model.inputs]
            model(*(np.zeros(*pair) for pair in zip(shapes, dtypes, strict=True)))
    except (GeError, MemoryError) as error:
        assert str(error) or isinstance(error, MemoryError)
    except TypeError as error:  # a dtype of the file that NumPy does not have
        assert "data type" in str(error)


@pytest.fixture(scope="session")
def sources(add_om, index_om, samples):
    files = {name: (samples / f"{name}.om").read_bytes() for name in FOREIGN}
    return files | {"add": add_om.read_bytes(), "index": index_om.read_bytes()}


NAMES = st.sampled_from([*FOREIGN, "add", "index", "add", "index"])


@given(NAMES, st.data())
def test_cut_off_files(sources, tmp_path_factory, name, data):
    whole = sources[name]
    path = tmp_path_factory.getbasetemp() / "cut.om"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(GeError):
        ge.om.load(path)


@given(NAMES, st.data())
def test_changed_bytes(sources, tmp_path_factory, name, data):
    damaged = bytearray(sources[name])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, 400) | st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "changed.om"
    path.write_bytes(damaged)
    use(path)


@given(NAMES, NAMES, st.data())
def test_partitions_of_another_model(sources, tmp_path_factory, name, other, data):
    """Graph, weights and tasks that do not belong together."""
    folder = tmp_path_factory.getbasetemp()
    files = []
    for which in (name, other):
        path = folder / "whole.om"
        path.write_bytes(sources[which])
        files.append(dict(read_om(path).blocks[0]))
    mixed = [
        (kind, files[data.draw(st.booleans())].get(kind, value)) for kind, value in files[0].items()
    ]
    path = folder / "mixed.om"
    path.write_bytes(build_om([mixed]))
    use(path)


@given(st.binary(max_size=300), st.binary(max_size=300))
@example(b"", b"")
def test_any_task_list_and_weights(sources, tmp_path_factory, tasks, weights):
    folder = tmp_path_factory.getbasetemp()
    path = folder / "whole.om"
    path.write_bytes(sources["add"])
    parts = dict(read_om(path).blocks[0]) | {1: weights, 2: tasks}
    path.write_bytes(build_om([list(parts.items())]))
    use(path)


@pytest.fixture(scope="session")
def growing_om(compiled):
    """OM of ``y = Neg(NonZero(x))``: no value but x has a place in memory."""
    nodes = [helper.make_node("NonZero", ["x"], ["t"]), helper.make_node("Neg", ["t"], ["y"])]
    return compiled(nodes, {"x": [4]}, {"y": (TensorProto.INT64, [1, None])}, name="growing")


@pytest.mark.parametrize("missing", [0, 1])
def test_a_value_of_unknown_size_that_no_task_computes(growing_om, missing):
    path = rewritten(growing_om, lambda model, tasks: tasks.task.pop(missing))
    with ge.om.load(path) as model, pytest.raises(RunError, match="has not been computed"):
        model(np.ones(4, np.float32))


def test_a_task_before_the_one_whose_result_it_needs(growing_om):
    def turn(model, tasks):
        first = message("TaskDef", tasks.task[0].SerializeToString())
        tasks.task[0].CopyFrom(tasks.task[1])
        tasks.task[1].CopyFrom(first)

    with ge.om.load(rewritten(growing_om, turn)) as model:
        for _ in range(2):
            with pytest.raises(RunError, match="has not been computed"):
                model(np.ones(4, np.float32))


@pytest.mark.parametrize("dims", [[1 << 25], [2, 2], [], [-1]])
def test_a_constant_that_is_said_to_be_larger_than_it_is(add_om, dims):
    def change(model, tasks):
        (constant,) = [op for op in model.graph[0].op if op.type == "Const"]
        constant.output_desc[0].shape.dim[:] = dims

    with pytest.raises(ModelFileError, match="has no bytes in the weights"):
        ge.om.load(rewritten(add_om, change))


@pytest.mark.parametrize("size", [1 << 63, (1 << 64) - 1, (1 << 64) - 4096])
def test_an_impossible_size_of_memory_is_refused(add_om, size):
    def change(model, tasks):
        tasks.memory_size = size

    with pytest.raises(ModelFileError, match="memory is impossible"):
        ge.om.load(rewritten(add_om, change))


def test_memory_that_no_machine_has_is_a_memory_error(add_om):
    def change(model, tasks):
        tasks.memory_size = 1 << 56
        for task in tasks.task:  # behind the memory lie the weights
            arguments = np.frombuffer(task.kernel.args, np.uint64).copy()
            arguments[arguments >= 0x80000000 + old] += np.uint64((1 << 56) - old)
            task.kernel.args = arguments.tobytes()

    old = message("ModelTaskDef", read_om(add_om).partition(2)).memory_size
    with ge.om.load(rewritten(add_om, change)) as model, pytest.raises(MemoryError):
        model(np.zeros((2, 3), np.float32), np.zeros(3, np.float32))


def test_a_result_across_what_the_task_reads_is_refused(add_om):
    def change(model, tasks):
        arguments = np.frombuffer(tasks.task[0].kernel.args, np.uint64).copy()
        arguments[2] = arguments[0] + 16
        tasks.task[0].kernel.args = arguments.tobytes()

    with pytest.raises(ModelFileError, match=r"\[add\].*writes over what it reads"):
        ge.om.load(rewritten(add_om, change))


@pytest.fixture(scope="session")
def if_om(compiled):
    """OM of ``y = -x if b else |x|``."""

    def graph(name, op_type):
        result = helper.make_tensor_value_info(name, TensorProto.FLOAT, [2])
        return helper.make_graph([helper.make_node(op_type, ["x"], [name])], name, [], [result])

    branches = {"then_branch": graph("t", "Neg"), "else_branch": graph("e", "Abs")}
    node = helper.make_node("If", ["b"], ["y"], **branches)
    return compiled([node], {"b": (TensorProto.BOOL, []), "x": [2]}, {"y": [2]}, name="if")


def drop_branch(model, tasks):
    for op in model.graph[0].op:
        del op.subgraph_name[1:]


def drop_branches(model, tasks):
    for op in model.graph[0].op:
        del op.subgraph_name[:]


def drop_result(model, tasks):
    op = model.graph[1].op[-1]
    assert op.type == "NetOutput"
    del op.input[:]
    del op.input_desc[:]


def drop_end(model, tasks):
    del model.graph[1].op[-1]


@pytest.mark.parametrize("change", [drop_branch, drop_branches, drop_result, drop_end])
def test_an_if_without_branches_or_results_is_refused(if_om, change):
    with pytest.raises(ModelFileError, match=r"branch|graph|result|outputs"):
        ge.om.load(rewritten(if_om, change))
