from collections.abc import Iterable
from os import PathLike
from typing import Any

FORMATS: dict[str, str]
BITS: dict[str, int]

_Port = tuple[str, str, list[int] | None, list[tuple[int, int]]]

class Buffer:
    dtype: str
    shape: tuple[int, ...]
    def __buffer__(self, flags: int, /) -> memoryview: ...

class OpenedModel:
    def facts(self) -> dict[str, Any]: ...
    def weights(self) -> list[tuple[str, Buffer]]: ...
    def graphs(self) -> str: ...
    def run(
        self,
        inputs: Iterable[tuple[str, str, tuple[int, ...], Any]],
        threads: int,
        profile: bool,
        interruptible: bool,
        poison: bool = False,
    ) -> tuple[list[Buffer], list[tuple[str, str, int, int]] | None]: ...

def open_model(path: str | bytes | PathLike[str] | PathLike[bytes]) -> OpenedModel: ...
