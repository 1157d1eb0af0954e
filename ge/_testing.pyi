from collections.abc import Iterable
from os import PathLike
from typing import Any

class CompileError(Exception):
    problems: list[dict[str, str]]

def import_onnx(
    model: str | PathLike[str] | bytes,
    *,
    allow_unknown_inputs: bool = ...,
    passes: Iterable[str] = ...,
) -> dict[str, Any]: ...
def passes() -> list[dict[str, Any]]: ...
def run_passes(graph: dict[str, Any], passes: Iterable[str]) -> dict[str, Any]: ...
def run_kernel(
    kernel: bytes, inputs: Iterable[tuple[Iterable[int], bytes]]
) -> list[tuple[str, tuple[int, ...], bytes]]: ...
def plan_claims(
    claims: Iterable[tuple[int, int, int]], *, reuse: bool = ...
) -> tuple[list[int], int]: ...
