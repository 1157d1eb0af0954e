from collections.abc import Iterable
from os import PathLike

_Problem = tuple[str, str, str, str, str]

def flags() -> list[str]: ...
def bool_text(flag: str, value: bool) -> str: ...
def soc(name: str) -> str: ...

class Record:
    def report(self) -> bytes: ...

def compile_model(
    settings: Iterable[tuple[str, str | bytes | PathLike[str] | PathLike[bytes]]],
    descriptor: int,
    model_path: str | bytes | PathLike[str] | PathLike[bytes],
    interruptible: bool,
    own_passes: bool,
) -> tuple[str, list[_Problem], Record]: ...
