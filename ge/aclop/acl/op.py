"""``acl.op``: attributes, compiling and running operators under pyACL's names.

The functions that pyACL lacks are ``compile``, ``compile_and_execute``, ``compile_and_execute_v2``,
``set_compileopt``, ``get_compileopt``, ``get_compileopt_size``, ``set_compile_flag`` and
``gen_graph_and_dump``.
"""

from __future__ import annotations

import os

from ge import _aclop
from ge._aclop import NULL_POINTER, Attrs, DataBuffer, Handle, TensorDesc, fail_with
from ge.aclop._errors import AclError
from ge.aclop.acl import _memory
from ge.aclop.acl._arguments import Arguments
from ge.aclop.acl._attr import (
    byte,
    create_attr,
    destroy_attr,
    set_attr_bool,
    set_attr_data_type,
    set_attr_float,
    set_attr_int,
    set_attr_list_bool,
    set_attr_list_data_type,
    set_attr_list_float,
    set_attr_list_int,
    set_attr_list_list_int,
    set_attr_list_string,
    set_attr_string,
)
from ge.aclop.acl._handles import add, fail, get_all, status, take
from ge.aclop.acl._kernel import (
    create_kernel,
    register_compile_func,
    set_kernel_args,
    set_kernel_workspace_sizes,
    unregister_compile_func,
    update_params,
)
from ge.aclop.acl._tensor import check_int, present
from ge.aclop.acl.rt import check_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "cast",
    "compile",
    "compile_and_execute",
    "compile_and_execute_v2",
    "create_attr",
    "create_handle",
    "create_handle_for_cast",
    "create_kernel",
    "destroy_attr",
    "destroy_handle",
    "execute",
    "execute_v2",
    "execute_with_handle",
    "gen_graph_and_dump",
    "get_compileopt",
    "get_compileopt_size",
    "infer_shape",
    "load",
    "register_compile_func",
    "set_attr_bool",
    "set_attr_data_type",
    "set_attr_float",
    "set_attr_int",
    "set_attr_list_bool",
    "set_attr_list_data_type",
    "set_attr_list_float",
    "set_attr_list_int",
    "set_attr_list_list_int",
    "set_attr_list_string",
    "set_attr_string",
    "set_compile_flag",
    "set_compileopt",
    "set_kernel_args",
    "set_kernel_workspace_sizes",
    "set_max_op_queue_num",
    "set_model_dir",
    "start_dump_args",
    "stop_dump_args",
    "unregister_compile_func",
    "update_params",
]


@status
def compile(
    op_type: str,
    inputs: list[int],
    outputs: list[int],
    attr: int = 0,
    engine: int = 0,
    flag: int = 0,
    path: str | None = None,
    /,
) -> None:
    """Compile an operator, unless it has been compiled before."""
    call = Arguments(op_type, inputs, None, outputs, None, attr)
    _aclop.compile_only(*call.tensors, engine=engine, flag=flag, path=path)


@status
def compile_and_execute(
    op_type: str,
    inputs: list[int],
    input_buffers: list[int],
    outputs: list[int],
    output_buffers: list[int],
    attr: int,
    engine: int,
    flag: int,
    path: str | None,
    stream: int,
    /,
) -> None:
    """Compile an operator, unless it has been compiled before, and run it."""
    check_stream(stream)
    call = Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
    _aclop.compile_and_execute(*call.tensors, engine=engine, flag=flag, path=path, refresh=False)


@status
def compile_and_execute_v2(
    op_type: str,
    inputs: list[int],
    input_buffers: list[int],
    outputs: list[int],
    output_buffers: list[int],
    attr: int,
    engine: int,
    flag: int,
    path: str | None,
    stream: int,
    /,
) -> None:
    """Do the same; descriptions of outputs get the shapes of the results."""
    check_stream(stream)
    call = Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
    _aclop.compile_and_execute(*call.tensors, engine=engine, flag=flag, path=path)


@status
def execute(
    op_type: str,
    inputs: list[int],
    input_buffers: list[int],
    outputs: list[int],
    output_buffers: list[int],
    attr: int,
    stream: int,
    /,
) -> None:
    """Run an operator that has been compiled or loaded."""
    check_stream(stream)
    call = Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
    _aclop.execute(*call.tensors, refresh=False)


@status
def execute_v2(
    op_type: str,
    inputs: list[int],
    input_buffers: list[int],
    outputs: list[int],
    output_buffers: list[int],
    attr: int,
    stream: int,
    /,
) -> None:
    """Do the same; descriptions of outputs get shapes that were not known before."""
    check_stream(stream)
    call = Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
    _aclop.execute(*call.tensors)


def create_handle(
    op_type: str, inputs: list[int], outputs: list[int], attr: int, /
) -> tuple[int, int]:
    """Return a handle of an operator that has been compiled or loaded, and the status."""
    call = Arguments(op_type, inputs, None, outputs, None, attr)
    return _handle_of(*call.tensors)


def _handle_of(op_type: str, inputs: Any, outputs: Any, attrs: Any) -> tuple[int, int]:
    try:
        return add(_aclop.create_handle(op_type, inputs, outputs, attrs)), 0
    except AclError as error:
        return 0, fail(error)


def destroy_handle(handle: int, /) -> None:
    """Destroy a handle; nothing happens for 0."""
    value = take(handle, Handle)
    if value is not None:
        value.close()


@status
def execute_with_handle(
    handle: int, input_buffers: list[int], output_buffers: list[int], stream: int, /
) -> None:
    """Run the operator of a handle."""
    check_stream(stream)
    operator = present(handle, Handle, "handle")
    inputs = get_all(input_buffers, DataBuffer, "input_buffers")
    outputs = get_all(output_buffers, DataBuffer, "output_buffers")
    held = _memory.hold(inputs + outputs)
    operator.execute(inputs, outputs)
    del held


def _cast_attrs(dst_desc: int, truncate: int) -> Attrs:
    attrs = Attrs({"dst_type": int(present(dst_desc, TensorDesc, "dstDesc").dtype)})
    if _aclop.cast_takes_truncate():
        attrs["truncate"] = bool(byte(truncate))
    return attrs


@status
def cast(
    src_desc: int, src_buffer: int, dst_desc: int, dst_buffer: int, truncate: int, stream: int, /
) -> None:
    """Run the operator Cast."""
    check_stream(stream)
    attrs = _cast_attrs(dst_desc, truncate)
    call = Arguments("Cast", [src_desc], [src_buffer], [dst_desc], [dst_buffer], 0)
    _aclop.execute("Cast", call.inputs, call.outputs, attrs)


def create_handle_for_cast(src_desc: int, dst_desc: int, truncate: int, /) -> tuple[int, int]:
    """Return a handle of the operator Cast, and the status."""
    try:
        attrs = _cast_attrs(dst_desc, truncate)
    except AclError as error:
        return 0, fail(error)
    call = Arguments("Cast", [src_desc], None, [dst_desc], None, 0)
    return _handle_of("Cast", call.inputs, call.outputs, attrs)


@status
def infer_shape(
    op_type: str,
    inputs: list[int],
    input_buffers: list[int],
    num_outputs: int,
    outputs: list[int],
    attr: int,
    /,
) -> None:
    """Write data type, format and shape of the results into the descriptions of outputs."""
    if check_int(num_outputs, "num_outputs") < 0:
        fail_with("invalid_param", f"EH0001: value [{num_outputs}] of numOutputs is negative.")
    call = Arguments(op_type, inputs, input_buffers, outputs, None, attr)
    descs = [desc for desc, _ in call.outputs][:num_outputs]
    descs += [NULL_POINTER] * (num_outputs - len(descs))
    _aclop.infer_shape(
        op_type, call.inputs, descs, call.attrs, opp_path=os.environ.get("ASCEND_OPP_PATH", "")
    )


@status
def gen_graph_and_dump(
    op_type: str,
    inputs: list[int],
    input_buffers: list[int],
    outputs: list[int],
    output_buffers: list[int],
    attr: int,
    engine: int,
    path: str,
    /,
) -> None:
    """Write the graph of an operator as text."""
    call = Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
    _aclop.dump_graph(*call.tensors, path=path, engine=engine)


@status
def set_model_dir(path: str, /) -> None:
    """Load the single-operator models of a folder; once per process."""
    _aclop.model_dir(path)


@status
def load(address: int, nbytes: int, /) -> None:
    """Load one single-operator model from memory."""
    if check_int(address, "address") == 0 or check_int(nbytes, "nbytes") == 0:
        _aclop.load(DataBuffer(address, nbytes))
        return
    held = _memory.find(address, nbytes)
    _aclop.load(DataBuffer(address, nbytes))
    del held


@status
def set_compileopt(opt: int, value: str, /) -> None:
    """Set an option for operators that are compiled from now on."""
    _aclop.set_compile_option(check_int(opt, "opt"), value)


def get_compileopt(opt: int, /) -> tuple[str, int]:
    """Return the text of an option, and the status."""
    try:
        return _aclop.get_compile_option(check_int(opt, "opt")), 0
    except AclError as error:
        return "", fail(error)


def get_compileopt_size(opt: int, /) -> int:
    """Return the bytes that the text of an option takes; 0: it is not set."""
    return _aclop.compile_option_size(check_int(opt, "opt"))


@status
def set_compile_flag(flag: int, /) -> None:
    """Choose how operators are looked up: 0 exactly, 1 for all shapes."""
    _aclop.set_compile_flag(check_int(flag, "flag"))


@status
def set_max_op_queue_num(limit: int, /) -> None:
    """Limit how many compiled operators are kept."""
    _aclop.set_max_op_queue_num(check_int(limit, "limit"))


@status
def start_dump_args(dump_type: int, path: str, /) -> None:
    """Fail: not supported on the host."""
    check_int(dump_type, "dump_type")
    if not isinstance(path, str):
        raise TypeError(f"path is {type(path).__name__}, not str")
    fail_with("rt_feature_not_support", "EH0006: start_dump_args is not supported on the host.")


@status
def stop_dump_args(dump_type: int, /) -> None:
    """Fail: not supported on the host."""
    check_int(dump_type, "dump_type")
    fail_with("rt_feature_not_support", "EH0006: stop_dump_args is not supported on the host.")
