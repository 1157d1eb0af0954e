"""Exceptions of operators as parts of replies."""

import os
import re
import sys
from typing import Any

from ge import _hook_errors

_OWN = (os.path.dirname(__file__) + os.sep,)
_CODE = re.compile(r"E[6-9]\d{4}")  # those of operators; lower ones are the compiler's own
_CODE_IN_TEXT = re.compile(r"errCode\W{1,6}(E[6-9]\d{4})\b")


def fault_of(error: BaseException) -> dict[str, Any]:
    """Return ``{"is_import", "ended", "declined", "reason", "coded": [{"code", "reason"}]}``.

    ``reason`` is headline, interpreter and traceback; ``coded`` is what the operator has raised
    with codes of its own, as ``RuntimeError({"errCode": code, ...}, text)``; ``ended`` says that it
    tried to end the program.
    """
    headline, trace, _ = _hook_errors.describe(error, _OWN)
    if isinstance(error, SystemExit):
        headline += ": a hook must not end the program"
    where = f"interpreter: {sys.executable}\n{trace}"
    coded = [{"code": code, "reason": f"{text}\n{where}"} for code, text in _coded(error, headline)]
    is_import = isinstance(error, ImportError) and not coded
    return {
        "is_import": is_import,
        "ended": not isinstance(error, Exception),
        "declined": False,
        "reason": f"{headline}\n{where}",
        "coded": coded,
    }


def refusal(reason: str, *, declined: bool = False) -> dict[str, Any]:
    """Return the fault for what this package itself refuses, or the operator has declined."""
    return {
        "is_import": False,
        "ended": False,
        "declined": declined,
        "reason": reason,
        "coded": [],
    }


def _coded(error: BaseException, headline: str) -> list[tuple[str, str]]:
    entries = [row for row in _hook_errors.coded(error) if _CODE.fullmatch(row["errCode"])]
    text = str(error.args[1]) if len(error.args) > 1 else headline
    if entries:
        return [(row["errCode"], row.get("detailed_cause", text)) for row in entries]
    found = _CODE_IN_TEXT.search(headline)
    return [(found[1], headline)] if found else []
