"""``shape_util``: shapes of operators, before they are made placeholders."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

from ge._shim import expr, tensor
from ge._shim.classify import broadcast_shapes, unify_broadcast_shapes, variable_shape
from ge._shim.errors import dsl_error
from ge._shim.tensor import Tensor

__all__ = [
    "axis_check",
    "broadcast_shapes",
    "cast",
    "check_reduce_need_refine",
    "compare_tensor_dict_key",
    "get_shape_size",
    "produce_shapes",
    "refine_axis",
    "refine_shape_axes",
    "refine_shapes_for_broadcast",
    "scalar2tensor_one",
    "shape_refine",
    "shape_to_list",
    "simplify_axis_shape",
    "squeeze_shape",
    "unify_broadcast_shapes",
    "variable_shape",
    "wrap_axes_to_positive",
]


def shape_to_list(shape: Sequence[Any]) -> list[Any]:
    """Return the dims, known ones as ints."""
    sizes = [expr.as_size(dim) for dim in shape]
    return [int(size) if isinstance(size, int) else size for size in sizes]


def get_shape_size(shape: Sequence[Any]) -> Any:
    return functools.reduce(operator.mul, shape, 1)


def scalar2tensor_one(shape: Any) -> Any:
    """Return ``[1]`` for the shape of a scalar."""
    return [1] if isinstance(shape, list | tuple) and not shape else shape


def squeeze_shape(shape: Sequence[int]) -> list[int]:
    """Return the dims that are more than 1; one 1 when there are none."""
    return [dim for dim in shape if dim > 1] or [1]


def wrap_axes_to_positive(axes: Any, rank: int) -> list[int]:
    return [_positive(axis, rank) for axis in _listed(axes)]


def axis_check(shape_len: int, axis: Any) -> Any:
    """Return an axis, or several in order, counted from the front."""
    if not hasattr(axis, "index"):
        return _positive(axis, shape_len)
    return sorted({_positive(one, shape_len) for one in axis})


def _listed(axes: Any) -> list[Any]:
    return list(axes) if isinstance(axes, list | tuple) else [axes]


def _positive(axis: Any, rank: int) -> int:
    if type(axis) is not int or not -rank <= axis < rank:
        raise dsl_error(f"axis [{axis}] is not in [{-rank}, {rank - 1}]")
    return axis + rank if axis < 0 else axis


def refine_axis(axis: Any, shape: Sequence[int]) -> list[int]:
    """Return the axes whose size is more than 1."""
    return [one for one in wrap_axes_to_positive(axis, len(shape)) if shape[one] > 1]


def refine_shape_axes(shape: Sequence[int], axes: Any) -> tuple[Any, Any]:
    """Join neighbouring axes that are all reduced, or all kept."""
    if len(shape) == 1:
        return shape, axes
    reduced = set(wrap_axes_to_positive(axes, len(shape)))
    dims: list[int] = []
    result: list[int] = []
    last: bool | None = None
    for axis, dim in enumerate(shape):
        if dim == 1:
            continue
        is_reduced = axis in reduced
        if is_reduced == last:
            dims[-1] *= dim
            continue
        dims.append(dim)
        if is_reduced:
            result.append(len(dims) - 1)
        last = is_reduced
    return dims or [1], result


def simplify_axis_shape(shape: Sequence[int], axis: Sequence[int]) -> tuple[list[int], list[int]]:
    """Join neighbouring axes that are all reduced, or all kept; dims of 1 are dims."""
    reduced = set(wrap_axes_to_positive(axis, len(shape)))
    dims: list[int] = []
    result: list[int] = []
    for position, dim in enumerate(shape):
        if position and ((position in reduced) == (position - 1 in reduced)):
            dims[-1] *= dim
            continue
        dims.append(dim)
        if position in reduced:
            result.append(len(dims) - 1)
    return dims, result


def check_reduce_need_refine(shape: Sequence[int], reduce_axis: Any, keep_dims: bool) -> bool:
    """Say whether dims of 1 may be dropped without an axis that is reduced going with them."""
    sizes = [shape[axis] for axis in _listed(reduce_axis)]
    if hasattr(reduce_axis, "index") and not keep_dims:
        return any(size != 1 for size in sizes)
    return all(size != 1 for size in sizes)


def shape_refine(shape: Sequence[int], reduce_axis: Any = None, keep_dims: bool = True) -> Any:
    """Return the shape without dims of 1, and the axes of the rest when axes are given."""
    if reduce_axis is None:
        return squeeze_shape(shape)
    if not check_reduce_need_refine(shape, reduce_axis, keep_dims):
        return shape, (reduce_axis if hasattr(reduce_axis, "index") else [reduce_axis])
    axes = sorted(refine_axis(reduce_axis, shape))
    if not axes:
        return squeeze_shape(shape), []
    kept = [axis for axis, dim in enumerate(shape) if dim > 1]
    return [shape[axis] for axis in kept], [kept.index(axis) for axis in axes]


def produce_shapes(
    shape1: Sequence[int], shape2: Sequence[int]
) -> tuple[list[Any], list[Any], list[Any]]:
    return broadcast_shapes(shape1, shape2)


def refine_shapes_for_broadcast(
    shape1: Sequence[int], shape2: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Join neighbouring axes that broadcast alike; both shapes get one rank."""
    first, second, _ = broadcast_shapes(shape1, shape2)
    results: tuple[list[int], list[int]] = ([], [])
    last: object = None
    for a, b in zip(first, second, strict=True):
        if a == b == 1:
            continue
        kind = "equal" if a == b else "first" if a == 1 else "second"
        if kind == last:
            results[0][-1] *= a
            results[1][-1] *= b
        else:
            results[0].append(a)
            results[1].append(b)
        last = kind
    return (results[0] or [1]), (results[1] or [1])


def compare_tensor_dict_key(dict1: Any, dict2: Any, dict_key: str) -> None:
    """Raise when two descriptors differ in an entry."""
    for one in (dict1, dict2):
        if not isinstance(one, dict) or dict_key not in one:
            raise dsl_error(f"[{one!r}] is no descriptor with the entry [{dict_key}]")
    values = [dict1[dict_key], dict2[dict_key]]
    plain = [list(v) if isinstance(v, tuple) else v for v in values]
    plain = [v.lower() if isinstance(v, str) else v for v in plain]
    if plain[0] != plain[1]:
        raise dsl_error(f"the entries [{dict_key}] differ: [{values[0]}] and [{values[1]}]")


def cast(x: object, dtype: str) -> Any:
    """Return a tensor or a scalar expression in another dtype."""
    return tensor.cast(x, dtype) if isinstance(x, Tensor) else expr.cast(x, dtype)
