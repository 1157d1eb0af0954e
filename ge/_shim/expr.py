"""Scalar expressions: sizes that are only known when the kernel runs, and bodies of tvm.compute.

Sizes that are known are :class:`Size`, an ``int``; so ordinary arithmetic gives ordinary numbers.
An expression equals another when both have the same :attr:`Expr.key`, in which the order of
operands of sums and products does not count.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ge._shim import dtypes
from ge._shim.errors import dsl_error

if TYPE_CHECKING:
    from ge._shim.tensor import Tensor

_COMMUTATIVE = ("add", "mul", "max", "min", "and", "or", "eq", "ne")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_LOGIC = ("and", "or")
_FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "floormod": lambda a, b: a % b,
    "truncdiv": lambda a, b: int(math.copysign(abs(a) // abs(b), a * b)) if a * b else 0,
    "truncmod": lambda a, b: int(math.fmod(a, b)),
    "div": lambda a, b: a / b,
    "max": max,
    "min": min,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "and": lambda a, b: bool(a) and bool(b),
    "or": lambda a, b: bool(a) or bool(b),
}

_numbers = itertools.count()
_keys: dict[tuple[object, ...], int] = {}


def forget() -> None:
    """Forget the keys that have been given; none is given again."""
    _keys.clear()


class Size(int):
    """A size that is known, with what TVM's integers have."""

    dtype = "int32"

    @property
    def value(self) -> int:
        return int(self)


class Expr:
    """A scalar of some dtype."""

    dtype: str

    @functools.cached_property
    def key(self) -> int:
        """A number that equal expressions share."""
        return _keys.setdefault(self._parts(), next(_numbers))

    def _parts(self) -> tuple[object, ...]:
        """Return what makes it equal to another, with keys in place of expressions."""
        raise NotImplementedError

    def __hash__(self) -> int:
        return self.key

    def __add__(self, other: object) -> Expr:
        return binary("add", self, other)

    def __radd__(self, other: object) -> Expr:
        return binary("add", other, self)

    def __sub__(self, other: object) -> Expr:
        return binary("sub", self, other)

    def __rsub__(self, other: object) -> Expr:
        return binary("sub", other, self)

    def __mul__(self, other: object) -> Expr:
        return binary("mul", self, other)

    def __rmul__(self, other: object) -> Expr:
        return binary("mul", other, self)

    def __truediv__(self, other: object) -> Expr:
        return divide(self, other)

    def __rtruediv__(self, other: object) -> Expr:
        return divide(other, self)

    def __floordiv__(self, other: object) -> Expr:
        return binary("floordiv", self, other)

    def __rfloordiv__(self, other: object) -> Expr:
        return binary("floordiv", other, self)

    def __mod__(self, other: object) -> Expr:
        return binary("floormod", self, other)

    def __rmod__(self, other: object) -> Expr:
        return binary("floormod", other, self)

    def __neg__(self) -> Expr:
        return binary("sub", Const(0, self.dtype), self)

    def __eq__(self, other: object) -> Expr:  # type: ignore[override]
        return binary("eq", self, other)

    def __ne__(self, other: object) -> Expr:  # type: ignore[override]
        return binary("ne", self, other)

    def __lt__(self, other: object) -> Expr:
        return binary("lt", self, other)

    def __le__(self, other: object) -> Expr:
        return binary("le", self, other)

    def __gt__(self, other: object) -> Expr:
        return binary("gt", self, other)

    def __ge__(self, other: object) -> Expr:
        return binary("ge", self, other)

    def __bool__(self) -> bool:
        raise dsl_error(
            f"whether [{self}] holds is only known when the kernel runs; use tvm.select, tvm.all or"
            " tvm.any instead of if, and, or"
        )

    def astype(self, dtype: str) -> Expr:
        return cast(self, dtype)

    def equal(self, other: object) -> Expr:
        return binary("eq", self, other)

    def __repr__(self) -> str:
        return str(self)


class Const(Expr):
    """A number of a dtype."""

    def __init__(self, value: float | bool, dtype: str) -> None:
        self.dtype = dtypes.canonical(dtype)
        self.value: Any
        if dtypes.is_float(self.dtype):
            self.value = float(value)
        else:
            self.value = bool(value) if self.dtype == "bool" else int(value)

    def _parts(self) -> tuple[object, ...]:
        return ("const", repr(self.value))

    def __int__(self) -> int:
        return int(self.value)

    def __index__(self) -> int:
        if isinstance(self.value, float):
            raise TypeError(f"{self} is no integer")
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __str__(self) -> str:
        return str(self.value)


class Var(Expr):
    """A scalar that gets its value when the kernel runs, or an axis of tvm.compute."""

    _serials = itertools.count()

    def __init__(self, name: str = "tindex", dtype: str = "int32") -> None:
        self.name = name
        self.dtype = dtypes.canonical(dtype)
        self._serial = next(Var._serials)

    def _parts(self) -> tuple[object, ...]:
        return ("var", self._serial)

    def __str__(self) -> str:
        return self.name


class IterVar:
    """An axis of a reduction: ``tvm.reduce_axis``."""

    def __init__(self, extent: int | Expr, name: str) -> None:
        self.var = Var(name)
        self.extent = extent
        self.dom = (0, extent)


class Binary(Expr):
    """``op`` of two operands."""

    def __init__(self, op: str, a: Expr, b: Expr) -> None:
        self.op, self.a, self.b = op, a, b
        self.dtype = "bool" if op in _COMPARISONS or op in _LOGIC else a.dtype

    def _parts(self) -> tuple[object, ...]:
        if self.op in ("add", "mul"):
            return (self.op, *sorted(part.key for part in _flat(self.op, self)))
        keys = [self.a.key, self.b.key]
        return (self.op, *(sorted(keys) if self.op in _COMMUTATIVE else keys))

    def __bool__(self) -> bool:
        # As TVM has it: equal when they are written alike, which is what `==` in an if asks.
        if self.op in ("eq", "ne"):
            return (self.a.key == self.b.key) == (self.op == "eq")
        return super().__bool__()

    def __str__(self) -> str:
        return f"{self.op}({self.a}, {self.b})"


class Call(Expr):
    """A named function of operands: exp, floor, not, ..."""

    def __init__(self, name: str, args: list[Expr], dtype: str) -> None:
        self.name, self.args, self.dtype = name, args, dtype

    def _parts(self) -> tuple[object, ...]:
        return ("call", self.name, self.dtype, *(arg.key for arg in self.args))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})"


class Cast(Expr):
    """A conversion."""

    def __init__(self, value: Expr, dtype: str) -> None:
        self.value, self.dtype = value, dtypes.canonical(dtype)

    def _parts(self) -> tuple[object, ...]:
        return ("cast", self.dtype, self.value.key)

    def __str__(self) -> str:
        return f"{self.dtype}({self.value})"


class Select(Expr):
    """``condition ? yes : no``."""

    def __init__(self, condition: Expr, yes: Expr, no: Expr) -> None:
        self.condition, self.yes, self.no = condition, yes, no
        self.dtype = yes.dtype

    def _parts(self) -> tuple[object, ...]:
        return ("select", self.condition.key, self.yes.key, self.no.key)

    def __str__(self) -> str:
        return f"select({self.condition}, {self.yes}, {self.no})"


class Read(Expr):
    """An element of a tensor."""

    def __init__(self, tensor: Tensor, indices: list[Expr]) -> None:
        self.tensor, self.indices, self.dtype = tensor, indices, tensor.dtype

    def _parts(self) -> tuple[object, ...]:
        return ("read", self.tensor.serial, *(index.key for index in self.indices))

    def __str__(self) -> str:
        return f"{self.tensor.name}[{', '.join(map(str, self.indices))}]"


class Reduce(Expr):
    """A sum, product, maximum or minimum over axes; the outermost part of a body."""

    def __init__(self, kind: str, body: Expr, axes: list[IterVar]) -> None:
        self.kind, self.body, self.axes, self.dtype = kind, body, axes, body.dtype

    def _parts(self) -> tuple[object, ...]:
        return ("reduce", self.kind, self.body.key, *(axis.var.key for axis in self.axes))

    def __str__(self) -> str:
        axes = ", ".join(axis.var.name for axis in self.axes)
        return f"{self.kind}({self.body}, axis=[{axes}])"


def _flat(op: str, expr: Expr) -> Iterable[Expr]:
    if isinstance(expr, Binary) and expr.op == op:
        yield from _flat(op, expr.a)
        yield from _flat(op, expr.b)
    else:
        yield expr


def plain_number(value: object) -> object:
    """Return a scalar of NumPy as a number of Python; anything else as it is."""
    item = None if isinstance(value, int | float) else getattr(value, "item", None)
    return value if item is None or getattr(value, "shape", None) != () else item()


def as_expr(value: object, dtype: str | None = None) -> Expr:
    """Return a number as an expression, of the dtype of its partner when there is one."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, IterVar):
        return value.var
    value = plain_number(value)
    if isinstance(value, bool):
        return Const(value, "bool")
    if isinstance(value, int):
        return Const(value, dtype if dtype not in (None, "bool") else "int32")
    if isinstance(value, float):
        return Const(value, dtype if dtype is not None and dtypes.is_float(dtype) else "float32")
    raise dsl_error(f"[{value!r}] is no scalar expression")


def _paired(a: object, b: object) -> tuple[Expr, Expr]:
    """Return both with one dtype: a number takes its partner's, else the wider one is taken."""
    left = as_expr(a, b.dtype if isinstance(b, Expr) else None)
    right = as_expr(b, left.dtype)
    if left.dtype == right.dtype:
        return left, right
    if isinstance(left, Const) and not (dtypes.is_float(left.dtype) and dtypes.is_int(right.dtype)):
        return Const(left.value, right.dtype), right
    if isinstance(right, Const) and not (
        dtypes.is_float(right.dtype) and dtypes.is_int(left.dtype)
    ):
        return left, Const(right.value, left.dtype)
    rank = [(dtypes.is_float(side.dtype), dtypes.bits(side.dtype)) for side in (left, right)]
    if rank[0] >= rank[1]:
        return left, cast(right, left.dtype)
    return cast(left, right.dtype), right


def binary(op: str, a: object, b: object) -> Expr:
    """Return ``a op b``; numbers are worked out at once."""
    left, right = _paired(a, b)
    dtype = "bool" if op in _COMPARISONS or op in _LOGIC else left.dtype
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(_FOLDS[op](left.value, right.value), dtype)
    if isinstance(right, Const):
        if right.value == 0 and op in ("add", "sub"):
            return left
        if right.value == 1 and op in ("mul", "floordiv", "truncdiv"):
            return left
    if isinstance(left, Const):
        if left.value == 0 and op == "add":
            return right
        if left.value == 1 and op == "mul":
            return right
    return Binary(op, left, right)


def divide(a: object, b: object) -> Expr:
    """Return ``a / b``, which for integers cuts the fraction off."""
    left, right = _paired(a, b)
    return binary("div" if dtypes.is_float(left.dtype) else "truncdiv", left, right)


def cast(value: object, dtype: str) -> Expr:
    expr = as_expr(value)
    if expr.dtype == dtypes.canonical(dtype):
        return expr
    return Const(expr.value, dtype) if isinstance(expr, Const) else Cast(expr, dtype)


def select(condition: object, yes: object, no: object) -> Expr:
    chosen = as_expr(condition)
    left, right = _paired(yes, no)
    if isinstance(chosen, Const):
        return left if chosen.value else right
    return Select(chosen, left, right)


def as_size(value: object) -> Size | Expr:
    """Return a dim: a number where it is known."""
    value = plain_number(value)
    if isinstance(value, Const):
        return Size(int(value.value))
    if isinstance(value, Expr):
        return value
    if isinstance(value, float) and not value.is_integer():
        raise dsl_error(f"[{value}] is no size")
    return Size(value)  # type: ignore[call-overload, no-any-return]


def same_size(a: object, b: object) -> bool:
    """Say whether two dims are known to be equal."""
    return as_expr(a).key == as_expr(b).key


def joint_size(a: Size | Expr, b: Size | Expr) -> Size | Expr | None:
    """Return the size that two dims broadcast to; None when they never do."""
    if same_size(a, b) or (isinstance(b, int) and b == 1):
        return a
    if isinstance(a, int) and a == 1:
        return b
    if isinstance(a, int) and isinstance(b, int):
        return None
    if isinstance(a, int) or isinstance(b, int):
        return a if isinstance(a, int) else b  # the other one is 1 or the same
    return Select(binary("eq", a, 1), b, a)
