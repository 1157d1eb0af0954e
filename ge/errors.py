"""What the package raises, besides Python's own exceptions.

    GeError                 .code, .text, .problems
    ├── CompileError        a compile failed
    │   ├── FlagError       (ValueError) the value of a flag is not right
    │   ├── ModelError      the model is damaged, or its nodes contradict each other
    │   ├── UnsupportedError (NotImplementedError) an operator, a dtype or a flag is not supported
    │   └── HookError       (RuntimeError) an operator or a pass in Python failed
    ├── ModelFileError      a file that is no offline model, is damaged, or of a kind not read
    ├── NotRunnableError    (RuntimeError) the model holds tasks that only an NPU runs
    ├── InputError          (ValueError) the arrays are not those that the model takes
    ├── RunError            (RuntimeError) a node failed on the values it was given
    ├── ClosedError         (ValueError) the model was closed before
    └── InternalError       (RuntimeError) a fault of this package

A file that cannot be found or read is an ``OSError``, as everywhere in Python.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = [
    "ClosedError",
    "CompileError",
    "FlagError",
    "GeError",
    "HookError",
    "InputError",
    "InternalError",
    "ModelError",
    "ModelFileError",
    "NotRunnableError",
    "Problem",
    "RunError",
    "UnsupportedError",
]


class Problem(NamedTuple):
    """One thing that is wrong. All but ``text`` may be empty."""

    code: str
    text: str
    cause: str = ""
    solution: str = ""
    node: str = ""  # the node or input of the model that it is about, by the user's name for it

    def __str__(self) -> str:
        return " ".join(part for part in (self.text, self.cause, self.solution) if part)


class GeError(Exception):
    """Base of all exceptions of this package.

    Attributes:
        problems: All that is wrong, at least one :class:`Problem`; the first is the headline.
    """

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    @property
    def code(self) -> str:
        """The code of the headline, such as ``"E10041"``; the same as the command line prints."""
        return self.problems[0].code

    @property
    def text(self) -> str:
        """All problems with what helps against them, one line each."""
        return "\n".join(str(problem) for problem in self.problems)

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


class CompileError(GeError):
    """A compile failed; nothing was written."""


class FlagError(CompileError, ValueError):
    """Values of flags are not right; the message has all faults of all flags."""


class ModelError(CompileError):
    """The model is damaged, or its nodes contradict each other (E14001, E10041, E16xxx)."""


class UnsupportedError(CompileError, NotImplementedError):
    """Operators, dtypes or flags are not supported (E10501, E10055, E16002); all are named."""


class HookError(CompileError, RuntimeError):
    """Python in the compile failed (E400xx, or a code of its own); the text has its traceback."""


class ModelFileError(GeError):
    """A file that is no offline model, is damaged (E10041), or of a kind not read (E10055)."""


class NotRunnableError(GeError, RuntimeError):
    """The model holds tasks that only an NPU runs (E10055)."""


class InputError(GeError, ValueError):
    """The arrays are not those that the model takes; the message has all faults of all inputs."""


class RunError(GeError, RuntimeError):
    """A node failed on the values it was given (E14001), such as an index out of range."""


class ClosedError(GeError, ValueError):
    """The model was closed before."""


class InternalError(GeError, RuntimeError):
    """A fault of this package (E19999): please report it."""


_OF_COMPILE: dict[str, type[GeError]] = {
    "E10041": ModelError,
    "E14001": ModelError,
    "E16001": ModelError,
    "E16004": ModelError,
    "E10055": UnsupportedError,
    "E10501": UnsupportedError,
    "E16002": UnsupportedError,
    "E10059": InternalError,
    "E40020": CompileError,
    "E40024": CompileError,
}
_OF_RUN: dict[str, type[GeError]] = {
    "E10055": NotRunnableError,
    "E14001": RunError,
    "E10059": InternalError,
}


def from_problems(problems: Sequence[tuple[str, str, str, str, str]], action: str) -> GeError:
    """Return the exception for a call of the core that failed.

    Args:
        problems: (code, text, cause, solution, node) of each problem.
        action: ``"compile"``, ``"open"`` or ``"run"``.
    """
    found = [Problem(*problem) for problem in problems]
    code = found[0].code
    if code == "E19999":
        return InternalError(found)
    if action == "compile" and code.startswith(("E400", "E6", "E7", "E8", "E9")):
        return HookError(found)
    if action == "compile":
        return _OF_COMPILE.get(code, FlagError)(found)
    if action == "open":
        return ModelFileError(found)
    return _OF_RUN.get(code, InputError)(found)
