from collections.abc import Iterable
from os import PathLike

_Word = str | bytes | PathLike[str] | PathLike[bytes]

def run(library: _Word, argv: Iterable[_Word], *, global_symbols: bool = False) -> int: ...
