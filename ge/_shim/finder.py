"""Makes the modules of :mod:`ge._shim.names` importable, and takes them away again."""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ge._shim import names
from ge._shim.names import Alias

# Modules that are ours while a compile runs, whatever else there is by their names; and those of
# frameworks, of which a real one goes first.
_OWN = ("tbe", "te", "topi", "impl")
_STUBS = ("mindspore",)
# Ours even where a store of operators has them: packages that would import all operators, and what
# stands for the toolkit. Other helpers come from the store.
_OPEN = ("impl", "impl.dynamic", "impl.util", "impl.util.platform_adapter")


def _root(name: str) -> str:
    return name.partition(".")[0]


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


class _Loader:
    """Fills a module with the names of its row."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        inside = f"{name}."
        for child in names.MODULES:
            # As the toolkit's packages, which import their parts; operators are a store's.
            is_part = child.startswith(inside) and "." not in child[len(inside) :]
            if is_part and _root(child) != "impl":
                importlib.import_module(child)
        # Behind the parts: tbe.dsl.compute is a package and a function.
        for key, value in names.MODULES.get(name, {}).items():
            known = importlib.import_module(value) if isinstance(value, Alias) else value
            setattr(module, key, known)
        if name not in names.MODULES:
            vars(module)["__getattr__"] = names.Refused(name).__getattr__


class Finder:
    """Finds those modules of the table that are below the roots, and packages of operators."""

    _loader = _Loader()

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._roots = roots

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        is_known = fullname in names.MODULES or names.is_refused(fullname)
        if not is_known or _root(fullname) not in self._roots:
            return None
        is_operators = fullname == "impl" or fullname.startswith("impl.")
        if is_operators and fullname not in _OPEN:
            found = importlib.machinery.PathFinder.find_spec(fullname, path)
            if found is not None:
                return found
        # importlib.abc, which names what a loader has, takes longer to import than all of this.
        loader: Any = self._loader
        spec = importlib.machinery.ModuleSpec(fullname, loader, is_package=True)
        spec.submodule_search_locations = _Folders(fullname) if is_operators else []  # type: ignore[assignment]
        return spec


class Swap:
    """What ``sys.modules`` had under our names before they were ours."""

    def __init__(self) -> None:
        self._own, self._stubs = Finder(_OWN), Finder(_STUBS)
        self._before = _take(lambda name, module: _root(name) in _OWN)
        sys.meta_path.insert(0, self._own)
        sys.meta_path.append(self._stubs)

    def undo(self) -> None:
        sys.meta_path.remove(self._own)
        sys.meta_path.remove(self._stubs)
        _take(lambda name, module: _root(name) in _OWN or _is_made(module))
        sys.modules.update(self._before)
        importlib.invalidate_caches()


def _is_made(module: types.ModuleType) -> bool:
    return isinstance(getattr(module, "__loader__", None), _Loader)


def _take(
    is_wanted: Callable[[str, types.ModuleType], bool],
) -> dict[str, types.ModuleType]:
    """Remove modules."""
    taken = {name: module for name, module in list(sys.modules.items()) if is_wanted(name, module)}
    for name in taken:
        del sys.modules[name]
    return taken
