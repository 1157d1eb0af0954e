"""Compute functions that move elements: transpose, slice, concat, split, sort, transdata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ge._shim import dtypes, expr
from ge._shim.errors import dsl_error
from ge._shim.ops import normal_axis, pad, reshape, strided
from ge._shim.tensor import (
    Sizes,
    Tensor,
    as_tensor,
    constant,
    record,
    record_all,
    show,
)


def transpose(tensor: object, axes: Sequence[int]) -> Tensor:
    x = as_tensor(tensor, "operand of transpose")
    order = [normal_axis("transpose", axis, len(x.shape)) for axis in axes]
    if sorted(order) != list(range(len(x.shape))):
        raise dsl_error(f"transpose: axes {list(axes)} are no order of the axes of {show(x.shape)}")
    if order == sorted(order):
        return x
    shape = [x.shape[axis] for axis in order]
    return record("Transpose", [x, constant(order, "int64")], shape, x.dtype)


def slice(
    tensor: object, begin: Sequence[object], end: Sequence[object], stride: object = None
) -> Tensor:
    """Return the elements from begin to before end, along each axis."""
    x = as_tensor(tensor, "operand of slice")
    steps = [1] * len(x.shape) if stride is None else list(stride)  # type: ignore[call-overload]
    if not len(begin) == len(end) == len(steps) == len(x.shape):
        raise dsl_error(f"slice: one begin, end and stride per dim of {show(x.shape)} is needed")
    for low, high, step, dim in zip(begin, end, steps, x.shape, strict=True):
        known = [value for value in (low, high, dim) if isinstance(value, int)]
        if len(known) == 3 and not 0 <= known[0] <= known[1] <= known[2]:
            raise dsl_error(f"slice: [{low}, {high}) is not within a dim of {dim}")
        if not isinstance(step, int) or step < 1:
            raise dsl_error(f"slice: stride [{step}] is not positive")
    return strided(x, begin, end, steps)


def concat(raw_tensors: Sequence[object], axis: int) -> Tensor:
    """Return the tensors one behind the other."""
    parts = [as_tensor(x, f"operand {i} of concat") for i, x in enumerate(raw_tensors)]
    if not parts:
        raise dsl_error("concat: there are no operands")
    first = parts[0]
    along = normal_axis("concat", axis, len(first.shape))
    total: object = first.shape[along]
    for part in parts[1:]:
        alike = part.dtype == first.dtype and len(part.shape) == len(first.shape)
        for k, (a, b) in enumerate(zip(part.shape, first.shape, strict=alike)):
            alike = alike and (k == along or expr.same_size(a, b))
        if not alike:
            raise dsl_error(
                f"concat: {part.dtype}{show(part.shape)} does not join"
                f" {first.dtype}{show(first.shape)} along axis {along}"
            )
        total = expr.as_expr(total) + expr.as_expr(part.shape[along])
    shape = [*first.shape[:along], total, *first.shape[along + 1 :]]
    count = ("int", len(parts))
    return record("ConcatD", parts, shape, first.dtype, concat_dim=("int", along), N=count)


def split(
    data: object, split_dim: int, size_splits: Sequence[int]
) -> tuple[list[list[object]], list[Tensor]]:
    """Return the shapes and the tensors of the parts."""
    x = as_tensor(data, "operand of split")
    along = normal_axis("split", split_dim, len(x.shape))
    sizes = [int(size) for size in size_splits]
    dim = x.shape[along]
    if isinstance(dim, int) and sum(sizes) != dim:
        raise dsl_error(f"split: sizes {sizes} do not add up to {dim}, dim {along} of the tensor")
    shapes: list[list[object]] = [[*x.shape[:along], size, *x.shape[along + 1 :]] for size in sizes]
    inputs = [x, constant(sizes, "int64"), constant([along], "int64", [])]
    rows = [(shape, x.dtype) for shape in shapes]
    return shapes, record_all("SplitV", inputs, rows, num_split=("int", len(sizes)))


def _ordered(
    function: str, x: Tensor, k: object, axis: object, direction: str, indices_dtype: str | None
) -> tuple[Tensor, Tensor]:
    directions = ("ascend", "descend")
    if direction not in directions:
        raise dsl_error(f"{function}: direction [{direction}] is not one of ascend, descend")
    along = normal_axis(function, axis, len(x.shape))
    index = dtypes.canonical(indices_dtype or "int32")
    shape = [*x.shape[:along], k, *x.shape[along + 1 :]]
    values, indices = record_all(
        "TopKV2",
        [x, Sizes([k])],
        [(shape, x.dtype), (shape, index)],
        sorted=("bool", True),
        dim=("int", along),
        largest=("bool", direction == "descend"),
        indices_dtype=("int", dtypes.number(index)),
    )
    return values, indices


def _returned(
    function: str, pair: tuple[Tensor, Tensor], return_type: str
) -> Tensor | tuple[Tensor, Tensor]:
    results = {"value": pair[0], "indices": pair[1], "both": pair}
    if return_type not in results:
        raise dsl_error(f"{function}: return_type [{return_type}] is not one of {list(results)}")
    return results[return_type]  # type: ignore[return-value]


def sort(
    tensor: object,
    sort_axis: int = -1,
    direction: str = "ascend",
    return_type: str = "value",
    indices_dtype: str | None = None,
    need_cast: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the values of an axis in order, where they stood, or both."""
    x = as_tensor(tensor, "operand of sort")
    count = x.shape[normal_axis("sort", sort_axis, len(x.shape))]
    pair = _ordered("sort", x, count, sort_axis, direction, indices_dtype)
    return _returned("sort", pair, return_type)


def topk(
    tensor: object,
    k: object,
    sort_axis: int = -1,
    direction: str = "ascend",
    return_type: str = "value",
    indices_dtype: str | None = None,
    need_cast: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the first k of the order that direction names."""
    x = as_tensor(tensor, "operand of topk")
    pair = _ordered("topk", x, k, sort_axis, direction, indices_dtype)
    return _returned("topk", pair, return_type)


def transdata(
    tensor: object,
    dst_shape: Sequence[object],
    axes_map: Mapping[object, object],
    pad_value: object = 0,
) -> Tensor:
    """Return the elements in another layout.

    An entry of axes_map maps an axis, or a tuple of neighbouring axes, of the tensor to an axis, or
    a tuple of axes, of the result. Where the sizes of both sides differ, the tensor is padded
    (a larger result) or cut (a smaller one).
    """
    x = as_tensor(tensor, "operand of transdata")
    if not x.is_static or not all(isinstance(dim, int) for dim in dst_shape):
        raise dsl_error("transdata: sizes must be known")
    target = [int(dim) for dim in dst_shape]  # type: ignore[call-overload]
    pairs = [(_axes(source), _axes(result)) for source, result in axes_map.items()]
    pairs.sort(key=lambda pair: pair[0])
    if [axis for source, _ in pairs for axis in source] != list(range(len(x.shape))):
        raise dsl_error(f"transdata: axes_map {dict(axes_map)} does not name each axis once")
    fused = reshape(x, [_product([x.shape[k] for k in source]) for source, _ in pairs])
    wanted = [_product([target[k] for k in result]) for _, result in pairs]
    lengths = [_product([dim]) for dim in fused.shape]
    widths = [(0, max(0, w - n)) for w, n in zip(wanted, lengths, strict=True)]
    fused = _trim(pad(fused, widths, pad_value), wanted)
    apart = reshape(fused, [target[k] for _, result in pairs for k in result])
    order = [k for _, result in pairs for k in result]
    return transpose(apart, [order.index(k) for k in range(len(target))])


def _trim(x: Tensor, lengths: Sequence[int]) -> Tensor:
    return strided(x, [0] * len(lengths), list(lengths), [1] * len(lengths))


def _axes(entry: object) -> list[int]:
    return [int(axis) for axis in entry] if isinstance(entry, tuple | list) else [int(entry)]  # type: ignore[call-overload]


def _product(dims: Sequence[object]) -> int:
    product = 1
    for dim in dims:
        product *= int(dim)  # type: ignore[call-overload]
    return product


def dilation(
    tensor_x: object,
    dilations: Sequence[int],
    pads: Sequence[Sequence[int]] | None = None,
    padding_value: object = 0.0,
) -> Tensor:
    """Return the tensor with ``dilation - 1`` elements of one value between neighbours."""
    x = as_tensor(tensor_x, "operand of dilation")
    if len(dilations) != len(x.shape):
        raise dsl_error(f"dilation: one number per dim of {show(x.shape)} is needed")
    for axis, step in enumerate(dilations):
        if int(step) < 1:
            raise dsl_error(f"dilation: [{step}] is not positive")
        if int(step) > 1:
            x = _spread(x, axis, int(step), padding_value)
    if pads is None:
        return x
    return pad(x, [(int(low), int(high)) for low, high in pads], padding_value)


def _spread(x: Tensor, axis: int, step: int, value: object) -> Tensor:
    before, behind = x.shape[:axis], x.shape[axis + 1 :]
    column = reshape(x, [*before, x.shape[axis], 1, *behind])
    widths = [(0, step - 1 if k == axis + 1 else 0) for k in range(len(column.shape))]
    length = expr.as_expr(x.shape[axis]) * step
    flat = reshape(pad(column, widths, value), [*before, length, *behind])
    ends = list(flat.shape)
    ends[axis] = expr.as_size(length - (step - 1))
    return strided(flat, [0] * len(ends), ends, [1] * len(ends))
