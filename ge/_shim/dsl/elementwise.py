"""Compute functions that work element by element."""

from __future__ import annotations

from ge._shim import dtypes
from ge._shim.errors import dsl_error
from ge._shim.ops import same_kind
from ge._shim.tensor import (
    Tensor,
    as_tensor,
    cast,
    constant,
    elementwise,
    is_scalar,
    record,
    scalar,
)

_IMPL_MODES = ("high_performance", "high_precision")


def _of_dtypes(function: str, x: Tensor, accepted: tuple[str, ...]) -> Tensor:
    if x.dtype not in accepted:
        raise dsl_error(
            f"{function}: dtype [{x.dtype}] is not accepted; use one of {', '.join(accepted)}"
        )
    return x


def _binary(function: str, op_type: str, lhs: object, rhs: object) -> Tensor:
    return elementwise(op_type, *same_kind(function, lhs, rhs))


def _float_unary(function: str, op_type: str, x: object, mode: str = _IMPL_MODES[0]) -> Tensor:
    if mode not in _IMPL_MODES:
        raise dsl_error(f"{function}: impl_mode [{mode}] is not one of {', '.join(_IMPL_MODES)}")
    given = as_tensor(x, f"operand of {function}")
    if dtypes.is_int(given.dtype):
        given = cast(given, "float32")
    return elementwise(op_type, _of_dtypes(function, given, dtypes.FLOATS))


def _with_scalar(function: str, op_type: str, x: object, number: object) -> Tensor:
    given = as_tensor(x, f"operand of {function}")
    if not is_scalar(number):
        raise dsl_error(f"{function}: the second operand must be a scalar, but is {number!r}")
    return elementwise(op_type, given, scalar(number, given.dtype))


def vadd(lhs: object, rhs: object) -> Tensor:
    return _binary("vadd", "Add", lhs, rhs)


def vsub(lhs: object, rhs: object) -> Tensor:
    return _binary("vsub", "Sub", lhs, rhs)


def vmul(lhs: object, rhs: object) -> Tensor:
    return _binary("vmul", "Mul", lhs, rhs)


def vdiv(lhs: object, rhs: object) -> Tensor:
    """Return the quotient; that of integers is cut off."""
    return _binary("vdiv", "Div", lhs, rhs)


def vmax(lhs: object, rhs: object) -> Tensor:
    return _binary("vmax", "Maximum", lhs, rhs)


def vmin(lhs: object, rhs: object) -> Tensor:
    return _binary("vmin", "Minimum", lhs, rhs)


def vmod(lhs: object, rhs: object) -> Tensor:
    """Return x - floor(x / y) * y: the sign is that of y."""
    x, y = same_kind("vmod", lhs, rhs)
    if dtypes.is_float(x.dtype) or x.dtype in ("int32", "int64"):
        return elementwise("FloorMod", x, y)
    return cast(elementwise("FloorMod", cast(x, "int32"), cast(y, "int32")), x.dtype)


def vand(lhs: object, rhs: object) -> Tensor:
    x, y = same_kind("vand", lhs, rhs)
    return elementwise("LogicalAnd" if x.dtype == "bool" else "BitwiseAnd", x, y)


def vor(lhs: object, rhs: object) -> Tensor:
    x, y = same_kind("vor", lhs, rhs)
    return elementwise("LogicalOr" if x.dtype == "bool" else "BitwiseOr", x, y)


def vxor(lhs: object, rhs: object) -> Tensor:
    x, y = same_kind("vxor", lhs, rhs)
    return elementwise("NotEqual" if x.dtype == "bool" else "BitwiseXor", x, y)


def vnot(raw_tensor: object) -> Tensor:
    x = as_tensor(raw_tensor, "operand of vnot")
    return elementwise("LogicalNot" if x.dtype == "bool" else "Invert", x)


def vlogic(lhs: object, rhs: object = None, operation: str = "logic_and") -> Tensor:
    """Return logic_and, logic_or or logic_not of bools."""
    if operation == "logic_not":
        x = _of_dtypes("vlogic", as_tensor(lhs, "operand of vlogic"), ("bool",))
        return elementwise("LogicalNot", x)
    types = {"logic_and": "LogicalAnd", "logic_or": "LogicalOr"}
    if operation not in types:
        raise dsl_error(
            f"vlogic: operation [{operation}] is not one of logic_and, logic_or, logic_not"
        )
    x, y = same_kind("vlogic", lhs, rhs)
    return elementwise(types[operation], _of_dtypes("vlogic", x, ("bool",)), y)


def vadds(raw_tensor: object, scalar: object) -> Tensor:
    return _with_scalar("vadds", "Add", raw_tensor, scalar)


def vsubs(raw_tensor: object, scalar: object) -> Tensor:
    return _with_scalar("vsubs", "Sub", raw_tensor, scalar)


def vmuls(raw_tensor: object, scalar: object) -> Tensor:
    return _with_scalar("vmuls", "Mul", raw_tensor, scalar)


def vmaxs(raw_tensor: object, scalar: object) -> Tensor:
    return _with_scalar("vmaxs", "Maximum", raw_tensor, scalar)


def vmins(raw_tensor: object, scalar: object) -> Tensor:
    return _with_scalar("vmins", "Minimum", raw_tensor, scalar)


def vexp(raw_tensor: object) -> Tensor:
    return _float_unary("vexp", "Exp", raw_tensor)


def vlog(raw_tensor: object, impl_mode: str = "high_performance") -> Tensor:
    return _float_unary("vlog", "Log", raw_tensor, impl_mode)


def vsqrt(raw_tensor: object, impl_mode: str = "high_performance") -> Tensor:
    return _float_unary("vsqrt", "Sqrt", raw_tensor, impl_mode)


def vrsqrt(raw_tensor: object, impl_mode: str = "high_performance") -> Tensor:
    return _float_unary("vrsqrt", "Rsqrt", raw_tensor, impl_mode)


def vrec(raw_tensor: object, impl_mode: str = "high_performance") -> Tensor:
    return _float_unary("vrec", "Reciprocal", raw_tensor, impl_mode)


def vtanh(raw_tensor: object) -> Tensor:
    return _float_unary("vtanh", "Tanh", raw_tensor)


def vsigmoid(raw_tensor: object) -> Tensor:
    return _float_unary("vsigmoid", "Sigmoid", raw_tensor)


def vabs(raw_tensor: object) -> Tensor:
    return elementwise("Abs", as_tensor(raw_tensor, "operand of vabs"))


def vrelu(raw_tensor: object) -> Tensor:
    x = as_tensor(raw_tensor, "operand of vrelu")
    return elementwise("Maximum", x, scalar(0, x.dtype))


def vlrelu(raw_tensor: object, alpha: object = 0) -> Tensor:
    """Return x where it is positive, else alpha * x."""
    x = as_tensor(raw_tensor, "operand of vlrelu")
    slope = elementwise("Mul", x, scalar(alpha, x.dtype))
    positive = elementwise("Greater", x, scalar(0, x.dtype), dtype="bool")
    return record("SelectV2", [positive, x, slope], x.shape, x.dtype)


def vaxpy(lhs: object, rhs: object, scalar: object) -> Tensor:
    """Return scalar * lhs + rhs."""
    same_kind("vaxpy", lhs, rhs)
    return vadd(vmuls(lhs, scalar), rhs)


def vmla(tensor_0: object, tensor_1: object, tensor_2: object) -> Tensor:
    """Return tensor_0 * tensor_1 + tensor_2."""
    return vadd(vmul(tensor_0, tensor_1), tensor_2)


def vmadd(tensor_0: object, tensor_1: object, tensor_2: object) -> Tensor:
    """Return tensor_0 * tensor_2 + tensor_1."""
    return vadd(vmul(tensor_0, tensor_2), tensor_1)


def vmaddrelu(tensor_0: object, tensor_1: object, tensor_2: object) -> Tensor:
    return vrelu(vmadd(tensor_0, tensor_1, tensor_2))


def vaddrelu(lhs: object, rhs: object) -> Tensor:
    return vrelu(vadd(lhs, rhs))


def vsubrelu(lhs: object, rhs: object) -> Tensor:
    return vrelu(vsub(lhs, rhs))


def vsignbit(raw_tensor: object) -> Tensor:
    """Return 1 where the sign bit is set, that of -0 too, else 0, in the dtype of the operand."""
    x = as_tensor(raw_tensor, "operand of vsignbit")
    bits = x
    if dtypes.is_float(x.dtype):
        integer = f"int{dtypes.bits(x.dtype)}"
        bits = record("Bitcast", [x], x.shape, integer, type=("dtype", integer))
    if bits.dtype == "int16":
        bits = cast(bits, "int32")
    return cast(elementwise("Less", bits, scalar(0, bits.dtype), dtype="bool"), x.dtype)


def powi(base: object, exponent: object) -> Tensor:
    return _binary("powi", "Pow", base, exponent)


def clip(data: object, max_value: object, min_value: object) -> Tensor:
    """Return data held between min_value and max_value."""
    return vmaxs(vmins(data, max_value), min_value)


def vgcd(lhs: object, rhs: object) -> Tensor:
    """Return the greatest common divisor of integers, by Euclid's steps."""
    x, y = same_kind("vgcd", lhs, rhs)
    if not dtypes.is_int(x.dtype):
        raise dsl_error(f"vgcd: dtype [{x.dtype}] is not accepted; use an integer")
    dtype = x.dtype
    wide = dtype if dtype in ("int32", "int64") else "int64" if dtypes.bits(dtype) > 16 else "int32"
    a, b = (vabs(cast(side, wide)) for side in (x, y))
    zero, one = constant([0], wide, []), constant([1], wide, [])
    # As many steps as the worst pair, two Fibonacci numbers, takes.
    for _ in range(int(1.4405 * dtypes.bits(dtype)) + 2):
        ended = elementwise("Equal", b, zero, dtype="bool")
        divisor = record("SelectV2", [ended, one, b], b.shape, wide)
        rest = record("SelectV2", [ended, zero, elementwise("FloorMod", a, divisor)], b.shape, wide)
        a, b = record("SelectV2", [ended, a, b], b.shape, wide), rest
    return cast(a, dtype)
