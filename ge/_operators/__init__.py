"""What the core calls for operators in Python: each function takes and returns a JSON text.

``open`` comes first and ``close`` last; between them any number of calls, from any thread. Faults
of the user's files are parts of the replies, so that all of them are reported.
"""

import contextlib
import itertools
import json
import os
from typing import Any

from ge import _hook_text, hooks
from ge._operators import _build, _modules, _workers
from ge._operators._faults import fault_of

_lock = _modules.lock
_numbers = itertools.count()


class _Session:
    """One compile."""

    def __init__(self, soc: str) -> None:
        self.soc = soc
        self.registry = hooks._Registry()
        self.exit = contextlib.ExitStack()
        self.modules = _modules.Modules()


_sessions: dict[int, _Session] = {}


def open(text: str) -> str:
    """Load the modules of the parser folders.

    Args:
        text: ``{"soc", "parsers": [folder]}``.

    Returns:
        ``{"session", "parsers": [{"domain", "type", "operator"}], "faults", "warnings"}``.
    """
    request = json.loads(text)
    number = next(_numbers)
    with _lock:
        session = _Session(request["soc"])
        from ge._shim import shim

        session.exit.enter_context(shim(session.soc))
        session.exit.callback(session.modules.forget)
        _sessions[number] = session
        faults = []
        hooks._of_compile.append(session.registry)
        try:
            for folder in request["parsers"]:
                faults += _load_parsers(session, folder)
        finally:
            hooks._of_compile.pop()
    rows = [
        {"domain": domain, "type": op_type, "operator": operator}
        for (domain, op_type), (operator, _) in _parsers(session).items()
    ]
    warnings = _workers.warnings()
    return _hook_text.reply(
        {"session": number, "parsers": rows, "faults": faults, "warnings": warnings}
    )


def close(text: str) -> None:
    """Forget a session: modules of operators are imported anew by the next one."""
    session = _sessions.pop(json.loads(text)["session"], None)
    if session is not None:
        with _lock:
            session.exit.close()


def _load_parsers(session: _Session, folder: str) -> list[dict[str, Any]]:
    faults = []
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if not name.endswith(".py") or name == "__init__.py":
                continue
            path = os.path.join(place, name)
            try:
                session.modules.load_file(path)
            except Exception as error:
                faults.append({"module": path, **fault_of(error)})
    return faults


def _parsers(session: _Session) -> dict[tuple[str, str], tuple[str, hooks.AttrsOf]]:
    return {**session.registry.parsers, **hooks._of_program.parsers}


def map_node(text: str) -> str:
    """Return ``{"attrs"}`` of the operator that an ONNX node becomes, or ``{"fault"}``."""
    request = json.loads(text)
    session = _sessions[request["session"]]
    _, function = _parsers(session)[request["domain"], request["type"]]
    node = hooks.OnnxNode(
        request["name"],
        request["type"],
        request["domain"],
        request["attrs"],
        tuple(_tensor(row) for row in request["inputs"]),
    )
    try:
        with _lock:
            attrs = function(node)
        return _hook_text.reply({"attrs": dict(node.attrs if attrs is None else attrs)})
    except Exception as error:
        return _hook_text.reply(
            {"fault": {"file": function.__code__.co_filename, **fault_of(error)}}
        )


def infer(text: str) -> str:
    """Return ``{"outputs": [{"dtype", "shape"}]}``, ``{"fault"}``, or ``{}`` without a function."""
    request = json.loads(text)
    session = _sessions[request["session"]]
    shapes = {**session.registry.shapes, **hooks._of_program.shapes}
    function = shapes.get(request["type"])
    if function is None:
        return "{}"
    try:
        with _lock:
            rows = function(tuple(_tensor(row) for row in request["inputs"]), request["attrs"])
            outputs = [{"dtype": str(dtype), "shape": list(shape)} for dtype, shape in rows]
        return _hook_text.reply({"outputs": outputs})
    except Exception as error:
        return _hook_text.reply(
            {"fault": {"file": function.__code__.co_filename, **fault_of(error)}}
        )


def build(text: str) -> str:
    """Build kernels: ``{"session", "operators": [...]}`` to ``{"kernels": [...]}``, in order.

    An empty kernel is of an operator that was not built since another one's fault ended all.
    """
    request = json.loads(text)
    session = _sessions[request["session"]]
    rows = [{**row, "soc": session.soc} for row in request["operators"]]
    pool = _workers.current(len(rows))
    if pool is not None:
        return _hook_text.reply({"kernels": _workers.build(pool, rows)})
    with _lock:
        try:
            kernels = [_build.build(row, session.modules) for row in rows]
        finally:  # another compile must not take them for modules of the program
            session.modules.put_away()
    return _hook_text.reply({"kernels": kernels})


def _tensor(row: dict[str, Any] | None) -> hooks.Tensor | None:
    return None if row is None else hooks.Tensor(row["dtype"], tuple(row["shape"]))
