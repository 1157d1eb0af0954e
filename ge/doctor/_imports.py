"""What files of the user import, without running them."""

import ast
import importlib.util
import os
import sys
from collections.abc import Collection, Iterable, Iterator

from ge import _engine
from ge.doctor._finding import Finding, problem


def examine(files: Iterable[str], folders: Iterable[str] = ()) -> Iterator[Finding]:
    """Say which files cannot be read as Python, and which modules they import are missing.

    Args:
        files: Paths of Python files.
        folders: What joins ``sys.path`` when they are imported.
    """
    wanted: dict[str, str] = {}  # module -> the first file that imports it
    places = list(folders)
    for path in files:
        try:
            with open(path, "rb") as file:
                tree = ast.parse(file.read(), path)
        except (OSError, SyntaxError, ValueError) as error:
            what = _describe(error)
            yield problem(os.path.basename(path), what, f"Mend {path}: {what}.")
            continue
        for name in _imported(tree):
            wanted.setdefault(name, path)
    offered = _offered()
    roots = {name.partition(".")[0] for name in offered}
    missing: dict[str, str] = {}
    for name, path in sorted(wanted.items()):
        root = name.partition(".")[0]
        if _exists(root, [os.path.dirname(path), *places]) or name in offered:
            continue
        if root in roots:
            yield problem(
                name,
                f"the built-in engine has no such module, imported by {path}",
                f"Rewrite {path} without {name}: the built-in engine does not have it.",
            )
        else:
            missing.setdefault(root, path)
    for name, path in missing.items():
        yield problem(
            name,
            f"not installed, imported by {path}",
            f"Install {name} for {sys.executable}: {path} imports it.",
        )


def python_files(folder: str) -> list[str]:
    """Return the Python files of a folder and the folders in it, sorted."""
    return sorted(
        os.path.join(parent, name)
        for parent, _, names in os.walk(folder)
        for name in names
        if name.endswith(".py")
    )


def _describe(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return str(error)


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield modules whose imports always happen when the module is imported."""
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            if statement.level == 0 and statement.module:
                yield statement.module
        elif isinstance(statement, ast.With):
            waiting += statement.body


def _exists(name: str, folders: list[str]) -> bool:
    if name in sys.stdlib_module_names or name in sys.modules:
        return True
    if any(
        os.path.exists(os.path.join(folder, name + suffix))
        for folder in folders
        for suffix in ("", ".py", ".so")
    ):
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _offered() -> Collection[str]:
    """Return the modules that the built-in engine has for operators while it compiles."""
    if _engine.current.name != "builtin":
        return ()
    from ge._shim import names

    return names.MODULES
