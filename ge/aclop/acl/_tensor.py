"""Descriptions of tensors and data buffers under pyACL's names."""

from __future__ import annotations

from ge._aclop import NULL_POINTER, DataBuffer, TensorDesc, fail_with
from ge.aclop._errors import InvalidParamError
from ge.aclop.acl import _memory
from ge.aclop.acl._handles import add, fail, get, get_or_none, status, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_UNKNOWN_RANK = 0xFFFFFFFFFFFFFFFE
_MOST_RANGES = 4096
_UINT32 = 0xFFFFFFFF


def null(what: str) -> NoReturn:
    """Fail as the C API does for a pointer that is NULL."""
    fail_with("invalid_param", f"EH0002: {what} is NULL. Pass a valid pointer.")


def present(handle: int, kind: type, what: str) -> Any:
    """Return the object of a handle that must not be 0."""
    value = get(handle, kind)
    if value is NULL_POINTER:
        null(what)
    return value


def check_list(values: Any, what: str) -> list[Any]:
    """Return a list as it is; pyACL takes no other sequence."""
    if not isinstance(values, list):
        raise TypeError(f"{what} is {type(values).__name__}, not list")
    return values


def check_int(value: Any, what: str) -> int:
    """Return an int as it is."""
    if not isinstance(value, int):
        raise TypeError(f"{what} is {type(value).__name__}, not int")
    return value


def create_tensor_desc(data_type: int, dims: list[int], format: int, /) -> int:
    """Return a new description."""
    if not isinstance(data_type, int) or not isinstance(dims, list):
        raise TypeError("create_tensor_desc takes (int, list of int, int)")
    return add(TensorDesc(data_type, dims, format))


def destroy_tensor_desc(desc: int, /) -> None:
    """Destroy a description; nothing happens for 0."""
    take(desc, TensorDesc)


def get_tensor_desc_type(desc: int, /) -> int:
    """Return the data type; -1 for 0."""
    value = get_or_none(desc, TensorDesc)
    return -1 if value is None else int(value.dtype)


def get_tensor_desc_format(desc: int, /) -> int:
    """Return the format; -1 for 0."""
    value = get_or_none(desc, TensorDesc)
    return -1 if value is None else int(value.format)


def get_tensor_desc_size(desc: int, /) -> int:
    """Return the bytes of the tensor."""
    value = get_or_none(desc, TensorDesc)
    return 0 if value is None else value.nbytes


def get_tensor_desc_element_count(desc: int, /) -> int:
    """Return the number of elements."""
    value = get_or_none(desc, TensorDesc)
    return 0 if value is None else value.elements


def get_tensor_desc_num_dims(desc: int, /) -> int:
    """Return the number of dims; 2**64 - 2 when the rank is not known."""
    value = get_or_none(desc, TensorDesc)
    if value is None:
        return 0
    return _UNKNOWN_RANK if value.rank is None else value.rank


def get_tensor_desc_dim(desc: int, index: int, /) -> int:
    """Return a dim; -1 where there is none."""
    dim, ret = get_tensor_desc_dim_v2(desc, index)
    return dim if ret == 0 else -1


def get_tensor_desc_dim_v2(desc: int, index: int, /) -> tuple[int, int]:
    """Return a dim, and the status."""
    return _with_status(0, _dim, desc, index)


def _dim(desc: int, index: int) -> int:
    dims: tuple[int, ...] = present(desc, TensorDesc, "desc").dims
    return dims[_index(index, len(dims), "dims")]


def get_tensor_desc_dim_range(desc: int, index: int, count: int, /) -> tuple[list[int] | None, int]:
    """Return [least, greatest] of a dim, -1: no limit; and the status."""
    return _with_status(None, _dim_range, desc, index, count)


def _dim_range(desc: int, index: int, count: int) -> list[int]:
    ranges = present(desc, TensorDesc, "desc").shape_range
    least, most = ranges[_index(index, len(ranges), "ranges")]
    if not 2 <= check_int(count, "count") <= _MOST_RANGES:
        fail_with("invalid_param", f"EH0001: value [{count}] of dimRangeNum is not valid.")
    return [least, -1 if most is None else most]


def _index(index: int, count: int, what: str) -> int:
    if not 0 <= check_int(index, "index") < count:
        fail_with(
            "invalid_param",
            f"EH0001: value [{index}] of index is not valid: the tensor has {count} {what}.",
        )
    return index


def _with_status(failed: Any, function: Any, *args: Any) -> tuple[Any, int]:
    """Return what a function returns and 0, or `failed` and a code."""
    try:
        return function(*args), 0
    except InvalidParamError as error:
        return failed, fail(error)


def get_tensor_desc_name(desc: int, /) -> str:
    """Return the name; empty for 0."""
    value = get_or_none(desc, TensorDesc)
    return "" if value is None else value.name


def set_tensor_desc_name(desc: int, name: str, /) -> None:
    """Set the name; nothing happens for 0."""
    value = get_or_none(desc, TensorDesc)
    if value is not None:
        value.name = name


def get_tensor_desc_by_index(desc: int, index: int, /) -> int:
    """Return the description itself for index 0, else 0: no function hands out arrays of them."""
    value = get_or_none(desc, TensorDesc)
    return desc if value is not None and check_int(index, "index") == 0 else 0


def get_tensor_desc_address(desc: int, /) -> int:
    """Return 0: no function sets addresses."""
    get(desc, TensorDesc)
    return 0


@status
def set_tensor_format(desc: int, format: int, /) -> None:
    """Set the format in memory; nothing happens for 0."""
    value = get_or_none(desc, TensorDesc)
    if value is not None:
        value.storage_format = format


set_tensor_storage_format = set_tensor_format


@status
def set_tensor_origin_format(desc: int, format: int, /) -> None:
    """Set the format; nothing happens for 0."""
    value = get_or_none(desc, TensorDesc)
    if value is not None:
        value.format = format


@status
def set_tensor_shape(desc: int, dims: list[int], /) -> None:
    """Set the shape in memory."""
    present(desc, TensorDesc, "desc").storage_dims = check_list(dims, "dims")


set_tensor_storage_shape = set_tensor_shape


@status
def set_tensor_origin_shape(desc: int, dims: list[int], /) -> None:
    """Set the shape."""
    present(desc, TensorDesc, "desc").dims = check_list(dims, "dims")


@status
def set_tensor_shape_range(desc: int, ranges: list[list[int]], /) -> None:
    """Set [least, greatest] of each dim."""
    present(desc, TensorDesc, "desc").shape_range = check_list(ranges, "ranges")


@status
def set_tensor_value_range(desc: int, ranges: list[list[int]], /) -> None:
    """Set [least, greatest] of each element."""
    present(desc, TensorDesc, "desc").value_range = check_list(ranges, "ranges")


@status
def set_tensor_const(desc: int, address: int, nbytes: int, /) -> None:
    """Make the input a constant; the bytes are copied."""
    value = present(desc, TensorDesc, "desc")
    if check_int(address, "address") == 0:
        null("dataBuffer")
    memory, at = _memory.find(address, nbytes)
    value.constant = memoryview(memory.owner).cast("B")[at : at + nbytes]


@status
def set_tensor_dynamic_input(desc: int, name: str, /) -> None:
    """Set the name that neighbouring inputs of one variable length share."""
    present(desc, TensorDesc, "desc").dynamic_input = name


@status
def set_tensor_place_ment(desc: int, mem_type: int, /) -> None:
    """Set where the data is."""
    present(desc, TensorDesc, "desc").placement = mem_type


def trans_tensor_desc_format(desc: int, format: int, /) -> tuple[int, int]:
    """Return 0 and a status: not supported on the host."""
    present(desc, TensorDesc, "desc")
    check_int(format, "format")
    return 0, _unsupported("trans_tensor_desc_format")


@status
def _unsupported(what: str) -> None:
    fail_with("api_not_support", f"EH0006: {what} is not supported on the host.")


def create_data_buffer(address: int, nbytes: int, /) -> int:
    """Return a data buffer; the memory stays the caller's."""
    return add(DataBuffer(check_int(address, "address"), check_int(nbytes, "nbytes")))


@status
def destroy_data_buffer(buffer: int, /) -> None:
    """Destroy a data buffer, not its memory."""
    if take(buffer, DataBuffer) is None:
        null("dataBuffer")


@status
def update_data_buffer(buffer: int, address: int, nbytes: int, /) -> None:
    """Let a data buffer stand for other memory."""
    value = present(buffer, DataBuffer, "dataBuffer")
    value.update(check_int(address, "address"), check_int(nbytes, "nbytes"))


def get_data_buffer_addr(buffer: int, /) -> int:
    """Return the address; 0 for 0."""
    value = get_or_none(buffer, DataBuffer)
    return 0 if value is None else value.address


def get_data_buffer_size_v2(buffer: int, /) -> int:
    """Return the bytes; 0 for 0."""
    value = get_or_none(buffer, DataBuffer)
    return 0 if value is None else value.nbytes


def get_data_buffer_size(buffer: int, /) -> int:
    """Return the bytes, cut to 32 bits."""
    return get_data_buffer_size_v2(buffer) & _UINT32
