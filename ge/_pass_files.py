"""Which files ASCEND_GE_PY_PASS_PATH names."""

import os


def find(entries: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the files and packages of path entries, and which entries cannot be used, and why.

    Of a folder: ``*.py`` and folders with an ``__init__.py``, in order of their names, those with
    ``_`` in front left out.
    """
    files: dict[str, str] = {}
    faults = []
    for entry in entries:
        if os.path.isdir(entry):
            try:
                names = sorted(os.listdir(entry))
            except OSError as error:
                faults.append((entry, f"its files cannot be listed: {error.strerror}"))
                continue
            children = [os.path.join(entry, name) for name in names if name[0] != "_"]
            found = [path for path in children if _is_loadable(path)]
        elif not os.path.exists(entry):
            faults.append((entry, "there is no such file or folder"))
            continue
        elif not entry.endswith(".py"):
            faults.append((entry, "it is neither a folder nor a .py file"))
            continue
        else:
            found = [entry]
        for path in found:
            files.setdefault(os.path.realpath(path), path)
    return list(files.values()), faults


def _is_loadable(path: str) -> bool:
    if os.path.isdir(path):
        return os.path.isfile(os.path.join(path, "__init__.py"))
    return path.endswith(".py") and os.path.isfile(path)
