"""JSON texts for the core, which takes nothing but UTF-8."""

import json
import os
import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def reply(value: object) -> str:
    """Return JSON of what user code gave; half a surrogate pair is written out as ``\\ud800``."""
    text = json.dumps(value, ensure_ascii=False)
    return _SURROGATE.sub(lambda half: rf"\\u{ord(half[0]):04x}", text)


def path_of(text: str) -> str:
    """Return the path that the core wrote with one character for each byte."""
    return os.fsdecode(text.encode("latin-1"))


def text_of(path: str) -> str:
    """Return a path with one character for each byte."""
    return os.fsencode(path).decode("latin-1")
