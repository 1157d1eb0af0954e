"""Imports of operator files, which are undone when the compile ends."""

import importlib
import importlib.util
import os
import sys
import threading
import types

lock = threading.RLock()  # operators share sys.modules and sys.path


class Modules:
    """What one compile has imported.

    Files are imported under their real names, ``<vendor>_impl.add``, since they import each other.
    Two vendors whose folders have one name do not see each other's modules.
    """

    def __init__(self) -> None:
        self._of_folder: dict[str, dict[str, types.ModuleType]] = {}
        self._active: str | None = None
        self._files: list[str] = []

    def load(self, folder: str, name: str) -> types.ModuleType:
        """Import ``<folder>/<name>.py``; ``name`` may have dots.

        Args:
            folder: Of the implementation: ``/a/b/vendor_impl``.
            name: ``add`` or ``dynamic.add``.
        """
        self._activate(folder)
        return importlib.import_module(f"{os.path.basename(folder)}.{name}")

    def has(self, folder: str, name: str) -> bool:
        return os.path.isfile(os.path.join(folder, *name.split(".")) + ".py")

    def load_file(self, path: str) -> types.ModuleType:
        """Import a file under a name that nobody else has."""
        name = f"ge_hooks_{len(self._files)}_{abs(hash(path))}"
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        self._files.append(name)
        spec.loader.exec_module(module)
        return module

    def _activate(self, folder: str) -> None:
        if self._active == folder:
            return
        self.put_away()
        parent, root = os.path.split(folder)
        self._outside = _take(root)
        sys.modules.update(self._of_folder.get(folder, {}))
        sys.path.insert(0, parent)
        importlib.invalidate_caches()
        self._active = folder

    def put_away(self) -> None:
        """Take what was imported out of ``sys.modules``; the next load puts it there again."""
        if self._active is None:
            return
        parent, root = os.path.split(self._active)
        self._of_folder[self._active] = _take(root)
        sys.modules.update(self._outside)
        if parent in sys.path:
            sys.path.remove(parent)
        self._active = None

    def forget(self) -> None:
        """Take everything out of ``sys.modules`` and ``sys.path`` again."""
        self.put_away()
        self._of_folder.clear()
        for name in self._files:
            sys.modules.pop(name, None)


def _take(root: str) -> dict[str, types.ModuleType]:
    found = {
        name: module
        for name, module in list(sys.modules.items())
        if name == root or name.startswith(f"{root}.")
    }
    for name in found:
        del sys.modules[name]
    return found
