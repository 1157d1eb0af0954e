"""The basics of ``impl.util``, and build settings."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ge._shim import platform, tvm
from ge._shim.context import in_dynamic
from ge._shim.dsl.compare import vcmpsel
from ge._shim.dsl.elementwise import vadd
from ge._shim.errors import FUNCTIONS, dsl_error
from ge._shim.expr import Expr
from ge._shim.tensor import Tensor

_build_settings: dict[str, Any] = {}
_l1_settings: dict[str, Any] = {}


@contextlib.contextmanager
def build_config(**settings: object) -> Iterator[None]:
    """Accept settings of a device compiler; a kernel that is recorded has none."""
    yield


def get_current_build_config(key: str) -> Any:
    return _build_settings.get(key, False)


def set_current_build_config(key: str, value: object) -> None:
    _build_settings[key] = value


def set_l1_info(key: str, value: object) -> bool:
    _l1_settings[key] = value
    return True


def get_l1_info(key: str) -> Any:
    return _l1_settings.get(key, -1)


def _tensors(one: Any) -> list[dict[str, Any]]:
    if isinstance(one, list | tuple):
        return [tensor for part in one for tensor in _tensors(part)]
    return [one] if isinstance(one, dict) else []


def is_unknown_rank_input(input_list: Any) -> bool:
    """Say whether the rank of some descriptor is not known."""
    return any(-2 in one.get("shape", ()) for one in _tensors(input_list))


def is_unknown(tensor_list: Any) -> bool:
    """Say whether some size of a descriptor is not known."""
    return any(dim < 0 for one in _tensors(tensor_list) for dim in one.get("shape", ()))


is_unknown_shape_input = is_dynamic_input = is_unknown


def gen_range(shape: Any) -> list[tuple[int, int | None]]:
    """Return the range of a shape: any size of at least 1 where it is not known."""
    return [(1, None) if dim == -1 else (dim, dim) for dim in shape]


def check_op_impl_mode(impl_mode: str, support_impl_mode: Sequence[str], op_name: str) -> None:
    """Raise when an operator has not the mode of implementation that it was given."""
    if impl_mode not in support_impl_mode:
        FUNCTIONS["raise_err_input_value_invalid"](
            op_name, "impl_mode", ",".join(support_impl_mode), impl_mode
        )


def is_frac_z(input_x: dict[str, Any]) -> bool:
    """Say whether a tensor is in the layout of filters."""
    return str(input_x.get("format", "")).upper() in ("FRACTAL_Z", "FRACTAL_Z_3D")


def is_vector_core() -> bool:
    return False


def check_supported_vcopy() -> bool:
    """Say whether there is the instruction vcopy of TIK, which is never used here."""
    return False


def check_support_block_size_16() -> bool:
    return platform.get_block_size() == 16


def only_static_support(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def fetch_attr(attr_value: object, *more: object) -> object:
    return attr_value


def sign(input_data: Tensor) -> Tensor:
    """Return -1, 0 or 1."""
    positive = vcmpsel(input_data, 0, "gt", 1, 0)
    return vadd(positive, vcmpsel(input_data, 0, "lt", -1, 0))


class OpAttr:
    """An attribute: where it stands, its name, its type, its default."""

    def __init__(self, idx: int, name: str, type_name: str, default: object = None) -> None:
        self.attr_idx, self.attr_name = idx, name
        self.attr_type, self.attr_default_value = type_name, default


def get_attr_by_cls(attr_value: Any, attr: OpAttr, target_dtype: str | None = None) -> Any:
    """Return the value of an attribute as scalars of a dtype."""
    value = attr.attr_default_value if attr_value is None else attr_value
    if value is None:
        raise dsl_error(f"the attribute [{attr.attr_name}] has no value")
    if isinstance(value, Expr) or target_dtype is None:
        return value
    if isinstance(value, list | tuple):
        return [tvm.const(one, target_dtype) for one in value]
    return tvm.const(value, target_dtype)


def update_axis_for_other_format(
    ori_shape: Any, axis: int, input_format: str, ori_format: str, reduce_mode: bool = False
) -> int:
    """Return an axis of a tensor that is kept in its original format."""
    if input_format not in ("ND", ori_format):
        raise dsl_error(f"the format [{input_format}] is not a plain one")
    return axis % len(ori_shape) if ori_shape else axis


def is_dynamic() -> bool:
    return in_dynamic()
