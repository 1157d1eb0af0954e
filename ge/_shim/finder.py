"""Makes the modules of :mod:`ge._shim.names` importable, and takes them away again."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

from ge._shim import names
from ge._shim.names import Alias

_ROOTS = tuple({name.partition(".")[0]: None for name in names.MODULES})


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] in _ROOTS


class _Folders(Sequence[str]):
    """Folders of a package of operators, wherever ``sys.path`` has them now."""

    def __init__(self, package: str) -> None:
        self._part = package.replace(".", os.sep)

    def _found(self) -> list[str]:
        places = (os.path.join(entry, self._part) for entry in list(sys.path) if entry)
        return [place for place in places if os.path.isdir(place)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())

    def __getitem__(self, index: Any) -> Any:
        return self._found()[index]


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        inside = f"{name}."
        for child in names.MODULES:
            # As the toolkit's packages, which import their parts.
            if child.startswith(inside) and "." not in child[len(inside) :]:
                importlib.import_module(child)
        # Behind the parts: tbe.dsl.compute is a package and a function.
        for key, value in names.MODULES.get(name, {}).items():
            known = importlib.import_module(value) if isinstance(value, Alias) else value
            setattr(module, key, known)
        if name in names.REFUSED_MODULES:
            vars(module)["__getattr__"] = names.Refused(name).__getattr__


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the table, and packages of operators beside them."""

    _loader = _Loader()

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in names.MODULES and fullname not in names.REFUSED_MODULES:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self._loader, is_package=True)
        is_operators = fullname == "impl" or fullname.startswith("impl.")
        spec.submodule_search_locations = _Folders(fullname) if is_operators else []  # type: ignore[assignment]
        return spec


class Swap:
    """What ``sys.modules`` had under our names before they were ours."""

    def __init__(self) -> None:
        self._finder = Finder()
        self._before = _take()
        sys.meta_path.insert(0, self._finder)

    def undo(self) -> None:
        sys.meta_path.remove(self._finder)
        _take()
        sys.modules.update(self._before)
        importlib.invalidate_caches()


def _take() -> dict[str, types.ModuleType]:
    """Remove the modules under our names."""
    taken = {name: module for name, module in list(sys.modules.items()) if _is_ours(name)}
    for name in taken:
        del sys.modules[name]
    return taken
