"""The names of ``tbe.tvm``: placeholders, scalars, index expressions."""

from __future__ import annotations

import contextlib
import math
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ge._shim import dtypes
from ge._shim import expr as exprs
from ge._shim.errors import dsl_error, refused
from ge._shim.expr import Call, Cast, Const, Expr, IterVar, Reduce, Select, Size, Var
from ge._shim.lower import compute, reduce_axis
from ge._shim.tensor import Tensor
from ge._shim.words import words

__all__ = [
    "Tensor",
    "Var",
    "all",
    "any",
    "compute",
    "const",
    "placeholder",
    "reduce_axis",
    "select",
    "var",
]

PrimExpr = Expr


def placeholder(
    shape: Sequence[object] | object,
    dtype: str = "float32",
    name: str = "placeholder",
    attrs: dict[str, Any] | None = None,
) -> Tensor:
    """Return an input of the kernel."""
    dims = shape if isinstance(shape, tuple | list) else (shape,)
    for dim in dims:
        if isinstance(dim, int) and dim < 0:
            raise dsl_error(
                f"placeholder [{name}] has the dim {dim}; make the shape with variable_shape"
            )
    tensor = Tensor(dims, dtype or "float32", name)
    tensor.op.attrs.update(attrs or {})
    return tensor


def const(value: object, dtype: str | None = None) -> Const:
    """Return a scalar constant."""
    if isinstance(value, Const):
        return Const(value.value, dtype or value.dtype)
    value = exprs.plain_number(value)
    if not isinstance(value, int | float):
        raise dsl_error(f"[{value!r}] is no constant")
    default = "bool" if isinstance(value, bool) else "float32"
    if isinstance(value, int) and not isinstance(value, bool):
        default = "int32"
    return Const(value, dtype or default)


def var(name: str = "tindex", dtype: str = "int32") -> Var:
    return Var(name, dtype)


def select(condition: object, true_value: object, false_value: object) -> Expr:
    return exprs.select(condition, true_value, false_value)


def all(*conditions: object) -> Expr:
    return _joined("and", conditions)


def any(*conditions: object) -> Expr:
    return _joined("or", conditions)


def _joined(op: str, conditions: Sequence[object]) -> Expr:
    if not conditions:
        raise dsl_error("tvm.all and tvm.any need a condition")
    result = exprs.as_expr(conditions[0])
    for condition in conditions[1:]:
        result = exprs.binary(op, result, condition)
    return result


def _reduction(kind: str) -> Callable[..., Expr]:
    def reduce(body: object, axis: object = None, *more: object) -> Expr:
        if axis is None or not isinstance(axis, IterVar | list | tuple):
            if kind not in ("max", "min") or axis is None:
                raise dsl_error(f"tvm.{kind} needs the axes to reduce over")
            result = exprs.binary(kind, body, axis)
            for other in more:
                result = exprs.binary(kind, result, other)
            return result
        axes = [axis] if isinstance(axis, IterVar) else list(axis)
        return exprs.Reduce(kind, exprs.as_expr(body), axes)

    return reduce


sum, max, min, prod = (_reduction(kind) for kind in ("sum", "max", "min", "prod"))


def _function(name: str, fold: Callable[[float], float]) -> Callable[[object], Expr]:
    def apply(value: object) -> Expr:
        argument = exprs.as_expr(value)
        if isinstance(argument, Const):
            return Const(fold(argument.value), argument.dtype)
        return exprs.Call(name, [argument], argument.dtype)

    return apply


exp = _function("exp", math.exp)
log = _function("log", math.log)
sqrt = _function("sqrt", math.sqrt)
rsqrt = _function("rsqrt", lambda value: 1 / math.sqrt(value))
tanh = _function("tanh", math.tanh)
sigmoid = _function("sigmoid", lambda value: 1 / (1 + math.exp(-value)))
erf = _function("erf", math.erf)
sin = _function("sin", math.sin)
cos = _function("cos", math.cos)
floor = _function("floor", math.floor)
ceil = _function("ceil", math.ceil)
trunc = _function("trunc", math.trunc)
round = _function("round", lambda value: float(f"{value:.0f}"))
abs = _function("abs", lambda value: value if value >= 0 else -value)


def power(x: object, y: object) -> Expr:
    base = exprs.as_expr(x)
    return exprs.Call("power", [base, exprs.as_expr(y, base.dtype)], base.dtype)


pow = power


def floordiv(a: object, b: object) -> Expr:
    return exprs.binary("floordiv", a, b)


def floormod(a: object, b: object) -> Expr:
    return exprs.binary("floormod", a, b)


def truncdiv(a: object, b: object) -> Expr:
    return exprs.binary("truncdiv", a, b)


def truncmod(a: object, b: object) -> Expr:
    return exprs.binary("truncmod", a, b)


indexdiv, indexmod = floordiv, floormod


def div(a: object, b: object) -> Expr:
    return exprs.divide(a, b)


def ceildiv(a: object, b: object) -> Expr:
    return exprs.binary("floordiv", exprs.as_expr(a) + (exprs.as_expr(b) - 1), b)


def if_then_else(condition: object, true_value: object, false_value: object) -> Expr:
    return exprs.select(condition, true_value, false_value)


def cast(value: object, dtype: str) -> Expr:
    return exprs.cast(value, dtype)


def min_value(dtype: str) -> Const:
    return Const(_finite(dtypes.canonical(dtype), -1), dtype)


def max_value(dtype: str) -> Const:
    return Const(_finite(dtypes.canonical(dtype), 1), dtype)


_GREATEST = {"float16": 65504.0, "float32": 3.4028234663852886e38, "double": 1.7976931348623157e308}
_GREATEST["bfloat16"] = 3.3895313892515355e38


def _finite(dtype: str, sign: int) -> int | float:
    if dtypes.is_float(dtype):
        return sign * _GREATEST[dtype]
    return dtypes.highest(dtype) if sign > 0 else dtypes.lowest(dtype)


class _Target:
    """``tvm.target``: what it is asked for is always the SoC of the compile."""

    @contextlib.contextmanager
    def cce(self, *args: object, **keywords: object) -> Iterator[_Target]:
        yield self

    def __getattr__(self, name: str) -> object:
        raise refused(f"[tvm.target.{name}]", "use tvm.target.cce()")


target = _Target()

# Where operators look types up, for isinstance.
_TYPES = {
    "Expr": Expr,
    "PrimExpr": Expr,
    "Var": Var,
    "IterVar": IterVar,
    "IntImm": Size,
    "ConstExpr": Const,
    "FloatImm": Const,
    "Reduce": Reduce,
    "Select": Select,
    "Cast": Cast,
    "Call": Call,
    "Tensor": Tensor,
}
tensor = te = types.SimpleNamespace(Tensor=Tensor, placeholder=placeholder, compute=compute)


class _Tir(types.SimpleNamespace):
    """``tvm.tir`` and ``tvm.expr``: types, and what builds instructions, which is refused."""

    def __getattr__(self, name: str) -> object:
        raise _by_hand(f"tir.{name}")


tir = expr = _Tir(**_TYPES)
tir.expr = tir


@contextlib.contextmanager
def tag_scope(tag: str = "", attrs: dict[str, Any] | None = None) -> Iterator[None]:
    """Name a part of the computation; schedules of the toolkit look at it, a kernel does not."""
    yield


_BY_HAND = words(
    "create_schedule thread_axis build lower decl_buffer extern call_extern call_pure_intrin"
    " call_packed ir_builder hybrid api make stmt ir_pass intrin schedule codegen register_func"
    " get_global_func sparse sparse_axis scan"
)


def _by_hand(name: str) -> RuntimeError:
    return refused(
        f"[tvm.{name}], a part of hand-written schedules and instructions,",
        "write the computation with tbe.dsl functions and call tbe.dsl.auto_schedule",
    )


def __getattr__(name: str) -> object:
    if name in _BY_HAND:
        raise _by_hand(name)
    raise AttributeError(f"module 'tbe.tvm' has no attribute {name!r}")
