"""What a tensor looks like: dtype, shape, format."""

from collections.abc import Sequence

from ge.graph.types import DataType, Format

__all__ = ["Shape", "TensorDesc"]


class Shape(list[int]):
    """Dims of a tensor. -1 is a dim that is not known; ``[-2]`` says that not even the rank is."""

    def get_shape_size(self) -> int:
        """Return the number of elements; -1 when it is not known."""
        size = 1
        for dim in self:
            if dim < 0:
                return -1
            size *= dim
        return size

    def is_unknown_shape(self) -> bool:
        """Return whether some dim, or the rank, is not known."""
        return any(dim < 0 for dim in self)


class TensorDesc:
    """Shape, format and dtype of a tensor.

    The graph has no formats of storage: origin shape and format are those of the tensor.
    """

    def __init__(
        self,
        shape: "Sequence[int] | None" = None,
        format: Format = Format.FORMAT_ND,
        data_type: DataType = DataType.DT_FLOAT,
    ) -> None:
        self.shape = Shape(shape or [])
        self.format = Format(format)
        self.data_type = DataType(data_type)

    @property
    def origin_shape(self) -> Shape:
        """The same as ``shape``."""
        return self.shape

    @origin_shape.setter
    def origin_shape(self, shape: Sequence[int]) -> None:
        self.shape = Shape(shape)

    @property
    def origin_format(self) -> Format:
        """The same as ``format``."""
        return self.format

    @origin_format.setter
    def origin_format(self, format: Format) -> None:
        self.format = Format(format)

    def get_shape(self) -> Shape:
        """Return the shape."""
        return self.shape

    def set_shape(self, shape: Sequence[int]) -> None:
        """Set the shape."""
        self.shape = Shape(shape)

    def get_origin_shape(self) -> Shape:
        """Return the shape."""
        return self.shape

    def set_origin_shape(self, shape: Sequence[int]) -> None:
        """Set the shape."""
        self.shape = Shape(shape)

    def get_format(self) -> Format:
        """Return the format."""
        return self.format

    def set_format(self, format: Format) -> None:
        """Set the format."""
        self.format = Format(format)

    def get_origin_format(self) -> Format:
        """Return the format."""
        return self.format

    def set_origin_format(self, format: Format) -> None:
        """Set the format."""
        self.format = Format(format)

    def get_data_type(self) -> DataType:
        """Return the dtype."""
        return self.data_type

    def set_data_type(self, data_type: DataType) -> None:
        """Set the dtype."""
        self.data_type = DataType(data_type)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorDesc):
            return NotImplemented
        return (self.shape, self.format, self.data_type) == (
            other.shape,
            other.format,
            other.data_type,
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TensorDesc({list(self.shape)}, {self.format.name}, {self.data_type.name})"
