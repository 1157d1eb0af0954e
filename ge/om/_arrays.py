"""Between arrays of the caller and buffers of the core. NumPy is used where it is installed."""

from types import ModuleType
from typing import Any, NamedTuple

from ge._model import FORMATS, ITEMSIZES, PACKED, Buffer

_SIGNED, _UNSIGNED = "bhilqn", "BHILQN"
_OTHER_FORMATS = {"c": "uint8"} | {
    FORMATS[dtype]: dtype
    for dtype in ("bool", "float16", "float32", "float64", "complex64", "complex128")
}
# Types of ml_dtypes, whose arrays export no buffer, and the NumPy type of the same bits.
_BITS = {
    "bfloat16": "uint16",
    "float8_e4m3fn": "uint8",
    "float8_e5m2": "uint8",
    "float8_e8m0": "uint8",
}
# Names of ml_dtypes that are others than GE's.
_ML_NAMES = {"float8_e8m0": "float8_e8m0fnu", "float4_e2m1": "float4_e2m1fn"}
_GE_NAMES = {name: own for own, name in _ML_NAMES.items()}


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
        data: A C-contiguous object with a buffer; it is read in place.
        dtype: A name such as ``"float16"``.
        shape: Dims; ``()`` is a scalar.

    Raises:
        TypeError: ``data`` has no buffer.
        ValueError: The dtype is not known, or the buffer has another size.
    """

    __slots__ = ()

    def __new__(cls, data: Any, dtype: str, shape: tuple[int, ...]) -> "Tensor":
        bits = PACKED.get(dtype) or 8 * ITEMSIZES.get(dtype, 0)
        if bits == 0:
            known = ", ".join([*ITEMSIZES, *PACKED])
            raise ValueError(f"dtype {dtype!r} is not known; it can be {known}")
        for dim in shape:
            if dim < 0:
                raise ValueError(f"dim {dim} of shape {tuple(shape)} is negative")
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


def numpy_or_none() -> ModuleType | None:
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
    own = str(getattr(value, "dtype", ""))
    packed = _GE_NAMES.get(own, own)
    if packed in PACKED and hasattr(value, "astype"):
        return _TypedBuffer(_pack(value, packed), packed, tuple(value.shape))
    view, dtype = _view(value)
    if wanted is not None and _BITS.get(wanted) == dtype:
        dtype = wanted
    data = view if view.c_contiguous else view.tobytes()
    return _TypedBuffer(data, dtype, tuple(view.shape or ()))


def _view(value: Any) -> tuple[memoryview, str]:
    """Return a view of the elements as they lie, and their dtype."""
    own = getattr(value, "dtype", None)
    name = _GE_NAMES.get(str(own), str(own))
    bits = _BITS.get(name)
    if bits is not None and hasattr(value, "view"):
        return memoryview(value.view(bits)), name
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


def _pack(array: Any, dtype: str) -> bytes:
    """Return the elements of a type of ml_dtypes, one in a byte, as they share bytes in models."""
    import numpy

    bits = PACKED[dtype]
    codes = array.view("uint8") if dtype.startswith("float") else array.astype("int8").view("uint8")
    codes = codes.ravel() & (2**bits - 1)
    codes = numpy.pad(codes, (0, -codes.size % (8 // bits))).reshape(-1, 8 // bits)
    return numpy.bitwise_or.reduce(codes << _shifts(bits), axis=1).tobytes()


def _unpack(buffer: Buffer) -> Any:
    """Return packed elements as one of ml_dtypes each; without it as int8 or uint8."""
    import numpy

    bits = PACKED[buffer.dtype]
    count = int(numpy.prod(buffer.tensor_shape, dtype=numpy.int64))
    codes = numpy.frombuffer(buffer, "uint8")[:, None] >> _shifts(bits) & (2**bits - 1)
    codes = codes.ravel()[:count].reshape(buffer.tensor_shape)
    if buffer.dtype.startswith("int"):
        sign = 1 << (bits - 1)
        codes = ((codes ^ sign) - sign).view("int8")
    try:
        import ml_dtypes
    except ImportError:
        return codes
    dtype = getattr(ml_dtypes, _ML_NAMES.get(buffer.dtype, buffer.dtype))
    return codes.view(dtype) if buffer.dtype.startswith("float") else codes.astype(dtype)


def _shifts(bits: int) -> Any:
    import numpy

    return numpy.arange(0, 8, bits, dtype="uint8")


def _a(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def as_array(buffer: Buffer) -> Any:
    """Return a buffer of the core as a NumPy array, or as a memoryview where there is no NumPy.

    bfloat16 and float8 are types of ml_dtypes if that is installed, else uint16 and uint8. So are
    types of 4 and 2 bits, with one element in each byte, else int8 or uint8. Other dtypes that
    neither NumPy nor the buffer protocol has are one row of their bytes.
    """
    numpy = numpy_or_none()
    if numpy is None:
        return memoryview(buffer)
    if buffer.dtype in PACKED:
        return _unpack(buffer)
    dtype: Any = buffer.dtype if buffer.dtype in FORMATS else "uint8"
    if dtype in _BITS:
        try:
            import ml_dtypes

            dtype = getattr(ml_dtypes, _ML_NAMES.get(dtype, dtype))
        except ImportError:
            dtype = _BITS[dtype]
    return numpy.ndarray(buffer.shape, dtype, buffer)


def plain_bits(array: Any) -> Any:
    """Return an array whose dtype every NumPy knows: types of ml_dtypes as their bits."""
    name = _GE_NAMES.get(str(array.dtype), str(array.dtype))
    if name in PACKED:
        return array.view("uint8") if name.startswith("float") else array.astype("int8")
    return array if name not in _BITS else array.view(_BITS[name])
