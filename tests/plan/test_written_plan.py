"""The plan as the OM file has it, checked by walking through its operators and tasks."""

import math
import struct

import numpy as np
import onnx
import pytest
from compile.conftest import compile_command, save, shape_flag
from om.om_files import message, read_om
from onnx import TensorProto, helper

ARENA = 0x80000000
BITS = {1: 32, 2: 16, 3: 8, 4: 8, 5: 16, 6: 16, 7: 32, 8: 64, 9: 32, 10: 64, 11: 8, 12: 64, 27: 16}
# Operators that read an element before they write the one in its place.
IN_PLACE = {
    *("Add", "Sub", "Mul", "RealDiv", "Neg", "Abs", "Exp", "Pow", "Sqrt", "BNInfer"),
    *("Relu", "ClipByValue", "Sigmoid", "Tanh", "HardSwish", "HardSigmoid", "Swish"),
    *("LeakyRelu", "Gelu", "PRelu", "SoftmaxV2", "LogSoftmaxV2"),
}
KERNEL, LABEL_SET, MEMCPY, END_GRAPH, SWITCH, GOTO = 0, 9, 13, 19, 23, 24


def nbytes(desc):
    return math.prod(desc.shape.dim) * BITS[desc.dtype] // 8


class Walk:
    """One graph of a file: where its values lie and how long each is needed."""

    def __init__(self, graph, computed):
        self.ops = list(graph.op)
        self.offsets = {}  # value name -> (offset, bytes)
        self.root = {}  # value name -> value whose memory it is
        self.born = {}
        self.last_use = {}
        consts = {f"{op.name}:0" for op in self.ops if op.type == "Const"}
        for step, op in enumerate(self.ops):
            for name in op.input:
                if name and name not in consts:
                    root = self.root[name]
                    self.last_use[root] = max(self.last_use[root], step)
            if op.type == "Const":
                continue
            for i, desc in enumerate(op.output_desc):
                name = f"{op.name}:{i}"
                self.offsets[name] = (op.output_i[i], nbytes(desc))
                is_view = op.name not in computed and op.type != "Data"
                viewed = next((input for input in op.input if input in self.root), None)
                self.root[name] = self.root[viewed] if is_view else name
                self.born.setdefault(self.root[name], 0 if op.type == "Data" else step)
                self.last_use.setdefault(self.root[name], step)

    def in_place(self, before, after):
        """Whether the operator of one value is the last to read the other, and works in place."""
        op = self.ops[self.born[after]]
        read = {self.root[name] for name in op.input if name in self.root}
        return (
            self.last_use[before] == self.born[after]
            and before in read
            and self.offsets[before] == self.offsets[after]
            and op.type in IN_PLACE
        )

    def collisions(self):
        """Pairs of values that are needed at the same time and share bytes."""
        roots = sorted(self.born, key=self.born.get)
        for i, a in enumerate(roots):
            start, size = self.offsets[a]
            for b in roots[:i]:
                if self.last_use[b] < self.born[a] or self.last_use[a] < self.born[b]:
                    continue
                if self.in_place(b, a):
                    continue
                other, other_size = self.offsets[b]
                if start < other + other_size and other < start + size:
                    yield a, b


def read(path):
    om = read_om(path)
    model = om.model_def()
    tasks = message("ModelTaskDef", om.partition(2))
    names = [name.decode() for name in model.attr["task_index_op_name"].list.s]
    return model, tasks, names


@pytest.mark.parametrize("flags", [[], ["--disable_reuse_memory=1"]])
@pytest.mark.parametrize(
    "name", ["ppocr_v4_det", "ppocr_v4_rec", "yolov8n_nudenet", "silero_vad_v6_static"]
)
def test_values_needed_together_share_no_byte(run, atc, models, tmp_path, name, flags):
    done = run(*compile_command(atc, models(name), tmp_path / "net", *shape_flag(name), *flags))
    assert done.status == 0, done.stdout
    model, _, names = read(tmp_path / "net.om")
    walk = Walk(model.graph[0], set(names))
    assert len(walk.born) > 10
    assert list(walk.collisions()) == []
    memory = model.attr["memory_size"].i
    assert all(start + size <= memory for start, size in walk.offsets.values())


def test_an_activation_works_in_place(run, atc, tmp_path):
    nodes = [
        helper.make_node("MatMul", ["x", "x"], ["product"], name="product"),
        helper.make_node("Celu", ["product"], ["positive"], name="celu"),
        helper.make_node("Add", ["positive", "x"], ["y"], name="sum"),
        helper.make_node("Mul", ["y", "positive"], ["z"], name="kept"),
        helper.make_node("MatMul", ["z", "y"], ["out"], name="last"),
    ]
    model = save(tmp_path / "net.onnx", nodes, {"x": [64, 64]}, {"out": [64, 64]})
    done = run(*compile_command(atc, model, tmp_path / "net"))
    assert done.status == 0, done.stdout
    offsets = {
        op.name: list(op.output_i) for op in read(tmp_path / "net.om")[0].graph[0].op if op.output_i
    }
    assert offsets["celu"] == offsets["product"]
    assert offsets["sum"] == offsets["x"]  # the last to read it; "positive" is needed once more
    assert offsets["kept"] == offsets["celu"]  # "y" is needed once more


def test_a_task_addresses_what_its_operator_reads_and_writes(run, atc, models, tmp_path):
    name = "ppocr_v2_cls"
    run(*compile_command(atc, models(name), tmp_path / "net", *shape_flag(name)))
    model, tasks, names = read(tmp_path / "net.om")
    ops = {op.name: op for op in model.graph[0].op}
    weights = ARENA + model.attr["memory_size"].i
    assert tasks.task[-1].type == END_GRAPH
    assert len(names) == len(tasks.task)
    for task, op_name in list(zip(tasks.task, names, strict=True))[:-1]:
        op = ops[op_name]
        assert task.kernel.context.op_index == op.id
        assert task.kernel.kernel_name == op.type
        args = list(struct.unpack(f"<{len(task.kernel.args) // 8}Q", task.kernel.args))
        expected, offsets = [], iter(op.input_i)
        for edge, is_const in zip(op.input, op.is_input_const, strict=True):
            base = weights if is_const else ARENA
            expected.append(base + next(offsets) if edge else 2**64 - 1)
        expected += [ARENA + offset for offset in op.output_i]
        assert args == expected


@pytest.fixture
def branching_model(tmp_path):
    """y = a + (2 |x| if flag else -x), with the condition known at run time."""

    def branch(name, nodes, extra=()):
        out = helper.make_tensor_value_info(f"{name}_out", TensorProto.FLOAT, [256])
        return helper.make_graph(nodes, name, [], [out], list(extra))

    then_nodes = [
        helper.make_node("Abs", ["x"], ["ax"], name="abs"),
        helper.make_node("Add", ["ax", "ax"], ["then_out"], name="twice"),
    ]
    else_nodes = [helper.make_node("Neg", ["x"], ["else_out"], name="neg")]
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="relu"),
        helper.make_node(
            "If",
            ["flag"],
            ["b"],
            name="choose",
            then_branch=branch("then", then_nodes),
            else_branch=branch("else", else_nodes),
        ),
        helper.make_node("Add", ["a", "b"], ["y"], name="sum"),
    ]
    inputs = {"x": [256], "flag": (TensorProto.BOOL, [])}
    return save(tmp_path / "if.onnx", nodes, inputs, {"y": [256]})


def test_branches_work_in_the_workspace_of_their_if(run, atc, branching_model, tmp_path):
    done = run(*compile_command(atc, branching_model, tmp_path / "net"))
    assert done.status == 0, done.stdout
    model, _, names = read(tmp_path / "net.om")
    root, then_graph, else_graph = model.graph
    choose = next(op for op in root.op if op.name == "choose")
    assert list(choose.subgraph_name) == [then_graph.name, else_graph.name]
    (start,), (size,) = choose.workspace, choose.workspace_bytes
    x = next(op for op in root.op if op.name == "x")
    for graph in (then_graph, else_graph):
        for op in graph.op:
            if op.type == "Data":
                assert list(op.output_i) == list(x.output_i)
            elif op.type != "NetOutput":
                assert start <= op.output_i[0] and op.output_i[0] + 1024 <= start + size
    walk = Walk(root, set(names))
    assert list(walk.collisions()) == []
    live = [name for name, last in walk.last_use.items() if last >= choose.id >= walk.born[name]]
    for name in live:
        offset, count = walk.offsets[name]
        assert offset + count <= start or start + size <= offset, name


def test_tasks_jump_to_the_branch_that_is_taken(run, atc, branching_model, tmp_path):
    order = "--topo_sorting_mode=3"  # of the source
    run(*compile_command(atc, branching_model, tmp_path / "net", order))
    _, tasks, names = read(tmp_path / "net.om")
    assert list(zip((task.type for task in tasks.task), names, strict=True)) == [
        (KERNEL, "relu"),
        (SWITCH, "choose"),
        (LABEL_SET, "choose"),
        (KERNEL, "neg"),
        (MEMCPY, "choose"),
        (GOTO, "choose"),
        (LABEL_SET, "choose"),
        (KERNEL, "abs"),
        (KERNEL, "twice"),
        (MEMCPY, "choose"),
        (GOTO, "choose"),
        (LABEL_SET, "choose"),
        (KERNEL, "sum"),
        (END_GRAPH, "NetOutput"),
    ]


def test_a_constant_condition_leaves_one_branch(run, atc, branching_model, tmp_path):
    model = onnx.load(branching_model)
    del model.graph.input[1]
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array(False), "flag"))
    onnx.save(model, tmp_path / "constant.onnx")
    run(*compile_command(atc, tmp_path / "constant.onnx", tmp_path / "net"))
    written, _, names = read(tmp_path / "net.om")
    assert len(written.graph) == 1
    assert names == ["relu", "neg", "sum", "NetOutput"]
