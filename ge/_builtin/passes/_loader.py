"""Importing pass files."""

import hashlib
import importlib
import importlib.util
import os
import sys
import threading
from typing import Any

from ge.passes import registry
from ge.passes.registry import PassDescriptor

_lock = threading.RLock()
_loaded: dict[str, tuple[str, list[PassDescriptor]]] = {}  # by real path: of what text, its passes


def load(path: str) -> list[PassDescriptor]:
    """Import a file or package, unless that was done before, and return its passes."""
    real = os.path.realpath(path)
    with _lock:
        text = _digest(real)
        if real not in _loaded or _loaded[real][0] != text:
            _loaded[real] = (text, _import(path, real))
        return _loaded[real][1]


def _digest(real: str) -> str:
    """Return what changes with the text of a file; a package is imported once."""
    if os.path.isdir(real):
        return ""
    with open(real, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def module_name(path: str) -> str:
    """Return the private name that a file is imported under, the same in every run."""
    real = os.path.realpath(path)
    stem = os.path.splitext(os.path.basename(real))[0]
    return f"_ge_py_pass_{stem}_{hashlib.sha256(os.fsencode(real)).hexdigest()[:16]}"


def _import(path: str, real: str) -> list[PassDescriptor]:
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)  # for what the file imports
    try:
        with registry.collecting() as passes:
            if os.path.isdir(real):
                _import_package(os.path.basename(path), real)
            else:
                _import_file(path, real)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return passes


def _import_package(name: str, real: str) -> None:
    module = importlib.import_module(name)
    if os.path.dirname(os.path.realpath(module.__file__ or "")) != real:
        raise ImportError(f"the name {name} is taken by {module.__file__ or module}")


def _import_file(path: str, real: str) -> None:
    name = module_name(path)
    spec = importlib.util.spec_from_file_location(name, real)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
