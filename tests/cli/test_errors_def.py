"""core/base/errors.def against the code that raises its rows."""

import re
from pathlib import Path

CORE = Path(__file__).parent.parent.parent / "core"
ROW = re.compile(r'GE_ERR\((\w+), "(\w*)", "((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)", "(.*)"\)')
CALL = re.compile(r"ErrorId::k([EW]\d{5}),\s*\{(?=\s*[{}])")


def rows():
    text = (CORE / "base" / "errors.def").read_text()
    lines = [line for line in text.splitlines() if line.startswith("GE_ERR(")]
    found = [ROW.fullmatch(line) for line in lines]
    assert all(found), lines[found.index(None)]
    return {row[1]: row.groups() for row in found}


def braces(text, start):
    """The text between the brace before `start` and its partner; strings may hold braces."""
    depth, at = 1, start
    while depth:
        if text[at] == '"':
            at = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, at).end()
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start:at]


def test_rows_stand_in_code_order():
    codes = list(rows())
    assert codes == sorted(codes)


def test_every_placeholder_is_filled_where_the_error_is_raised():
    table = rows()
    missing = []
    for path in CORE.rglob("*.cc"):
        text = path.read_text()
        for call in CALL.finditer(text):
            filled = set(re.findall(r'\{\s*"(\w+)"', braces(text, call.end())))
            _, _, message, cause, solution = table[call[1]]
            needed = set(re.findall(r"\{(\w+)\}", message + cause + solution))
            if not needed <= filled:
                missing.append((path.name, call[1], sorted(needed - filled)))
    assert missing == []
