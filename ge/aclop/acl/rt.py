"""``acl.rt``: the part of the runtime that operators need, on the host.

There is one device, 0. Operators and copies have run when the function that starts them returns, so
streams are in order, and waiting for them takes no time.
"""

from __future__ import annotations

from ge._aclop import fail_with
from ge.aclop._errors import AclError
from ge.aclop.acl import _memory
from ge.aclop.acl._handles import add, fail, get, name_of, status, take
from ge.aclop.acl._tensor import check_int, null, present

_ALIGNMENT = 64
_HOST = 1


class _Stream:
    pass


class _Context:
    pass


name_of(_Stream, "stream")
name_of(_Context, "context")


def check_stream(stream: int) -> None:
    """Raise unless it is a stream; 0 is the default one."""
    get(stream, _Stream)


@status
def set_device(device: int, /) -> None:
    """Choose device 0."""
    if check_int(device, "device") != 0:
        fail_with(
            "invalid_param", f"EH0001: value [{device}] of deviceId is not valid: there is 0."
        )


reset_device = set_device


def get_device() -> tuple[int, int]:
    """Return 0 and the status."""
    return 0, 0


def get_run_mode() -> tuple[int, int]:
    """Return 1 (host) and the status."""
    return _HOST, 0


def create_context(device: int, /) -> tuple[int, int]:
    """Return a context and the status."""
    ret = set_device(device)
    return (add(_Context()), 0) if ret == 0 else (0, ret)


@status
def destroy_context(context: int, /) -> None:
    """Destroy a context."""
    if take(context, _Context) is None:
        null("context")


@status
def set_context(context: int, /) -> None:
    """Choose a context, which has no effect."""
    present(context, _Context, "context")


def create_stream() -> tuple[int, int]:
    """Return a stream and the status."""
    return add(_Stream()), 0


@status
def destroy_stream(stream: int, /) -> None:
    """Destroy a stream."""
    if take(stream, _Stream) is None:
        null("stream")


@status
def synchronize_stream(stream: int, /) -> None:
    """Wait for a stream."""
    check_stream(stream)


@status
def synchronize_device() -> None:
    """Wait for all streams."""


def malloc(nbytes: int, policy: int, /) -> tuple[int, int]:
    """Return the address of new memory and the status."""
    check_int(policy, "policy")
    return malloc_host(nbytes)


def malloc_host(nbytes: int, /) -> tuple[int, int]:
    """Return the address of new memory and the status."""
    try:
        return _allocate(nbytes), 0
    except AclError as error:
        return 0, fail(error)


def _allocate(nbytes: int) -> int:
    if check_int(nbytes, "nbytes") <= 0:
        fail_with(
            "invalid_param", f"EH0001: value [{nbytes}] of size is not valid: it must be positive."
        )
    try:
        return _memory.allocate(nbytes, _ALIGNMENT)
    except (MemoryError, OverflowError):
        fail_with("rt_memory_allocation", f"There are no {nbytes} bytes of memory.")


@status
def free(address: int, /) -> None:
    """Free memory."""
    if check_int(address, "address") == 0:
        null("devPtr")
    _memory.free(address)


free_host = free


@status
def memcpy(dst: int, dest_max: int, src: int, count: int, direction: int, /) -> None:
    """Copy bytes; the direction has no effect."""
    _copy(dst, dest_max, src, count, direction)


@status
def memcpy_async(
    dst: int, dest_max: int, src: int, count: int, direction: int, stream: int, /
) -> None:
    """Copy bytes, which is done when the function returns."""
    check_stream(stream)
    _copy(dst, dest_max, src, count, direction)


def _copy(dst: int, dest_max: int, src: int, count: int, direction: int) -> None:
    check_int(direction, "direction")
    _check_room(count, dest_max)
    target, at = _memory.find(dst, count)
    source, source_at = _memory.find(src, count)
    target.copy_from(at, source, source_at, count)


def _check_room(count: int, room: int) -> None:
    if not 0 <= check_int(count, "count") <= check_int(room, "room"):
        fail_with(
            "invalid_param",
            f"EH0001: value [{count}] of count is not valid: there is room for {room} bytes.",
        )


@status
def memset(address: int, max_count: int, value: int, count: int, /) -> None:
    """Set bytes."""
    _check_room(count, max_count)
    memory, at = _memory.find(address, count)
    memory.fill(at, check_int(value, "value") & 0xFF, count)
