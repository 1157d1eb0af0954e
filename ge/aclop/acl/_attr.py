"""Attributes of operators under pyACL's names."""

from __future__ import annotations

from ge._aclop import Attrs
from ge.aclop.acl._handles import add, status, take
from ge.aclop.acl._tensor import check_int, check_list, present

TYPE_CHECKING = False
if TYPE_CHECKING:
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


def byte(value: Any) -> int:
    """Return an int that a C function takes as a bool."""
    number = check_int(value, "a bool")
    if not 0 <= number <= 255:
        raise ValueError(f"{number} is no byte")
    return number


@status
def set_attr_bool(attr: int, name: str, value: int, /) -> None:
    """Set a bool; any byte but 0 is true."""
    _set(attr, name, byte(value) != 0, "bool")


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
    _set(attr, name, [byte(value) != 0 for value in _list(values, int)], "list_bool")


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
