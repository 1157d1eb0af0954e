"""Kernels of the caller under pyACL's names. They can be registered and chosen, but not run."""

from __future__ import annotations

from ge import _aclop
from ge._aclop import Attrs, DataBuffer, KernelChoice, TensorDesc, fail_with
from ge.aclop.acl import _memory
from ge.aclop.acl._arguments import Arguments
from ge.aclop.acl._handles import add, status, take
from ge.aclop.acl._tensor import check_int, check_list, null, present

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


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
    call = Arguments(op_type, inputs, None, outputs, None, attr)
    _aclop.update_params(*call.tensors)
