"""Compute functions that take indices: gather, scatter, segment, in-place updates."""

from __future__ import annotations

from ge._shim import dtypes, expr
from ge._shim.dsl.broadcast import broadcast
from ge._shim.dsl.elementwise import vsub
from ge._shim.dsl.movement import transpose
from ge._shim.errors import dsl_error, refused
from ge._shim.ops import normal_axis, reshape
from ge._shim.tensor import Tensor, as_tensor, constant, elementwise, record, scalar, show

_SCATTERS = {
    "update": "TensorScatterUpdate",
    "mul": "TensorScatterUpdate",
    "add": "TensorScatterAdd",
    "sub": "TensorScatterAdd",
    "max": "TensorScatterMax",
    "min": "TensorScatterMin",
}
_INDEX_DTYPES = ("int32", "int64")


def _indices(function: str, value: object) -> Tensor:
    indices = as_tensor(value, f"indices of {function}")
    if indices.dtype not in _INDEX_DTYPES:
        raise dsl_error(f"{function}: indices have dtype [{indices.dtype}], not int32 or int64")
    return indices


def gather(
    params: object,
    indices: object,
    axis: int | None = None,
    batch_dims: int = 0,
    negative_index_support: bool = False,
    support_out_of_bound_index: bool = True,
) -> Tensor:
    """Return the slices of params along an axis that indices name."""
    x, chosen = as_tensor(params, "params of gather"), _indices("gather", indices)
    rank = len(x.shape)
    batch = normal_axis("gather", batch_dims, len(chosen.shape) + 1)
    along = batch if axis is None else normal_axis("gather", axis, rank)
    if along < batch:
        raise dsl_error(f"gather: axis [{along}] is less than batch_dims [{batch}]")
    if batch > 0:
        return _gather_in_batches(x, chosen, along, batch)
    shape = [*x.shape[:along], *chosen.shape, *x.shape[along + 1 :]]
    return record("GatherV2", [x, chosen, constant([along], "int64", [])], shape, x.dtype)


def _gather_in_batches(x: Tensor, indices: Tensor, axis: int, batch: int) -> Tensor:
    """Gather along an axis, apart for each index of the leading axes, which both share."""
    count = len(indices.shape)
    between = list(range(batch, axis))
    moved = transpose(x, [*range(batch), axis, *between, *range(axis + 1, len(x.shape))])
    tuples = reshape(indices, [*indices.shape, 1])
    shape = [*indices.shape, *moved.shape[batch + 1 :]]
    result = record("GatherNd", [moved, tuples], shape, x.dtype, batch_dims=("int", batch))
    # From batch, indices, between, behind to batch, between, indices, behind.
    middle = [count + k for k in range(len(between))]
    rest = list(range(count + len(between), len(shape)))
    return transpose(result, [*range(batch), *middle, *range(batch, count), *rest])


def gather_nd(
    params: object,
    indices: object,
    batch_dims: int = 0,
    negative_index_support: bool = False,
    support_out_of_bound_index: bool = True,
) -> Tensor:
    """Return the slices of params that the tuples along the last axis of indices name."""
    x, chosen = as_tensor(params, "params of gather_nd"), _indices("gather_nd", indices)
    length = chosen.shape[-1] if chosen.shape else 0
    batch = normal_axis("gather_nd", batch_dims, len(chosen.shape))
    if not isinstance(length, int) or not 0 < length <= len(x.shape) - batch:
        raise dsl_error(f"gather_nd: tuples of [{length}] do not index {show(x.shape)}")
    shape = [*chosen.shape[:-1], *x.shape[batch + length :]]
    return record("GatherNd", [x, chosen], shape, x.dtype, batch_dims=("int", batch))


def scatter_nd(
    var: object,
    indices: object,
    update: object,
    reduction: str,
    scatter_axis: int = 0,
    is_ref: bool = True,
    support_out_of_bound_index: bool = True,
) -> Tensor:
    """Return var with the slices that tuples of indices name updated."""
    x, chosen = as_tensor(var, "var of scatter_nd"), _indices("scatter_nd", indices)
    given = as_tensor(update, "update of scatter_nd")
    if reduction not in _SCATTERS:
        raise refused(
            f"a scatter that combines by [{reduction}]", f"use one of {', '.join(_SCATTERS)}"
        )
    if scatter_axis != 0:
        raise refused(f"scatter_nd with scatter_axis [{scatter_axis}]", "use axis 0")
    if given.dtype != x.dtype:
        raise dsl_error(f"scatter: var has dtype [{x.dtype}], update [{given.dtype}]")
    if reduction == "sub":
        given = vsub(broadcast(expr.Const(0, given.dtype), given.shape), given)
    if reduction == "mul":
        return elementwise(_SCATTERS["mul"], x, chosen, given, reduction=("str", "mul"))
    return elementwise(_SCATTERS[reduction], x, chosen, given)


def scatter(
    var: object,
    indices: object,
    update: object,
    reduction: str,
    scatter_axis: int = 0,
    is_ref: bool = True,
    support_out_of_bound_index: bool = True,
) -> Tensor:
    """Return var with its slices along an axis that indices name updated."""
    x, chosen = as_tensor(var, "var of scatter"), _indices("scatter", indices)
    given = as_tensor(update, "update of scatter")
    along = normal_axis("scatter", scatter_axis, len(x.shape))
    tuples = reshape(chosen, [*chosen.shape, 1])
    if along == 0:
        return scatter_nd(x, tuples, given, reduction)
    # The axis goes to the front: in update, the axes of indices stand in its place.
    count = len(chosen.shape)
    front = [along, *(k for k in range(len(x.shape)) if k != along)]
    moved = list(range(along, along + count))
    rest = [k for k in range(len(given.shape)) if k not in moved]
    result = scatter_nd(transpose(x, front), tuples, transpose(given, moved + rest), reduction)
    return transpose(result, [front.index(k) for k in range(len(front))])


def segment(
    data: object,
    segment_ids: object,
    num_segments: object,
    init_value: object,
    segment_op: str,
    check_ids: bool = False,
) -> Tensor:
    """Return, for each segment, the combination of the slices of data that have its id.

    segment_op is ``segmentensor_sum``, ``..._prod``, ``..._max``, ``..._min`` or ``..._mean``;
    segments that have no slices hold init_value.
    """
    x, ids = as_tensor(data, "data of segment"), _indices("segment", segment_ids)
    name = segment_op.rsplit("_", 1)[-1]
    rest = x.shape[len(ids.shape) :]
    shape = [num_segments, *rest]
    tuples = reshape(ids, [*ids.shape, 1])
    combined = {
        "sum": ("add", 0),
        "mean": ("add", 0),
        "prod": ("mul", 1),
        "max": ("max", dtypes.lowest(x.dtype)),
        "min": ("min", dtypes.highest(x.dtype)),
    }
    if name not in combined:
        raise refused(f"segment with [{segment_op}]", f"use one of {', '.join(combined)}")
    reduction, neutral = combined[name]
    results = scatter_nd(broadcast(expr.Const(neutral, x.dtype), shape), tuples, x, reduction)
    ones = broadcast(expr.Const(1, "int32"), ids.shape)
    none = broadcast(expr.Const(0, "int32"), [num_segments])
    counts = scatter_nd(none, tuples, ones, "add")
    counts = reshape(counts, [num_segments, *([1] * len(rest))])
    if name == "mean":
        divisor = record("Maximum", [counts, scalar(1, "int32")], counts.shape, "int32")
        number = ("int", dtypes.number(x.dtype))
        floats = record("Cast", [divisor], counts.shape, x.dtype, dst_type=number)
        results = elementwise("Div", results, floats)
    filled = record("Greater", [counts, scalar(0, "int32")], counts.shape, "bool")
    inputs = [filled, results, scalar(init_value, x.dtype)]
    return record("SelectV2", inputs, results.shape, x.dtype)


def unsorted_segment_sum(
    tensor: object, segment_ids: object, num_segments: object, init_value: object = 0
) -> Tensor:
    return segment(tensor, segment_ids, num_segments, init_value, "segmentensor_sum")


def unsorted_segment_mean(
    tensor: object, segment_ids: object, num_segments: object, init_value: object = 0
) -> Tensor:
    return segment(tensor, segment_ids, num_segments, init_value, "segmentensor_mean")


def unsorted_segment_prod(
    tensor: object, segment_ids: object, num_segments: object, init_value: object = 1
) -> Tensor:
    return segment(tensor, segment_ids, num_segments, init_value, "segmentensor_prod")


def unsorted_segment_max(
    tensor: object, segment_ids: object, num_segments: object, init_value: object = 0
) -> Tensor:
    return segment(tensor, segment_ids, num_segments, init_value, "segmentensor_max")


def unsorted_segment_min(
    tensor: object, segment_ids: object, num_segments: object, init_value: object = 0
) -> Tensor:
    return segment(tensor, segment_ids, num_segments, init_value, "segmentensor_min")


def _rows(function: str, lhs: object, inplace_ids: object) -> tuple[Tensor, Tensor]:
    """Return lhs, and the ids of its rows as index tuples."""
    x = as_tensor(lhs, f"lhs of {function}")
    if isinstance(inplace_ids, Tensor):
        ids = _indices(function, inplace_ids)
    else:
        ids = constant([int(i) for i in inplace_ids], "int32")  # type: ignore[attr-defined]
    return x, reshape(ids, [*ids.shape, 1])


def inplace_add(lhs: object, inplace_ids: object, rhs: object) -> Tensor:
    """Return lhs with rows of rhs added to the rows that the ids name."""
    x, rows = _rows("inplace_add", lhs, inplace_ids)
    return scatter_nd(x, rows, rhs, "add")


def inplace_sub(lhs: object, inplace_ids: object, rhs: object) -> Tensor:
    """Return lhs with rows of rhs taken from the rows that the ids name."""
    x, rows = _rows("inplace_sub", lhs, inplace_ids)
    return scatter_nd(x, rows, rhs, "sub")


def inplace_update(lhs: object, inplace_ids: object, rhs: object) -> Tensor:
    """Return lhs with rows of rhs in place of the rows that the ids name."""
    x, rows = _rows("inplace_update", lhs, inplace_ids)
    return scatter_nd(x, rows, rhs, "update")
