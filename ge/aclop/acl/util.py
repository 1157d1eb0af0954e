"""``acl.util``: between Python objects and addresses."""

from __future__ import annotations

from ge.aclop.acl import _memory
from ge.aclop.acl._tensor import check_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def bytes_to_ptr(value: bytes, /) -> int:
    """Return the address of bytes, valid while somebody has them.

    ``acl.rt.memcpy`` to this address changes the bytes, as in pyACL.
    """
    if not isinstance(value, bytes):
        raise TypeError(f"value is {type(value).__name__}, not bytes")
    return _memory.show(value)


def ptr_to_bytes(address: int, nbytes: int, /) -> bytes:
    """Return a copy of memory."""
    memory, at = _memory.find(address, nbytes)
    return bytes(memoryview(memory.owner).cast("B")[at : at + nbytes])


def numpy_to_ptr(array: Any, /) -> int:
    """Return the address of a C-contiguous array, valid while somebody has it."""
    return _memory.show(array)


def ptr_to_numpy(address: int, shape: tuple[int, ...], dtype: Any, /) -> Any:
    """Return memory as an array, without a copy.

    Args:
        address: From a function of this package.
        shape: Of the array.
        dtype: NumPy's number of a dtype, or the dtype itself.
    """
    import numpy

    if isinstance(dtype, int):
        numbers = {numpy.dtype(letter).num: letter for letter in "?bBhHiIlLqQfdFDe"}
        if dtype not in numbers:
            raise ValueError(f"{dtype} is no number of a dtype")
        dtype = numbers[dtype]
    size = numpy.dtype(dtype).itemsize
    for dim in shape:
        size *= check_int(dim, "a dim")
    memory, at = _memory.find(address, size)
    view = memoryview(memory.owner).cast("B")[at : at + size]
    return numpy.frombuffer(view, dtype).reshape(shape)
