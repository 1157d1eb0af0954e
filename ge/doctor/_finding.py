"""What an examination is made of."""

import enum
from collections.abc import Iterable


class Level(enum.Enum):
    """How much a finding matters."""

    FACT = "fact"
    NOTE = "note"  # works, but is rarely what was meant
    PROBLEM = "problem"  # a compile that uses it fails

    @property
    def mark(self) -> str:
        """One character for the screen."""
        return {"fact": " ", "note": "~", "problem": "!"}[self.value]


class Finding:
    """One line: a name, what was found, and for a problem what to do."""

    def __init__(
        self, name: str, value: object, level: Level = Level.FACT, advice: str = ""
    ) -> None:
        self.name = name
        self.value = str(value)
        self.level = level
        self.advice = advice

    def __repr__(self) -> str:
        return f"Finding({self.name!r}, {self.value!r}, {self.level}, {self.advice!r})"


def problem(name: str, value: object, advice: str) -> Finding:
    """Return a finding that a compile fails for."""
    return Finding(name, value, Level.PROBLEM, advice)


class Section:
    """Findings under one heading."""

    def __init__(self, name: str, findings: Iterable[Finding]) -> None:
        self.name = name
        self.findings = list(findings)
