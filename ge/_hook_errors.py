"""What the core is told of an exception that a hook raised."""

import traceback
from types import TracebackType

from ge import _hook_text


def describe(error: BaseException, own_folders: tuple[str, ...]) -> tuple[str, str, str]:
    """Return headline, traceback and error dicts of an exception.

    Args:
        error: What was raised.
        own_folders: Frames of files there are left out, as far as they come first.

    Returns:
        ``"ValueError: text"``; the traceback as Python prints it, from the user's first frame on;
        a JSON list of the dicts with ``errCode`` that operators raise.
    """
    headline = traceback.format_exception_only(error)[-1].strip()
    frames = _users_frames(error.__traceback__, own_folders)
    text = "".join(traceback.format_exception(type(error), error, frames)).rstrip("\n")
    return headline, text, _hook_text.reply(coded(error))


def _users_frames(
    frame: TracebackType | None, own_folders: tuple[str, ...]
) -> TracebackType | None:
    def is_own(name: str) -> bool:
        return name.startswith((*own_folders, "<frozen importlib")) or name.endswith(".pyx")

    first = frame
    while first is not None and is_own(first.tb_frame.f_code.co_filename):
        first = first.tb_next
    return first


def coded(error: BaseException) -> list[dict[str, str]]:
    """Return the dicts of ``RuntimeError({"errCode": ...}, text)``."""
    first = error.args[0] if error.args else None
    found = [first] if isinstance(first, dict) else first
    if not isinstance(found, list | tuple):
        return []
    return [
        {str(key): str(value) for key, value in entry.items()}
        for entry in found
        if isinstance(entry, dict) and "errCode" in entry
    ]
