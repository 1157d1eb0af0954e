"""Between arrays of the caller and buffers of the core. NumPy is used where it is installed."""

from typing import Any, NamedTuple

from ge._model import BITS, FORMATS, Buffer
from ge.om import _ml_dtypes

_SIGNED, _UNSIGNED = "bhilqn", "BHILQN"
_OTHER_FORMATS = {"c": "uint8"} | {
    FORMATS[dtype]: dtype
    for dtype in ("bool", "float16", "float32", "float64", "complex64", "complex128")
}


class ArrayError(Exception):
    """Why a value cannot be an input, for a sentence that goes on from its name."""


class _TypedBuffer(NamedTuple):
    data: Any
    dtype: str
    shape: tuple[int, ...]


class Tensor(_TypedBuffer):
    """A buffer with the dtype and shape that it is to be read with.

    For values whose own type cannot say it: ``bytes``, and float16 or bfloat16 without NumPy.

    Args:
        data: A C-contiguous object with a buffer; it is read in place. Elements of less than a
            byte lie packed, the first one in the lowest bits.
        dtype: A name such as ``"float16"``.
        shape: Dims; ``()`` is a scalar.

    Raises:
        TypeError: ``data`` has no buffer.
        ValueError: The dtype is not known, or the buffer has another size.
    """

    __slots__ = ()

    def __new__(cls, data: Any, dtype: str, shape: tuple[int, ...]) -> "Tensor":
        if dtype not in BITS:
            raise ValueError(f"dtype {dtype!r} is not known; it can be {', '.join(BITS)}")
        bits = BITS[dtype]
        for dim in shape:
            if not 0 <= dim < 1 << 63:
                what = "negative" if dim < 0 else "too large"
                raise ValueError(f"dim {dim} of shape {tuple(shape)} is {what}")
            bits *= dim
        needed = (bits + 7) // 8
        view = memoryview(data)
        if not view.c_contiguous:
            raise ValueError("the buffer is not C-contiguous")
        if view.nbytes != needed:
            raise ValueError(
                f"{dtype} of shape {tuple(shape)} takes {needed} bytes, but the buffer has"
                f" {view.nbytes}"
            )
        return super().__new__(cls, data, dtype, tuple(shape))


def numpy_or_none() -> Any:
    """Return NumPy, or ``None`` where it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def as_tensor(value: Any, wanted: str | None) -> Tensor | _TypedBuffer:
    """Return the C-contiguous memory of an array, copied only when it has to be.

    Args:
        value: A NumPy array, a :class:`Tensor`, an object with a buffer or with ``__array__``.
        wanted: The dtype of the input; uint16 is taken for bfloat16, uint8 for float8.

    Raises:
        ArrayError: It is no such value, or its elements have no dtype that models have.
    """
    if isinstance(value, Tensor):
        return value
    own = _ml_dtypes.name_of(getattr(value, "dtype", None))
    if own is not None and hasattr(value, "view"):  # such arrays export no buffer
        return _TypedBuffer(_contiguous(memoryview(_ml_dtypes.bits_of(value))), own, value.shape)
    view, dtype = _view(value)
    if wanted is not None and BITS[wanted] >= 8 and _ml_dtypes.plain_dtype(wanted) == dtype:
        dtype = wanted
    return _TypedBuffer(_contiguous(view), dtype, tuple(view.shape or ()))


def _contiguous(view: memoryview) -> memoryview | bytes:
    return view if view.c_contiguous else view.tobytes()


def _view(value: Any) -> tuple[memoryview, str]:
    """Return a view of the elements as they lie, and their dtype."""
    own = getattr(value, "dtype", None)
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError) as error:
        if own is None or not hasattr(value, "__array__"):
            raise ArrayError(f"is {_a(value)}, not an array") from error
        numpy = numpy_or_none()
        if numpy is None or isinstance(value, numpy.ndarray | numpy.generic):
            raise ArrayError(f"has elements of dtype {own}, which cannot be passed") from error
        return _view(numpy.asarray(value))
    if view.format.startswith((">", "!")) and view.itemsize > 1:
        if not hasattr(value, "byteswap"):
            raise ArrayError("has big-endian elements")
        return _view(value.astype(value.dtype.newbyteorder("=")))
    return view, _dtype_of(view)


def _dtype_of(view: memoryview) -> str:
    """Return the name of the dtype of a buffer. The letters of C types have the size they have."""
    letters = view.format.lstrip("@=<>!")
    if letters in _OTHER_FORMATS:
        return _OTHER_FORMATS[letters]
    if len(letters) == 1 and letters in _SIGNED + _UNSIGNED:
        return f"{'u' if letters in _UNSIGNED else ''}int{8 * view.itemsize}"
    raise ArrayError(f"has elements of the format {view.format!r}, which cannot be passed")


def _a(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def as_array(buffer: Buffer) -> Any:
    """Return a buffer of the core as a NumPy array, or as a memoryview where there is no NumPy.

    bfloat16, float8 and the types of less than a byte are those of ml_dtypes; where that is not
    installed, elements are uint16, int8 or uint8. Types that nobody has are one row of bytes.
    """
    numpy = numpy_or_none()
    if numpy is None:
        return memoryview(buffer)
    if _ml_dtypes.plain_dtype(buffer.dtype) is not None:
        return _ml_dtypes.as_array(buffer)
    if buffer.dtype not in FORMATS:
        return numpy.frombuffer(buffer, "uint8")
    return numpy.ndarray(buffer.shape, buffer.dtype, buffer)
