"""The functions that users of pyACL know, on the CPU: ``from ge.aclop import acl``.

Handles and addresses are ints and functions return a status, as in pyACL. Three things differ. An
int that stands for nothing, or not any more, is a ValueError instead of a crash. Other threads run
while a function compiles, runs, loads or infers. ``acl.op`` can compile: see its list.
See docs/aclop-python.md for what there is.
"""

from __future__ import annotations

from ge import _aclop
from ge._aclop import data_type_size, float16_to_float, float_to_float16
from ge.aclop.acl import op, rt, util
from ge.aclop.acl._handles import recent as get_recent_err_msg
from ge.aclop.acl._handles import status
from ge.aclop.acl._tensor import (
    create_data_buffer,
    create_tensor_desc,
    destroy_data_buffer,
    destroy_tensor_desc,
    get_data_buffer_addr,
    get_data_buffer_size,
    get_data_buffer_size_v2,
    get_tensor_desc_address,
    get_tensor_desc_by_index,
    get_tensor_desc_dim,
    get_tensor_desc_dim_range,
    get_tensor_desc_dim_v2,
    get_tensor_desc_element_count,
    get_tensor_desc_format,
    get_tensor_desc_name,
    get_tensor_desc_num_dims,
    get_tensor_desc_size,
    get_tensor_desc_type,
    set_tensor_const,
    set_tensor_desc_name,
    set_tensor_dynamic_input,
    set_tensor_format,
    set_tensor_origin_format,
    set_tensor_origin_shape,
    set_tensor_place_ment,
    set_tensor_shape,
    set_tensor_shape_range,
    set_tensor_storage_format,
    set_tensor_storage_shape,
    set_tensor_value_range,
    trans_tensor_desc_format,
    update_data_buffer,
)

_state = "new"  # then "ready", "ended"


@status
def init(config_path: str = "", /) -> None:
    """Begin; once, or again after :func:`finalize`.

    Args:
        config_path: Empty, or a JSON file with ``soc_version`` and ``max_opqueue_num``.
    """
    global _state
    if _state == "ready":
        _aclop.fail_with("repeat_initialize", "acl.init has been called before. Call it once.")
    if config_path:
        _configure(config_path)
    _state = "ready"


def _configure(path: str) -> None:
    import json

    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        _aclop.fail_with("invalid_file", f"The configuration file cannot be read: {error}.")
    try:
        config = json.loads(text) if text.strip() else {}
    except ValueError as error:
        _aclop.fail_with("parse_file", f"The configuration file [{path}] is no JSON: {error}.")
    if not isinstance(config, dict):
        _aclop.fail_with("parse_file", f"The configuration file [{path}] is no JSON object.")
    if "max_opqueue_num" in config:
        limit = str(config["max_opqueue_num"])
        if not limit.isdecimal():
            _aclop.fail_with(
                "invalid_param", f"max_opqueue_num [{limit}] of [{path}] is no positive integer."
            )
        _aclop.set_max_op_queue_num(int(limit))
    if "soc_version" in config:
        _aclop.init(config["soc_version"])


@status
def finalize() -> None:
    """End. Operators and handles stay, as the process keeps them."""
    global _state
    if _state != "ready":
        name = "repeat_finalize" if _state == "ended" else "uninitialize"
        _aclop.fail_with(name, "acl.finalize takes an acl.init before it.")
    _state = "ended"


def get_soc_name() -> str | None:
    """Return the SoC that operators are compiled for."""
    return _aclop.soc_version()


__all__ = [
    "create_data_buffer",
    "create_tensor_desc",
    "data_type_size",
    "destroy_data_buffer",
    "destroy_tensor_desc",
    "finalize",
    "float16_to_float",
    "float_to_float16",
    "get_data_buffer_addr",
    "get_data_buffer_size",
    "get_data_buffer_size_v2",
    "get_recent_err_msg",
    "get_soc_name",
    "get_tensor_desc_address",
    "get_tensor_desc_by_index",
    "get_tensor_desc_dim",
    "get_tensor_desc_dim_range",
    "get_tensor_desc_dim_v2",
    "get_tensor_desc_element_count",
    "get_tensor_desc_format",
    "get_tensor_desc_name",
    "get_tensor_desc_num_dims",
    "get_tensor_desc_size",
    "get_tensor_desc_type",
    "init",
    "op",
    "rt",
    "set_tensor_const",
    "set_tensor_desc_name",
    "set_tensor_dynamic_input",
    "set_tensor_format",
    "set_tensor_origin_format",
    "set_tensor_origin_shape",
    "set_tensor_place_ment",
    "set_tensor_shape",
    "set_tensor_shape_range",
    "set_tensor_storage_format",
    "set_tensor_storage_shape",
    "set_tensor_value_range",
    "trans_tensor_desc_format",
    "update_data_buffer",
    "util",
]
