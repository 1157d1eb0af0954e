"""The user's operators in Python."""

import glob
import json
import os
from collections.abc import Iterator

from ge import _engine
from ge.doctor import _imports
from ge.doctor._finding import Finding, Section, problem

_CUSTOM, _OPP, _HOME = "ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH", "ASCEND_HOME_PATH"
_CONFIG = os.path.join("op_impl", "*_core", "tbe", "config", "*", "")


def operators() -> Section:
    """Return what operator stores there are, what they hold, and whether its files are there."""
    return Section("operators", _operators())


def _operators() -> Iterator[Finding]:
    if _engine.current.name != "builtin":  # which alone may load what reads stores
        yield from _folders_for_cann()
        return
    entries = [entry for entry in os.environ.get(_CUSTOM, "").split(":") if entry]
    if not entries:
        yield Finding(_CUSTOM, "not set")
    for entry in entries:
        yield from _store(entry, os.path.join(entry, _CONFIG), custom=entry)
    root = os.environ.get(_OPP, "")
    if not root:
        yield Finding(_OPP, "not set")
        home = os.environ.get(_HOME, "")
        root = os.path.join(home, "opp") if home else ""
    if os.path.isfile(os.path.join(root, "vendors", "config.ini")):
        yield from _store(root, os.path.join(root, "vendors", "*", _CONFIG), operators=root)
    elif os.path.isdir(root):
        yield Finding(root, "no vendors/config.ini in it: no vendors")
    elif os.environ.get(_OPP):
        yield problem(root, "is no folder", f"Set {_OPP} to a folder that exists, or unset it.")


def _folders_for_cann() -> Iterator[Finding]:
    for variable in (_CUSTOM, _OPP):
        for entry in os.environ.get(variable, "").split(":"):
            if not entry:
                continue
            if os.path.isdir(entry):
                yield Finding(entry, "is read by CANN")
            else:
                advice = f"Take {entry} out of {variable}: there is no such folder."
                yield problem(entry, "is no folder", advice)


def _store(name: str, config: str, custom: str = "", operators: str = "") -> Iterator[Finding]:
    """Look at one entry of a variable, for every family of SoCs that it has a folder for."""
    # An entry without such folders is asked for one, to hear what is wrong with it.
    families = {os.path.basename(os.path.dirname(path)) for path in glob.glob(config)} or {"<soc>"}
    files: dict[str, str] = {}  # file -> the folder that joins sys.path for it
    faults: dict[str, str] = {}  # what is said of one family is said of others
    for family in sorted(families):
        types, wrong, found = _read(family, os.fsencode(custom), os.fsencode(operators))
        if types:
            yield Finding(name, f"for {family}: {', '.join(types)}")
        files |= found
        faults |= wrong
    for fault, advice in faults.items():
        yield problem(name, fault, advice)
    present = [path for path in sorted(files) if os.path.isfile(path)]
    yield from _imports.examine(present, sorted(set(files.values())))


def _read(
    family: str, custom: bytes, operators: bytes
) -> tuple[list[str], dict[str, str], dict[str, str]]:
    """Return types, faults with what to do about them, and files with their folders."""
    from ge import _compiler

    text, problems = _compiler.operator_stores(custom, operators, family)
    faults = {message: solution or message for _, message, _, solution, _ in problems}
    if problems:
        return [], faults, {}
    found = json.loads(text)
    faults |= {warning: warning for warning in found["warnings"]}
    files: dict[str, str] = {}
    for row in found["operators"]:
        paths = [
            os.path.join(row["folder"], *kind, row["module"] + ".py") for kind in ((), ("dynamic",))
        ]
        there = [path for path in paths if os.path.isfile(path)]
        if not there:
            faults[f"{row['type']} has no file {paths[0]}"] = (
                f"Add {paths[0]}, or take {row['type']} out of {row['file']}."
            )
        files |= {path: os.path.dirname(row["folder"]) for path in there}
    return [row["type"] for row in found["operators"]], faults, files
