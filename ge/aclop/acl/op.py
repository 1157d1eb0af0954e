"""``acl.op``: attributes, compiling and running operators under pyACL's names.

The functions that pyACL lacks are ``compile``, ``compile_and_execute``, ``compile_and_execute_v2``,
``set_compileopt``, ``get_compileopt``, ``get_compileopt_size``, ``set_compile_flag`` and
``gen_graph_and_dump``.
"""

from __future__ import annotations

import os

from ge import _aclop
from ge._aclop import (
    NULL_POINTER,
    Attrs,
    DataBuffer,
    Handle,
    KernelChoice,
    TensorDesc,
    fail_with,
)
from ge.aclop._errors import AclError
from ge.aclop.acl import _memory
from ge.aclop.acl._handles import add, fail, get_all, get_or_none, status, take
from ge.aclop.acl._tensor import check_int, check_list, null, present
from ge.aclop.acl.rt import check_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def create_attr() -> int:
    """Return new attributes."""
    return add(Attrs())


def destroy_attr(attr: int, /) -> None:
    """Destroy attributes; nothing happens for 0."""
    take(attr, Attrs)


def _set(attr: int, name: str, value: Any, kind: str) -> None:
    if not isinstance(name, str):
        raise TypeError(f"name is {type(name).__name__}, not str")
    present(attr, Attrs, "attr").set(name, value, kind)


def _list(values: Any, element: type) -> list[Any]:
    """Return a list whose elements are of a type; an array of numbers counts as one."""
    if not isinstance(values, list) and hasattr(values, "tolist"):
        values = values.tolist()
    for value in check_list(values, "values"):
        if not isinstance(value, element):
            raise TypeError(f"an element is {type(value).__name__}, not {element.__name__}")
    return list(values)


def _byte(value: Any) -> int:
    number = check_int(value, "a bool")
    if not 0 <= number <= 255:
        raise ValueError(f"{number} is no byte")
    return number


@status
def set_attr_bool(attr: int, name: str, value: int, /) -> None:
    """Set a bool; any byte but 0 is true."""
    _set(attr, name, _byte(value) != 0, "bool")


@status
def set_attr_int(attr: int, name: str, value: int, /) -> None:
    """Set an integer."""
    _set(attr, name, check_int(value, "value"), "int")


@status
def set_attr_float(attr: int, name: str, value: float, /) -> None:
    """Set a float."""
    _set(attr, name, value, "float")


@status
def set_attr_string(attr: int, name: str, value: str, /) -> None:
    """Set a text."""
    _set(attr, name, value, "string")


@status
def set_attr_list_bool(attr: int, name: str, values: list[int], /) -> None:
    """Set bools; any byte but 0 is true."""
    _set(attr, name, [_byte(value) != 0 for value in _list(values, int)], "list_bool")


@status
def set_attr_list_int(attr: int, name: str, values: list[int], /) -> None:
    """Set integers."""
    _set(attr, name, _list(values, int), "list_int")


@status
def set_attr_list_float(attr: int, name: str, values: list[float], /) -> None:
    """Set floats; ints are refused."""
    _set(attr, name, _list(values, float), "list_float")


@status
def set_attr_list_string(attr: int, name: str, values: list[str], /) -> None:
    """Set texts."""
    _set(attr, name, _list(values, str), "list_string")


@status
def set_attr_list_list_int(attr: int, name: str, values: list[list[int]], /) -> None:
    """Set lists of integers."""
    lists = [_list(inner, int) for inner in check_list(values, "values")]
    _set(attr, name, lists, "list_list_int")


def set_attr_data_type(attr: int, name: str, value: int, /) -> tuple[int, int]:
    """Set a data type; returns the attributes and the status."""
    return attr, _set_data_type(attr, name, value)


def set_attr_list_data_type(attr: int, name: str, values: list[int], /) -> tuple[int, int]:
    """Set data types; returns the attributes and the status."""
    return attr, _set_data_types(attr, name, values)


@status
def _set_data_type(attr: int, name: str, value: int) -> None:
    _set(attr, name, check_int(value, "value"), "data_type")


@status
def _set_data_types(attr: int, name: str, values: list[int]) -> None:
    _set(attr, name, _list(values, int), "list_data_type")


class _Arguments:
    """What most functions take, with objects for handles.

    Lists of descriptions may be shorter than those of buffers: what is missing is NULL.
    """

    def __init__(
        self,
        op_type: Any,
        inputs: Any,
        input_buffers: Any,
        outputs: Any,
        output_buffers: Any,
        attr: Any,
    ) -> None:
        if not isinstance(op_type, str):
            raise TypeError(f"op_type is {type(op_type).__name__}, not str")
        self.op_type = op_type
        self.inputs = _rows(inputs, input_buffers, "inputs")
        self.outputs = _rows(outputs, output_buffers, "outputs")
        self.attrs = get_or_none(attr, Attrs)
        # Memory that another thread frees stays until the call is over.
        self.held = _memory.hold([row[1] for row in self.inputs + self.outputs])

    @property
    def tensors(self) -> tuple[str, list[Any], list[Any], Any]:
        return self.op_type, self.inputs, self.outputs, self.attrs


def _rows(descs: Any, buffers: Any, what: str) -> list[tuple[Any, Any]]:
    found = get_all(descs, TensorDesc, f"descriptions of {what}")
    if buffers is None:
        return [(desc, None) for desc in found]
    memory = get_all(buffers, DataBuffer, f"buffers of {what}")
    if len(found) > len(memory):
        raise ValueError(f"{len(found)} descriptions of {what}, but {len(memory)} buffers")
    found += [NULL_POINTER] * (len(memory) - len(found))
    return list(zip(found, memory, strict=True))


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
    call = _Arguments(op_type, inputs, None, outputs, None, attr)
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
    call = _Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
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
    call = _Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
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
    call = _Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
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
    call = _Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
    _aclop.execute(*call.tensors)


def create_handle(
    op_type: str, inputs: list[int], outputs: list[int], attr: int, /
) -> tuple[int, int]:
    """Return a handle of an operator that has been compiled or loaded, and the status."""
    call = _Arguments(op_type, inputs, None, outputs, None, attr)
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
        attrs["truncate"] = bool(_byte(truncate))
    return attrs


@status
def cast(
    src_desc: int, src_buffer: int, dst_desc: int, dst_buffer: int, truncate: int, stream: int, /
) -> None:
    """Run the operator Cast."""
    check_stream(stream)
    attrs = _cast_attrs(dst_desc, truncate)
    call = _Arguments("Cast", [src_desc], [src_buffer], [dst_desc], [dst_buffer], 0)
    _aclop.execute("Cast", call.inputs, call.outputs, attrs)


def create_handle_for_cast(src_desc: int, dst_desc: int, truncate: int, /) -> tuple[int, int]:
    """Return a handle of the operator Cast, and the status."""
    try:
        attrs = _cast_attrs(dst_desc, truncate)
    except AclError as error:
        return 0, fail(error)
    call = _Arguments("Cast", [src_desc], None, [dst_desc], None, 0)
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
    call = _Arguments(op_type, inputs, input_buffers, outputs, None, attr)
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
    call = _Arguments(op_type, inputs, input_buffers, outputs, output_buffers, attr)
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
def create_kernel(
    op_type: str,
    kernel_id: str,
    kernel_name: str,
    bin_data: int,
    bin_size: int,
    engine: int,
    deallocator: int,
    /,
) -> None:
    """Register a kernel for an NPU. `deallocator` has no effect: the memory stays the caller's."""
    check_int(deallocator, "deallocator")
    if check_int(bin_data, "bin_data") != 0:
        _memory.find(bin_data, check_int(bin_size, "bin_size"))
    binary = DataBuffer(bin_data, bin_size)
    _aclop.create_kernel(op_type, kernel_id, kernel_name, binary, check_int(engine, "engine"))


@status
def register_compile_func(op_type: str, function: Callable[..., object], /) -> None:
    """Have ``function(num_in, in_descs, num_out, out_descs, attr, kernel_desc)`` choose kernels.

    What it returns is ignored.
    """
    if not callable(function):
        raise TypeError(f"{type(function).__name__} cannot be called")

    def select(
        inputs: list[TensorDesc], outputs: list[TensorDesc], attrs: Attrs, choice: KernelChoice
    ) -> None:
        handles = [add(value) for value in (*inputs, *outputs, attrs, choice)]
        end = len(inputs)
        try:
            function(end, handles[:end], len(outputs), handles[end:-2], handles[-2], handles[-1])
        finally:
            for handle in handles:
                take(handle, object)

    _aclop.register_selector(op_type, select)


@status
def unregister_compile_func(op_type: str, /) -> None:
    """Undo it; nothing happens where there is none."""
    _aclop.unregister_selector(op_type)


@status
def set_kernel_args(
    kernel_desc: int, kernel_id: str, block_dim: int, args: int, arg_size: int, /
) -> None:
    """Choose a kernel; for the function of :func:`register_compile_func`."""
    choice = present(kernel_desc, KernelChoice, "kernelDesc")
    if check_int(args, "args") == 0:
        null("args")
    memory, at = _memory.find(args, arg_size)
    choice.set_args(kernel_id, block_dim, memoryview(memory.owner).cast("B")[at : at + arg_size])


@status
def set_kernel_workspace_sizes(kernel_desc: int, count: int, sizes: list[int], /) -> None:
    """Append sizes of workspaces; for the function of :func:`register_compile_func`."""
    choice = present(kernel_desc, KernelChoice, "kernelDesc")
    if not 0 <= check_int(count, "count") <= len(check_list(sizes, "sizes")):
        fail_with("invalid_param", f"EH0001: value [{count}] of numWorkspaces is not valid.")
    choice.add_workspaces(sizes[:count])


@status
def update_params(op_type: str, inputs: list[int], outputs: list[int], attr: int, /) -> None:
    """Run the function of :func:`register_compile_func` for descriptions."""
    call = _Arguments(op_type, inputs, None, outputs, None, attr)
    _aclop.update_params(*call.tensors)


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
