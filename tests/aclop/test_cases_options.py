"""Cases E: options, model folders, kernels, shapes, dumps; what a process does once, in its own."""

import struct

import numpy as np
import pytest
from aclop.words import code, d, fresh
from google.protobuf import text_format
from om.om_files import message

from ge import aclop
from ge.aclop import CompileOpt, acl


def test_e1_e2_e3_e4_setting_options(fresh_process):
    # E1, a value that is NULL, is a TypeError.
    assert fresh_process("""
        print(code(aclop.set_compile_option, CompileOpt.AUTO_TUNE_MODE, "x"))
        print(code(aclop.set_compile_option, 99, "x"))
        print(code(aclop.set_compile_option, CompileOpt.PRECISION_MODE, "garbage"))
        print(compile_code("Add", [d(2, 3)] * 2, [d(2, 3)]))
    """) == ["200006", "500000", "0", "500002"]
    with pytest.raises(TypeError):
        aclop.set_compile_option(CompileOpt.PRECISION_MODE, None)


def test_e5_sizes_of_options(fresh_process):
    assert fresh_process("""
        print(acl.op.get_compileopt_size(10), acl.op.get_compileopt_size(0))
        print(acl.op.set_compileopt(0, "ab"), acl.op.get_compileopt_size(0))
    """) == ["256", "0", "0", "3"]


def test_e6_e7_getting_options(fresh_process):
    assert fresh_process("""
        debug = CompileOpt.OP_DEBUG_OPTION
        aclop.set_compile_option(CompileOpt.PRECISION_MODE, "must_keep_origin_dtype")
        print(code(aclop.get_compile_option, CompileOpt.PRECISION_MODE))
        print(code(aclop.get_compile_option, debug))
        aclop.set_compile_option(debug, "oom")
        print(code(aclop.get_compile_option, debug, 2))
        print(aclop.get_compile_option(debug, 4), aclop.get_compile_option(debug))
        print(aclop.get_compile_option(CompileOpt.OP_JIT_COMPILE))
    """) == ["200001", "200001", "500001", "oom", "oom", "enable"]


def test_e8_the_case_of_a_value_counts(fresh_process):
    assert fresh_process("""
        print(code(aclop.set_compile_option, CompileOpt.OP_JIT_COMPILE, "ENABLE"))
        # Not enabled: operators are looked up for all shapes first, so open dims are no fault.
        print(execute_code("Add", [d(-1, 3), d(2, 3)], [d(2, 3)]))
    """) == ["0", "100024"]


def test_e9_e10_folders_of_models(fresh_process, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    assert fresh_process("""
        print(*(code(aclop.model_dir, name) for name in ("missing", "empty", "other", "missing")))
    """) == ["100014", "0", "100002", "100014"]


def test_e11_e12_files_that_are_not_loaded(fresh_process, tmp_path):
    for name in ("a.OM", "one/two/three/b.om"):
        path = tmp_path / "models" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
        path.chmod(0)  # what is read cannot be: as root, it is skipped as no model
    assert fresh_process('print(code(aclop.model_dir, "models"))') == ["0"]


def test_e13_models_in_memory():
    header_only = bytes(256)
    assert code(aclop.load, b"") == 100000
    assert code(aclop.load, header_only) == 100013
    assert code(aclop.load, bytes(400)) == 100013
    # The length of what follows the header is right, and what follows is no model.
    no_model = bytearray(400)
    struct.pack_into("<Q", no_model, 184, 400 - 256)
    assert code(aclop.load, no_model) == 100012
    assert acl.op.load(0, 100) == 100000


def kernel(op_type, kernel_id, engine):
    memory, _ = acl.rt.malloc(8, 0)
    return acl.op.create_kernel(op_type, kernel_id, "name", memory, 8, engine, 0)


def test_e14_e15_kernels():
    assert kernel("Mine", "k", 1) == 0
    assert kernel("Mine", "k", 1) == 100031
    assert kernel("Mine", "k", 0) == 100031
    assert kernel("Mine", "other", 0) == 100000
    assert acl.op.create_kernel("Mine", "k", "name", 0, 8, 1, 0) == 100000


def test_e16_e17_compile_functions():
    assert acl.op.register_compile_func("Chosen", print) == 0
    assert acl.op.register_compile_func("Chosen", print) == 100030
    assert acl.op.unregister_compile_func("Other") == 0
    assert acl.op.unregister_compile_func("Chosen") == 0
    assert acl.op.register_compile_func("Chosen", print) == 0
    assert acl.op.unregister_compile_func("Chosen") == 0


def test_e18_e19_kernels_that_are_chosen():
    desc, attr = acl.create_tensor_desc(1, [fresh(), 3], 2), acl.op.create_attr()
    args, _ = acl.rt.malloc(8, 0)
    memory, _ = acl.rt.malloc(64, 0)
    kept = []

    def choose(num_in, inputs, num_out, outputs, attr, kernel_desc):
        assert (num_in, num_out) == (len(inputs), len(outputs)) == (1, 1)
        assert acl.get_tensor_desc_dim_v2(inputs[0], 1) == (3, 0)
        kept.append(kernel_desc)
        assert acl.op.set_kernel_args(kernel_desc, kernel_id, 1, args, 8) == 0
        assert acl.op.set_kernel_workspace_sizes(kernel_desc, workspaces, [0] * workspaces) == 0
        return 5  # is ignored

    def update():
        return acl.op.update_params("Updated", [desc], [desc], attr)

    kernel_id, workspaces = "k", 17
    assert update() == 100028
    assert acl.op.register_compile_func("Updated", choose) == 0
    assert update() == 100029
    assert kernel("Updated", "k", 1) == 0
    assert update() == 0
    with pytest.raises(ValueError, match="is no kernel description"):
        acl.op.set_kernel_args(kept[0], "k", 1, args, 8)
    buffer = acl.create_data_buffer(memory, 64)
    assert acl.op.execute_v2("Updated", [desc], [buffer], [desc], [buffer], attr, 0) == 100000
    workspaces = 1
    acl.op.unregister_compile_func("Updated")


def test_what_a_compile_function_raises_comes_through():
    assert acl.op.register_compile_func("Raises", lambda *_: 1 / 0) == 0
    with pytest.raises(ZeroDivisionError):
        acl.op.update_params("Raises", [], [], 0)
    acl.op.unregister_compile_func("Raises")


def flat_infer(nbytes):
    """The status of inferring Add with a first buffer of so many bytes, and the dims."""
    descs = [acl.create_tensor_desc(0, dims, 2) for dims in ([4, 1], [1, 3])]
    memory, _ = acl.rt.malloc(16, 0)
    buffers = [acl.create_data_buffer(memory if n else 0, n) for n in (nbytes, 12)]
    out = acl.create_tensor_desc(-1, [], -1)
    ret = acl.op.infer_shape("Add", descs, buffers, 1, [out], 0)
    return ret, [acl.get_tensor_desc_dim(out, i) for i in range(2)]


def test_e20_e21_shapes(monkeypatch):
    monkeypatch.delenv("ASCEND_OPP_PATH", raising=False)
    assert flat_infer(16)[0] == 148049
    monkeypatch.setenv("ASCEND_OPP_PATH", "/")
    assert flat_infer(0)[0] == 100000
    assert flat_infer(16) == (0, [4, 3])


def test_shapes_that_depend_on_values():
    x = d(2, 3)
    (known,) = aclop.infer_shape("Tile", [x, np.array([2, 5], np.int32)])
    assert known.dims == (4, 15)
    (open_,) = aclop.infer_shape("Tile", [x, d(2, dtype="int32")])
    assert open_.dims == (-1, -1)
    assert open_.shape_range == ((1, None), (1, None))


def dump(path):
    return aclop.dump_graph("Add", [d(2, 3)] * 2, [d(2, 3)], path=path)


def test_a_dump_is_the_text_of_a_model_definition(tmp_path):
    path = tmp_path / "model.txt"
    weight = d(2, 3, constant=np.arange(6, dtype=np.float16))
    open_dims = d(-1, 3, shape_range=[(1, 8), (3, 3)])
    group = [d(2, 3, dynamic_input="x"), d(2, 3, dynamic_input="x")]
    aclop.dump_graph("Add", [open_dims, weight], [d(-1, 3)], path=str(path))
    model = text_format.Parse(path.read_text(), message("ModelDef"))
    (graph,) = model.graph
    types = sorted(node.type for node in graph.op)
    assert types == ["Add", "Const", "Data", "NetOutput"]
    (data,) = (node for node in graph.op if node.type == "Data")
    assert list(data.output_desc[0].shape.dim) == [-1, 3]
    (const,) = (node for node in graph.op if node.type == "Const")
    assert const.attr["value"].t.data == np.arange(6, dtype=np.float16).tobytes()

    aclop.dump_graph("ConcatD", group, [d(4, 3)], {"concat_dim": 0}, path=str(path))
    model = text_format.Parse(path.read_text(), message("ModelDef"))
    (concat,) = (node for node in model.graph[0].op if node.type == "ConcatD")
    assert concat.attr["concat_dim"].i == 0
    assert list(concat.attr["_dynamic_input_index_start"].list.i) == [0]
    assert list(concat.attr["_dynamic_input_index_end"].list.i) == [1]


def test_e23_e24_dumps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert code(dump, "out.txt") != 0  # a path without a separator
    assert code(dump, "./missing/out.txt") != 0
    dump(f"{tmp_path}/")
    (made,) = tmp_path.iterdir()
    assert made.name.startswith("ge_proto_00000_Add")
    dump("./out.txt")
    assert "Add" in (tmp_path / "out.txt").read_text()
