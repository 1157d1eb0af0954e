"""What decides how a compile goes on this machine, on one screen: ``python3 -m ge.doctor``.

:func:`examine` is the same as data.
"""

from typing import Any

from ge.doctor._finding import Finding, Level, Section

__all__ = ["Finding", "Level", "Section", "as_json", "as_text", "examine"]


def examine() -> list[Section]:
    """Look at the interpreter, the package, the engine, the user's Python and the folders.

    Nothing is written, and no module of the user is imported.
    """
    from ge.doctor import _folders, _installed, _operators, _passes

    return [
        _installed.interpreter(),
        _installed.package(),
        _operators.operators(),
        _passes.passes(),
        _folders.folders(),
        _folders.environment(),
    ]


def as_json(sections: list[Section]) -> dict[str, Any]:
    """Return the document of ``--json``: sections, their findings, and the verdict."""
    return {
        "schema": 1,
        "verdict": "problems" if _problems(sections) else "ok",
        "problems": [finding.advice for finding in _problems(sections)],
        "sections": {
            section.name: [
                {
                    "name": finding.name,
                    "value": finding.value,
                    "level": finding.level.value,
                    "advice": finding.advice,
                }
                for finding in section.findings
            ]
            for section in sections
        },
    }


def as_text(sections: list[Section]) -> str:
    """Return the screen, verdict last."""
    lines = []
    for section in sections:
        lines.append(section.name)
        for finding in section.findings:
            lines.append(f"  {finding.level.mark} {finding.name:{_WIDTH}} {finding.value}".rstrip())
    problems = _problems(sections)
    lines.append(f"verdict: {len(problems)} to mend" if problems else "verdict: all is well")
    lines += [f"  {number}. {finding.advice}" for number, finding in enumerate(problems, 1)]
    return "\n".join(lines)


_WIDTH = 24


def _problems(sections: list[Section]) -> list[Finding]:
    every = (finding for section in sections for finding in section.findings)
    return [finding for finding in every if finding.level is Level.PROBLEM]
