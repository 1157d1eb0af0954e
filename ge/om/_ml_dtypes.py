"""Types that NumPy itself does not have: arrays of ml_dtypes, and the bits that models hold."""

from typing import Any

from ge._model import BITS, Buffer

# Names of GE, and those of ml_dtypes where they differ.
_NAMES = {
    "bfloat16": "bfloat16",
    "float8_e4m3fn": "float8_e4m3fn",
    "float8_e5m2": "float8_e5m2",
    "float8_e8m0": "float8_e8m0fnu",
    "float4_e2m1": "float4_e2m1fn",
    "int4": "int4",
    "int2": "int2",
    "uint2": "uint2",
}
_NAMES_OF_GE = {name: ge_name for ge_name, name in _NAMES.items()}


def plain_dtype(dtype: str) -> str | None:
    """Return the NumPy type whose elements are the bits of a dtype of ml_dtypes, else ``None``."""
    if dtype not in _NAMES:
        return None
    return "uint16" if BITS[dtype] == 16 else "uint8"


def name_of(dtype: Any) -> str | None:
    """Return GE's name of a dtype of ml_dtypes; ``None`` when it is another one."""
    if dtype is None or getattr(dtype, "isbuiltin", 0) == 1:  # NumPy's own: quick to tell
        return None
    return _NAMES_OF_GE.get(str(dtype))


def plain(array: Any) -> Any:
    """Return the bits of an array of ml_dtypes as elements of one of NumPy's own types."""
    name = _NAMES_OF_GE[str(array.dtype)]
    return array.view("int8" if name.startswith("int") else plain_dtype(name))


def bits_of(array: Any) -> Any:
    """Return an array of ml_dtypes as the bits that a model takes.

    Elements of less than a byte lie packed, the first one in the lowest bits.
    """
    bits = BITS[_NAMES_OF_GE[str(array.dtype)]]
    if bits >= 8:
        return plain(array)
    import numpy

    elements = plain(array).view("uint8").ravel() & (2**bits - 1)
    elements = numpy.pad(elements, (0, -elements.size % (8 // bits))).reshape(-1, 8 // bits)
    return numpy.bitwise_or.reduce(elements << _shifts(bits), axis=1)


def as_array(buffer: Buffer) -> Any:
    """Return a tensor of such a type as an array of ml_dtypes.

    Where that is not installed: the bits as one of NumPy's own types, an element each.
    """
    import numpy

    bits = BITS[buffer.dtype]
    if bits >= 8:
        array = numpy.ndarray(buffer.shape, plain_dtype(buffer.dtype), buffer)
    else:
        count = int(numpy.prod(buffer.shape, dtype=numpy.int64))
        packed = numpy.ndarray(-(-count * bits // 8), "uint8", buffer)
        elements = packed[:, None] >> _shifts(bits) & (2**bits - 1)
        array = elements.ravel()[:count].reshape(buffer.shape)
        if buffer.dtype.startswith("int"):
            sign = 1 << (bits - 1)
            array = ((array ^ sign) - sign).view("int8")
    return typed(array, buffer.dtype)


def typed(array: Any, dtype: str) -> Any:
    """Return elements of :func:`plain_dtype` as those of ml_dtypes, where that is installed."""
    try:
        import ml_dtypes
    except ImportError:
        return array
    return array.view(getattr(ml_dtypes, _NAMES[dtype]))


def _shifts(bits: int) -> Any:
    import numpy

    return numpy.arange(0, 8, bits, dtype="uint8")
