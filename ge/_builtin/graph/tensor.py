"""Tensors: values of constants."""

import math
from collections.abc import Sequence
from typing import Any

from ge.error import GeError
from ge.graph import _elements
from ge.graph.tensor_desc import Shape, TensorDesc
from ge.graph.types import DataType, Format, Placement

__all__ = ["Tensor"]


class Tensor:
    """A tensor with its elements.

    Args:
        data: Numbers, in lists in lists or flat; an array of NumPy is taken as well.
        file_path: Instead of data: a file with the bytes of the elements.
        data_type: Of the elements.
        format: What the dims are.
        shape: By default that of the lists.
        placement: Where the bytes are; only the host.
    """

    def __init__(
        self,
        data: Any = None,
        file_path: "str | None" = None,
        data_type: DataType = DataType.DT_FLOAT,
        format: Format = Format.FORMAT_ND,
        shape: "Sequence[int] | None" = None,
        placement: Placement = Placement.PLACEMENT_HOST,
    ) -> None:
        if placement != Placement.PLACEMENT_HOST:
            raise GeError("a tensor is in the memory of the host", api_name="Tensor")
        self._data_type = DataType(data_type)
        self._format = Format(format)
        if file_path is not None:
            with open(file_path, "rb") as file:
                self._content = file.read()
            own_shape = [len(_elements.unpack(self._content, self._data_type))]
        else:
            values, own_shape = _elements.flatten([] if data is None else data)
            self._content = _elements.pack(values, self._data_type)
        self._shape = Shape(own_shape if shape is None else shape)
        if self._shape.get_shape_size() != math.prod(own_shape):
            raise GeError(
                f"shape {list(self._shape)} does not have {math.prod(own_shape)} elements",
                api_name="Tensor",
            )

    @classmethod
    def _from_bytes(
        cls, content: bytes, data_type: DataType, format: Format, shape: Sequence[int]
    ) -> "Tensor":
        tensor = cls.__new__(cls)
        tensor._content = content
        tensor._data_type = data_type
        tensor._format = format
        tensor._shape = Shape(shape)
        return tensor

    def _to_bytes(self) -> bytes:
        return self._content

    @property
    def data(self) -> Any:
        """The elements, in lists in lists as the shape says; a number for a scalar."""
        return _elements.nest(_elements.unpack(self._content, self._data_type), self._shape)

    @property
    def data_type(self) -> DataType:
        """Type of the elements."""
        return self._data_type

    @property
    def format(self) -> Format:
        """What the dims are."""
        return self._format

    @property
    def shape(self) -> Shape:
        """The dims."""
        return self._shape

    @property
    def placement(self) -> Placement:
        """Where the bytes are: on the host."""
        return Placement.PLACEMENT_HOST

    def get_data(self) -> Any:
        """Return the elements: see ``data``."""
        return self.data

    def get_data_type(self) -> DataType:
        """Return the type of the elements."""
        return self._data_type

    def get_format(self) -> Format:
        """Return what the dims are."""
        return self._format

    def get_shape(self) -> Shape:
        """Return the dims."""
        return self._shape

    def set_format(self, format: Format) -> None:
        """Say what the dims are."""
        self._format = Format(format)

    def get_tensor_desc(self) -> TensorDesc:
        """Return what the tensor looks like."""
        return TensorDesc(self._shape, self._format, self._data_type)

    def to_host(self) -> "Tensor":
        """Return the tensor, which is on the host."""
        return self

    def to_device(self) -> "Tensor":
        """Not supported: there is no device."""
        raise GeError("the built-in engine has no device memory", api_name="Tensor.to_device")

    def __repr__(self) -> str:
        return f"Tensor({list(self._shape)}, {self._data_type.name})"
