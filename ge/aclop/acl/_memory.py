"""Memory that addresses may point to: what this package handed out or was shown.

An address is checked whenever it is used, so one that was freed raises instead of crashing.
"""

from __future__ import annotations

from bisect import bisect_right, insort

from ge._aclop import DataBuffer, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SWEEP_EACH = 64  # additions between two looks for memory that nobody has any more

_addresses: list[int] = []  # sorted
_memory: dict[int, Memory] = {}
_handed_out: set[int] = set()  # stay until they are freed
_additions = 0


def show(owner: Any) -> int:
    """Return the address of an object with a buffer, valid while somebody has the object."""
    memory = Memory(owner)
    _add(memory.address, memory)
    return memory.address


def allocate(nbytes: int, alignment: int) -> int:
    """Return the address of new memory, valid until it is freed."""
    memory = Memory(bytearray(nbytes + alignment))
    address = -(-memory.address // alignment) * alignment
    _add(address, memory)
    _handed_out.add(address)
    return address


def free(address: int) -> None:
    """Forget memory of :func:`allocate`.

    Raises:
        ValueError: The address is none of those.
    """
    if address not in _handed_out:
        raise ValueError(f"address {address:#x} is none that was allocated, or was freed")
    _handed_out.discard(address)
    _remove(address)


def find(address: int, nbytes: int) -> tuple[Memory, int]:
    """Return the memory that has these bytes, and where they begin in it.

    Raises:
        TypeError: A number is no int.
        ValueError: There is no such memory, or not any more.
    """
    if not isinstance(address, int) or not isinstance(nbytes, int):
        raise TypeError("an address and a size are ints")
    for index in range(bisect_right(_addresses, address) - 1, -1, -1):  # the first is nearly it
        memory = _memory[_addresses[index]]
        at = address - memory.address
        if 0 <= nbytes <= memory.nbytes - at:
            return memory, at
    raise ValueError(
        f"{nbytes} bytes at {address:#x} are not in memory that is known: addresses come from"
        " acl.rt.malloc, acl.rt.malloc_host, acl.util.bytes_to_ptr and acl.util.numpy_to_ptr"
    )


def hold(buffers: list[Any]) -> list[Memory]:
    """Return what keeps the memory of data buffers; those without memory need none.

    Raises:
        ValueError: One points to memory that is not known.
    """
    return [
        find(buffer.address, buffer.nbytes)[0]
        for buffer in buffers
        if isinstance(buffer, DataBuffer) and buffer.address and buffer.nbytes
    ]


def _add(address: int, memory: Memory) -> None:
    global _additions
    _additions += 1
    if _additions % _SWEEP_EACH == 0:
        _sweep()
    if address not in _memory:
        insort(_addresses, address)
        _memory[address] = memory
    elif _memory[address].nbytes < memory.nbytes:
        _memory[address] = memory


def _sweep() -> None:
    """Forget what was shown and nobody has any more."""
    for address in list(_memory):
        if address not in _handed_out and not _memory[address].is_used_elsewhere:
            _remove(address)


def _remove(address: int) -> None:
    _memory.pop(address, None)
    index = bisect_right(_addresses, address) - 1
    if index >= 0 and _addresses[index] == address:
        del _addresses[index]
