"""Which passes there are."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from ge.passes.base import DecomposePass, FusionBasePass, PatternFusionPass

__all__ = [
    "PassDescriptor",
    "PassStage",
    "clear_registered_passes",
    "get_registered_pass_by_descriptor_key",
    "get_registered_pass_dicts",
    "get_registered_passes",
    "register_decompose_pass",
    "register_fusion_pass",
]


class PassStage(StrEnum):
    """When a pass runs; docs/python-passes.md says what the graph looks like then."""

    BEFORE_INFER_SHAPE = "BeforeInferShape"
    AFTER_INFER_SHAPE = "AfterInferShape"
    AFTER_BUILTIN_FUSION_PASS = "AfterBuiltinFusionPass"
    AFTER_ORIGIN_GRAPH_OPTIMIZE = "AfterOriginGraphOptimize"


@dataclass(frozen=True)
class PassDescriptor:
    """A registered pass."""

    descriptor_key: str
    pass_name: str
    module_name: str
    class_name: str
    stage: PassStage
    kind: str
    cls: type[FusionBasePass]
    op_types: list[str] = field(default_factory=list)


class _Target(threading.local):
    """Where this thread registers: the list of the program, or that of a file being imported."""

    def __init__(self) -> None:
        self.rows = _of_program


_of_program: list[PassDescriptor] = []
_target = _Target()


def register_fusion_pass(
    *, name: str, stage: PassStage, kind: "str | None" = None
) -> Callable[[type[Any]], type[Any]]:
    """Register a subclass of FusionBasePass or PatternFusionPass.

    Args:
        name: By which the pass is reported and switched off; unique.
        stage: When it runs.
        kind: ``"fusion_base"`` or ``"pattern_fusion"``; by default that of the class.

    Raises:
        TypeError: The class is no FusionBasePass.
        ValueError: The name is taken.
    """

    def decorator(cls: type[Any]) -> type[Any]:
        if not isinstance(cls, type) or not issubclass(cls, FusionBasePass):
            raise TypeError("register_fusion_pass decorates a subclass of FusionBasePass")
        if issubclass(cls, DecomposePass):
            raise TypeError(f"{cls.__qualname__} is registered with register_decompose_pass")
        own_kind = "pattern_fusion" if issubclass(cls, PatternFusionPass) else "fusion_base"
        if kind not in (None, own_kind):
            raise ValueError(f"{cls.__qualname__} is of kind {own_kind}, not {kind}")
        return _register(cls, name, stage, own_kind, [])

    return decorator


def register_decompose_pass(
    *, name: str, stage: PassStage, op_types: Iterable[str]
) -> Callable[[type[Any]], type[Any]]:
    """Register a subclass of DecomposePass.

    Args:
        name: By which the pass is reported and switched off; unique.
        stage: When it runs.
        op_types: Types of the nodes that it replaces.

    Raises:
        TypeError: The class is no DecomposePass, or op_types no list of names.
        ValueError: The name is taken.
    """
    if isinstance(op_types, str):
        raise TypeError("op_types is a list of operator types, not a str")
    types = list(op_types)
    if not types:
        raise ValueError("op_types is empty")
    if not all(isinstance(item, str) and item for item in types):
        raise TypeError("op_types holds names of operator types")

    def decorator(cls: type[Any]) -> type[Any]:
        if not isinstance(cls, type) or not issubclass(cls, DecomposePass):
            raise TypeError("register_decompose_pass decorates a subclass of DecomposePass")
        cls.op_types = types
        return _register(cls, name, stage, "decompose", types)

    return decorator


def get_registered_passes() -> list[PassDescriptor]:
    """Return the passes that this process registered, those of pass files left out.

    In a pass file that is being imported: the passes of that file.
    """
    return list(_target.rows)


def get_registered_pass_dicts() -> list[dict[str, Any]]:
    """Return the same as dicts without the class."""
    rows = [asdict(descriptor) for descriptor in _target.rows]
    for row in rows:
        del row["cls"]
        row["stage"] = row["stage"].value
    return rows


def get_registered_pass_by_descriptor_key(descriptor_key: str) -> "PassDescriptor | None":
    """Return the pass of the key ``module:class:name``; None when there is none."""
    return next((row for row in _target.rows if row.descriptor_key == descriptor_key), None)


def clear_registered_passes() -> None:
    """Forget all passes that were registered."""
    _target.rows.clear()


@contextmanager
def collecting() -> Iterator[list[PassDescriptor]]:
    """Have what this thread registers go into the list that is yielded, which no other sees."""
    before = _target.rows
    _target.rows = []
    try:
        yield _target.rows
    finally:
        _target.rows = before


def _register(
    cls: type[Any], name: str, stage: PassStage, kind: str, op_types: list[str]
) -> type[Any]:
    if not isinstance(name, str) or not name:
        raise TypeError(f"the name of pass {cls.__qualname__} is {name!r}; it is a text")
    if not name.isprintable():
        raise ValueError(f"the name of pass {cls.__qualname__} is {name!a}: it cannot be printed")
    try:
        stage = PassStage(stage)
    except ValueError:
        stages = ", ".join(member.value for member in PassStage)
        raise ValueError(f"stage {stage!r} of pass {name} is none of {stages}") from None
    key = f"{cls.__module__}:{cls.__name__}:{name}"
    if any(row.pass_name == name for row in _target.rows):
        raise ValueError(f"a pass of the name {name} is registered already")
    descriptor = PassDescriptor(
        key, name, cls.__module__, cls.__name__, stage, kind, cls, list(op_types)
    )
    _target.rows.append(descriptor)
    cls.__ge_pass_descriptor__ = descriptor
    return cls
