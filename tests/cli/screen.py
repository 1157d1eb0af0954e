"""What atc prints, taken apart."""

import dataclasses
import re

START = "ATC has started, please wait.\n"
DOTS = "...\n"
SUCCESS = "ATC run success, welcome to the next use.\n"
FAILURE = "ATC run failed. For the flags, see '{name} --help'.\n"

_HEADLINE = re.compile(r"\[PID: \*\] \*time\* (?P<title>\w+)\((?P<code>[EW]\d{5})\): (?P<text>.*)")
_INDENT = " " * 8
_PLACEHOLDER = re.compile(r"\{\w+\}")


@dataclasses.dataclass
class Block:
    """One error block.

    Attributes:
        code: Of the headline, such as ``E10001``; "" when no problem was recorded.
        lines: The headline's message, cause, solution and excerpt lines.
        others: Messages below the TraceBack line, excerpt lines joined to their message.
    """

    code: str
    title: str
    lines: list[str]
    others: list[str]


def error_block(stdout, name="atc"):
    """Take a failed run's error block apart, and check its layout on the way."""
    before, failure, after = stdout.partition(FAILURE.format(name=name))
    assert failure, stdout
    assert before.startswith(START)
    assert not _PLACEHOLDER.search(after), "a placeholder was not filled in"
    assert after.endswith("\n")
    text = after[:-1]  # the line break that follows the block
    if not text:
        return Block("", "", [], [])
    head, _, tail = text.partition(f"{_INDENT}TraceBack (most recent call last):\n")
    first, *rest = head.splitlines()
    match = _HEADLINE.fullmatch(first)
    assert match, first
    assert all(line.startswith(_INDENT) for line in rest)
    others = []
    for line in tail.splitlines():
        assert line.startswith(_INDENT), line
        others.append(line.removeprefix(_INDENT))
    return Block(
        match["code"],
        match["title"],
        [match["text"], *(line.removeprefix(_INDENT) for line in rest)],
        others,
    )


def mentions(block, *texts):
    """Whether one of the block's lines holds all of `texts`."""
    return any(all(text in line for text in texts) for line in [*block.lines, *block.others])
