"""JSON texts for the core, which takes nothing but UTF-8."""

import json
import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def reply(value: object) -> str:
    """Return JSON of what user code gave; half a surrogate pair is written out as ``\\ud800``."""
    text = json.dumps(value, ensure_ascii=False)
    return _SURROGATE.sub(lambda half: rf"\\u{ord(half[0]):04x}", text)
