"""Integers that stand for objects; one that stands for nothing raises instead of crashing."""

from __future__ import annotations

from itertools import count
from threading import local

from ge._aclop import NULL_POINTER, Attrs, DataBuffer, Handle, KernelChoice, TensorDesc
from ge.aclop._errors import AclError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec

    P = ParamSpec("P")

_FIRST = 0x10000  # small integers stand for nothing, so that mixed up arguments are found
_NAMES: dict[type, str] = {
    Attrs: "attributes",
    DataBuffer: "data buffer",
    Handle: "operator handle",
    KernelChoice: "kernel description",
    TensorDesc: "tensor description",
}
_objects: dict[int, Any] = {}
_numbers = count(_FIRST, 8)


def add(value: object) -> int:
    """Return a new integer for an object."""
    number = next(_numbers)
    _objects[number] = value
    return number


def get(handle: Any, kind: type) -> Any:
    """Return the object of a handle; ``NULL_POINTER`` for 0.

    Raises:
        TypeError: The handle is no int.
        ValueError: It is of another kind, was destroyed, or never existed.
    """
    if not isinstance(handle, int):
        raise TypeError(f"a handle is an int, not {type(handle).__name__}")
    if handle == 0:
        return NULL_POINTER
    value = _objects.get(handle)
    if not isinstance(value, kind):
        raise ValueError(_complaint(handle, value, kind))
    return value


def get_or_none(handle: Any, kind: type) -> Any:
    """Return the object of a handle; ``None`` for 0."""
    value = get(handle, kind)
    return None if value is NULL_POINTER else value


def take(handle: Any, kind: type) -> Any:
    """Return the object of a handle, which stands for nothing from now on; ``None`` for 0."""
    value = get_or_none(handle, kind)
    if value is not None and _objects.pop(handle, None) is not value:
        raise ValueError(_complaint(handle, None, kind))  # another thread was faster
    return value


def get_all(handles: Any, kind: type, what: str) -> list[Any]:
    """Return the objects of a list of handles."""
    if not isinstance(handles, list):
        raise TypeError(f"{what} is {type(handles).__name__}, not list")
    return [get(handle, kind) for handle in handles]


def name_of(kind: type, name: str) -> None:
    """Say what a kind of objects is called in messages."""
    _NAMES[kind] = name


def _complaint(handle: int, value: object, kind: type) -> str:
    wanted = _NAMES[kind]
    if value is None:
        return f"{handle} is no {wanted}: it was destroyed, or never created"
    return f"{handle} is no {wanted}, but a {_NAMES[type(value)]}"


_thread = local()


def fail(error: AclError) -> int:
    """Keep the text of a failure for this thread and return its code."""
    _thread.text = error.text
    return error.code


def recent() -> str | None:
    """Return the text of the last failure of this thread, once."""
    text: str | None = _thread.__dict__.pop("text", None)
    return text


def status(function: Callable[P, object]) -> Callable[P, int]:
    """Have a function return 0, or the code of the error that it raises."""

    def call(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            function(*args, **kwargs)
        except AclError as error:
            return fail(error)
        return 0

    call.__name__, call.__doc__ = function.__name__, function.__doc__
    call.__qualname__, call.__wrapped__ = function.__qualname__, function  # type: ignore[attr-defined]
    return call
