"""Values of some elements replaced, by a condition over their indices."""

from __future__ import annotations

from collections.abc import Callable

from ge._shim import expr, lower
from ge._shim.tensor import Tensor, as_tensor


def set_value(tensor: object, condition: Callable[..., object], value: object) -> Tensor:
    """Return the tensor with a value, or what a function of the indices gives, where the condition,
    a function of the indices too, holds.
    """
    x = as_tensor(tensor, "operand of set_value")

    def element(*indices: object) -> expr.Expr:
        new = value(*indices) if callable(value) else value
        return expr.select(condition(*indices), expr.as_expr(new, x.dtype), x[indices])

    result = lower.compute(x.shape, element)
    assert isinstance(result, Tensor)
    return result
