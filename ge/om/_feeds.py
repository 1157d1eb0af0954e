"""Inputs of ``python3 -m ge.om run``: from files, or random."""

import math
import random
import sys
from array import array
from collections.abc import Iterable
from typing import Any

from ge._model import BITS
from ge.om._arrays import Tensor, numpy_or_none
from ge.om._command_error import CommandError
from ge.om._model import Port
from ge.om._summary import range_text

_RANDOM = (
    *("float16", "float32", "float64", "bfloat16", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)


def parse_shapes(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Read the words of ``--shape``.

    Raises:
        ValueError: One cannot be read; the message says how they are written.
    """
    shapes = {}
    for text in texts:
        name, equals, dims = text.rpartition("=")
        try:
            shape = tuple(int(dim) for dim in dims.split(",")) if dims else ()
        except ValueError:
            shape = (-1,)
        if not equals or min(shape, default=0) < 0:
            raise ValueError(f"--shape {text} cannot be read; write NAME=1,3,224,224")
        if name in shapes:
            raise ValueError(f"--shape names {name} more than once")
        shapes[name] = shape
    return shapes


def read_inputs(
    words: Iterable[str], ports: Iterable[Port], shapes: dict[str, tuple[int, ...]]
) -> dict[str, Any]:
    """Read the files of ``--input``.

    Args:
        words: ``NAME=FILE``, or ``FILE.npz``.
        ports: Inputs of the model.
        shapes: Of ``--shape``; those of .bin files are taken out.

    Raises:
        CommandError: A file cannot be used.
    """
    by_name = {port.name: port for port in ports}
    feeds: dict[str, Any] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals and word.endswith(".npz"):
            found = {key: value for key, value in _read_npz(word).items() if key in by_name}
            if not found:
                raise CommandError(f"{word} has no array for {_names(by_name)}")
        elif not equals:
            raise CommandError(f"--input {word} cannot be read; write NAME=FILE, or FILE.npz")
        elif name not in by_name:
            raise CommandError(f"--input {word}: the inputs are {_names(by_name)}")
        else:
            found = {name: _read(path, by_name[name], shapes)}
        for key in found.keys() & feeds.keys():
            raise CommandError(f"--input gives {key} more than once")
        feeds |= found
    return feeds


def random_input(port: Port, seed: int, shapes: dict[str, tuple[int, ...]]) -> Tensor:
    """Return random values that depend on the seed and the name of the input alone.

    Elements are made from the 32-bit words of Python's Mersenne Twister, little-endian, seeded
    with ``"<seed>:<name>"``: floats are the upper 24 bits as a fraction in [0, 1) (float16 and
    bfloat16: the upper 8), integers and bools the lowest bit.

    Args:
        port: The input.
        seed: Of ``--seed``.
        shapes: Of ``--shape``; the one that is used is taken out.

    Raises:
        CommandError: The shape is not known.
    """
    shape = _shape(port, shapes)
    count = math.prod(shape)
    bits = random.Random(f"{seed}:{port.name}").randbytes(4 * count)
    words = array("I", bits)
    if sys.byteorder == "big":
        words.byteswap()
    elements = _elements(words, port)
    return Tensor(elements, port.dtype, shape)


def _elements(words: "array[int]", port: Port) -> Any:
    """Turn 32-bit words into elements of the dtype of an input."""
    numpy = numpy_or_none()
    kind = {"bfloat16": "float32"}.get(port.dtype, port.dtype)
    if port.dtype not in _RANDOM:
        raise CommandError(f"input {port.name} is {port.dtype}: there are no random values for it")
    if kind.startswith("float"):
        drop = 24 if port.dtype in ("float16", "bfloat16") else 8
        if numpy is not None:
            values = (numpy.asarray(words) >> drop) * 2.0 ** (drop - 32)
            values = values.astype(kind)
            return values.view("uint16")[1::2].copy() if port.dtype == "bfloat16" else values
        values = [(word >> drop) * 2.0 ** (drop - 32) for word in words]
        if port.dtype == "bfloat16":
            return array("H", array("H", array("f", values).tobytes())[1::2])
        if port.dtype == "float16":
            import struct

            return struct.pack(f"{len(values)}e", *values)
        return array({"float32": "f", "float64": "d"}[kind], values)
    if numpy is not None:
        return (numpy.asarray(words) & 1).astype(kind)
    size = BITS[kind] // 8
    return b"".join((word & 1).to_bytes(size, sys.byteorder) for word in words)


def _shape(port: Port, shapes: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the shape of `port`: the one given for it, else its own."""
    if port.name in shapes:
        return shapes.pop(port.name)
    known = tuple(dim for dim in port.shape or () if dim is not None)
    if port.shape is None or len(known) != len(port.shape):
        raise CommandError(
            f"input {port}{range_text(port)} has dims that the model leaves open;"
            f" give them as --shape {port.name}=..."
        )
    return known


def _read(path: str, port: Port, shapes: dict[str, tuple[int, ...]]) -> Any:
    """Read the file of one input."""
    if path.endswith(".npz"):
        arrays = _read_npz(path)
        if len(arrays) != 1 and port.name not in arrays:
            raise CommandError(f"{path} has {_names(arrays)}, and no array called {port.name}")
        return arrays[port.name] if port.name in arrays else next(iter(arrays.values()))
    if path.endswith(".npy"):
        return _load(path)
    if not path.endswith(".bin"):
        raise CommandError(f"{path} is of no known kind; inputs are .npy, .npz and .bin files")
    with open(path, "rb") as file:
        data = file.read()
    try:
        return Tensor(data, port.dtype, _shape(port, shapes))
    except ValueError as error:
        raise CommandError(f"{path} does not fit input {port}: {error}") from None


def _read_npz(path: str) -> dict[str, Any]:
    with _load(path) as archive:
        return {name: archive[name] for name in archive.files}


def _load(path: str) -> Any:
    numpy = numpy_or_none()
    if numpy is None:
        raise CommandError(f"{path} needs NumPy, which is not installed; .bin files do without")
    try:
        return numpy.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None


def _names(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
