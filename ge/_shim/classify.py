"""``classify``: the cases that an operator for unknown sizes computes.

The toolkit makes many cases, each for a kernel of its own that a tiling function chooses. A
recorded kernel works for all sizes, so there is one case: the inputs as they are, of one rank.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ge._shim import expr
from ge._shim.context import get_context
from ge._shim.errors import dsl_error, operator_error, refused
from ge._shim.expr import Expr, Size, Var
from ge._shim.words import words

UNKNOWN_RANK = -2
UNKNOWN = -1
_PLAIN = words(  # modes whose inputs need nothing
    "gather_nd scatter scatter_nd segment transpose concat split sort topk sparse_apply quant"
    " anti_quant"
)
_REDUCED = ("reduce", "norm", "tuple_reduce")
_MODES = ("elewise", "broadcast", *_REDUCED, "gather", "slice", *_PLAIN)


def classify(ins: list[Any], mode: str, extra_params: dict[str, Any] | None = None) -> list[Any]:
    """Return the cases, each a list of inputs like ``ins``."""
    if mode not in _MODES:
        raise refused(f"classify in the mode [{mode}]", f"use one of {', '.join(_MODES)}")
    if mode in _PLAIN:
        return [[_with_mode(one, mode) for one in ins]]
    if mode == "elewise":
        return [_alike(ins)]
    if mode == "broadcast":
        return [_of_one_rank(ins)]
    if mode == "gather":
        return [_gathered(*ins)]
    if mode == "slice":
        return [_sliced(ins, (extra_params or {}).get("end_mode", "end"))]
    if extra_params is not None and "disable_fuse_axes" in extra_params:
        extra_params["disable_fuse_axes"] = [extra_params["disable_fuse_axes"]]  # one per case
    return [_reduced(ins, mode)]


def _with_mode(one: object, mode: str, shape: Sequence[Any] | None = None) -> Any:
    """Return a descriptor with a shape whose sizes are known where its range has one size."""
    if isinstance(one, list | tuple):
        return [_with_mode(part, mode) for part in one]
    if not isinstance(one, dict) or "shape" not in one:
        return one
    dims = list(one["shape"] if shape is None else shape)
    ranges = one.get("range") or ()
    if shape is None and len(ranges) == len(dims):
        for axis, (low, high) in enumerate(ranges):
            if dims[axis] == UNKNOWN and low == high:
                dims[axis] = low
    return one | {"shape": dims, "mode": one.get("mode", mode), "pattern": mode}


def _is_unknown_rank(one: dict[str, Any]) -> bool:
    return list(one["shape"]) == [UNKNOWN_RANK]


def _alike(ins: Sequence[Any]) -> list[Any]:
    """Inputs of one shape: what is known of one is known of all."""
    inputs = [_with_mode(one, "elewise") for one in ins]
    tensors = [one for one in inputs if isinstance(one, dict) and "shape" in one]
    if any(_is_unknown_rank(one) for one in tensors):
        for one in tensors:
            one["shape"] = [UNKNOWN]
        return inputs
    ranks = {len(one["shape"]) for one in tensors}
    if len(ranks) != 1:
        raise dsl_error(f"classify: inputs of elewise have different ranks: {sorted(ranks)}")
    joint = [max(dims) for dims in zip(*(one["shape"] for one in tensors), strict=True)]
    for one in tensors:
        one["shape"] = joint
    return inputs


def _of_one_rank(ins: Sequence[Any]) -> list[Any]:
    inputs = [_with_mode(one, "broadcast") for one in ins]
    tensors = [one for one in inputs if isinstance(one, dict) and "shape" in one]
    if any(_is_unknown_rank(one) for one in tensors):
        if len(tensors) > 1:
            raise refused("a broadcast of tensors of unknown rank", "give the model known ranks")
        tensors[0]["shape"] = [UNKNOWN]
        return inputs
    rank = max((len(one["shape"]) for one in tensors), default=0)
    for one in tensors:
        one["shape"] = [1] * (rank - len(one["shape"])) + list(one["shape"])
    return inputs


def _reduced(ins: Sequence[Any], mode: str) -> list[Any]:
    """Inputs, the last of which says over which axes."""
    inputs = [_with_mode(one, mode) for one in ins[:-1]]
    rank = len(inputs[0]["shape"])
    if _is_unknown_rank(inputs[0]):
        raise refused("a reduction of a tensor of unknown rank", "give the model known ranks")
    last = ins[-1]
    given = _value(last, "the axes of a reduction")
    axes = [given] if isinstance(given, int) else list(given)
    for axis in axes:
        if not -rank <= axis < rank:
            raise dsl_error(f"classify: axis [{axis}] is not in [{-rank}, {rank - 1}]")
    normal = sorted({axis % rank for axis in axes})
    if not isinstance(last, dict):
        return [*inputs, normal]
    return [*inputs, last | {"shape": [len(normal)], "value": normal}]


def _value(one: Any, what: str) -> Any:
    """Return the value of an input or attribute that decides about shapes."""
    value = one.get("const_value", one.get("value")) if isinstance(one, dict) else one
    if value is None or value == "unknown":
        raise refused(f"{what} that is only known when the kernel runs", "make it a constant")
    return value


def _gathered(params: Any, indices: Any, axis: Any = None, batch_dims: Any = 0) -> list[Any]:
    """Params as [batch, before the axis, axis, behind it], indices as [batch, all others]."""
    batch = int(_value(batch_dims, "batch_dims of gather"))
    shapes = [_with_mode(one, "gather")["shape"] for one in (params, indices)]
    if any(UNKNOWN_RANK in shape for shape in shapes):
        raise refused("gather of tensors of unknown rank", "give the model known ranks")
    along = batch if axis is None else _value(axis, "the axis of gather")
    along = int(along[0] if isinstance(along, list | tuple) else along)
    along += len(shapes[0]) if along < 0 else 0
    x, chosen = shapes
    parts = [x[:batch], x[batch:along], [x[along]], x[along + 1 :]]
    rows = [[_joined(part) for part in parts], [_joined(chosen[:batch]), _joined(chosen[batch:])]]
    for row in rows:
        if row.count(UNKNOWN) > 1:
            raise refused("gather of several sizes that are not known", "fix all but one of them")
    described = [
        _with_mode(one, "gather", row) for one, row in zip((params, indices), rows, strict=True)
    ]
    return [*described, 2, 1]


def _joined(dims: Sequence[int]) -> int:
    return UNKNOWN if UNKNOWN in dims else math.prod(dims)


def _sliced(ins: Sequence[Any], end_mode: str) -> list[Any]:
    """A tensor, where a slice begins, and before where it ends; sizes may be given as ends."""
    x, begin, end = ins
    starts = list(_value(begin, "the begin of slice"))
    ends = list(_value(end, "the end of slice"))
    described = _with_mode(x, "slice")
    if end_mode == "size":
        rows = zip(starts, ends, described["shape"], strict=True)
        ends = [dim if size == -1 else low + size for low, size, dim in rows]
    return [described, starts, ends]


def variable_shape(inputs: list[Any], op_mode: str = "elewise") -> list[Any]:
    """Return one shape per input, with a variable for each size that is not known.

    Sizes on the same axis are the same, but where tensors broadcast, and in modes whose inputs have
    nothing in common.
    """
    broadcasts = any(isinstance(one, dict) and one.get("pattern") == "broadcast" for one in inputs)
    is_shared = op_mode in ("elewise", *_REDUCED) and not broadcasts
    shared: dict[int, Expr] | None = {} if is_shared else None
    shapes = [_variable(one, number, shared) for number, one in enumerate(inputs)]
    if op_mode == "segment" and isinstance(inputs[-1], dict):
        count = _value(inputs[-1], "the number of segments")
        shapes[-1] = int(count[0] if isinstance(count, list | tuple) else count)
    context = get_context()
    current = context.get_current_compute() if context is not None else None
    if current is not None:
        current.add("_op_mode", op_mode)
    return shapes


def _variable(one: Any, number: int, shared: dict[int, Expr] | None) -> Any:
    if isinstance(one, list | tuple):
        is_nested = any(isinstance(part, dict) for part in one)
        return [_variable(part, number, None) for part in one] if is_nested else list(one)
    if not isinstance(one, dict):
        return one
    shape: list[Size | Expr] = []
    for axis, dim in enumerate(one["shape"]):
        if dim == UNKNOWN:
            if shared is None:
                shape.append(Var(f"_dim_{number}_{axis}"))
            else:
                shape.append(shared.setdefault(axis, Var(f"_dim_{axis}")))
        else:
            shape.append(expr.as_size(dim))
    return shape


def broadcast_shapes(
    shape1: Sequence[Any],
    shape2: Sequence[Any],
    op_name: str = "",
    param_name_input1: str = "",
    param_name_input2: str = "",
) -> tuple[list[Any], list[Any], list[Any]]:
    """Return both shapes with one rank, and the shape that they broadcast to."""
    first, second, joint = unify_broadcast_shapes([shape1, shape2], op_name)
    del param_name_input1, param_name_input2
    return first, second, joint


def unify_broadcast_shapes(shapes: Sequence[Sequence[Any]], op_name: str = "") -> tuple[Any, ...]:
    """Return all shapes with one rank, and behind them the shape that they broadcast to."""
    rank = max(len(shape) for shape in shapes)
    padded = [[1] * (rank - len(shape)) + [_plain(dim) for dim in shape] for shape in shapes]
    joint: list[Any] = [1] * rank
    for shape in padded:
        for axis, dim in enumerate(shape):
            size = expr.joint_size(expr.as_size(joint[axis]), expr.as_size(dim))
            if size is None:
                text = [",".join(map(str, one)) for one in padded]
                raise operator_error(
                    "E80013",
                    f"the shapes [{'] and ['.join(text)}] do not broadcast together",
                    op_name=op_name,
                    input1_shape=text[0],
                    input2_shape=text[-1],
                )
            joint[axis] = _plain(size)
    return (*padded, joint)


def _plain(dim: object) -> Any:
    """Return a dim as operators compute with it: an int where it is known."""
    size = expr.as_size(dim)
    return int(size) if isinstance(size, int) else size
