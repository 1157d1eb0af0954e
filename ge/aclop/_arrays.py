"""New arrays for results: NumPy's where it is installed."""

from typing import Any

from ge._model import FORMATS
from ge.om import _arrays, _ml_dtypes


def empty(dtype: str, dims: tuple[int, ...], nbytes: int) -> Any:
    """Return an array for elements of a type of GE, whose size is whole bytes.

    Types that NumPy lacks are those of ml_dtypes, or elements with the same bits where that is not
    installed; types that nobody has are bytes. Without NumPy it is a memoryview, of bytes where
    Python's memoryview has no such elements.
    """
    numpy = _arrays.numpy_or_none()
    if numpy is None:
        memory: Any = memoryview(bytearray(nbytes))
        usable = nbytes > 0 and FORMATS.get(dtype, "-") in "?bBhHiIqQfd"
        return memory.cast(FORMATS[dtype], dims) if usable else memory
    plain = _ml_dtypes.plain_dtype(dtype)
    if plain is not None:
        return _ml_dtypes.typed(numpy.empty(dims, plain), dtype)
    return numpy.empty(dims, dtype) if dtype in FORMATS else numpy.empty(nbytes, "uint8")
