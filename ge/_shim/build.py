"""Schedules, and the two files of a kernel: ``kernel_meta/<name>.o`` and ``.json``."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from ge._shim import context, kernel
from ge._shim.errors import dsl_error, refused
from ge._shim.tensor import Tensor

_MAGIC = "RT_DEV_BINARY_MAGIC_ELF"


class Schedule:
    """Which tensors a kernel computes; how is decided when it runs."""

    def __init__(self, outputs: list[Tensor]) -> None:
        self.outputs = outputs
        self.cce_special: dict[str, Any] = {}

    def __getitem__(self, tensor: object) -> object:
        raise refused(
            "a stage of a schedule that is written by hand",
            "leave the schedule to tbe.dsl.auto_schedule",
        )


def auto_schedule(outs: object, option: object = None) -> Schedule:
    """Return the schedule of a tensor, or of several."""
    return Schedule(
        _flat_tensors("auto_schedule", outs if isinstance(outs, list | tuple) else [outs])
    )


class _Folder:
    """Where kernels are written: what the compile says, else the current folder."""

    path: str | None = None


def set_kernel_meta_parent(path: str | None) -> None:
    """Choose the folder that ``kernel_meta`` is made in; None is the current one."""
    _Folder.path = path


def kernel_meta_parent() -> str:
    op_context = context.get_op_context()
    chosen = op_context.get_addition("kernel_meta_parent_dir") if op_context is not None else None
    return str(chosen or _Folder.path or ".")


def build(sch: object, config_map: Mapping[str, Any] | None = None) -> None:
    """Write the kernel of a schedule, or of the schedules of one operator's cases."""
    config = dict(config_map or {})
    name = config.get("name") or config.get("kernel_name")
    if not isinstance(name, str) or not name:
        raise dsl_error("build: the config has no [name]")
    if "tensor_list" not in config:
        raise dsl_error(f"build: the config of [{name}] has no [tensor_list]")
    schedules = _flat(sch)
    cases = _cases(config["tensor_list"])
    if len(schedules) != len(cases):
        raise dsl_error(
            f"build: [{name}] has {len(schedules)} schedules, but {len(cases)} lists of tensors"
        )
    kernels = [_kernel(name, case) for case in cases]
    if any(other != kernels[0] for other in kernels[1:]):
        raise refused(
            f"kernel [{name}] of {len(kernels)} different cases",
            "compute the case that classify gives",
        )
    if not _is_prebuild():
        _write(name, kernels[0], cases[0])


def cce_build_code(sch: object, config_map: Mapping[str, Any] | None = None) -> None:
    build(sch, config_map)


def _flat(sch: object) -> list[Schedule]:
    rows = sch if isinstance(sch, list | tuple) else [sch]
    schedules: list[Schedule] = []
    for row in rows:
        for one in row if isinstance(row, list | tuple) else [row]:
            if not isinstance(one, Schedule):
                raise dsl_error(f"build: [{one!r}] is no schedule of auto_schedule")
            schedules.append(one)
    return schedules


def _cases(tensors: Any) -> list[list[Tensor]]:
    """Return the lists of tensors, one per schedule; an output may stand in a list of its own."""
    nested = bool(tensors) and all(isinstance(one, list | tuple) for one in tensors)
    rows = list(tensors) if nested else [tensors]
    return [_flat_tensors("tensor_list of build", row) for row in rows]


def _flat_tensors(where: str, row: Sequence[Any]) -> list[Tensor]:
    flat: list[Tensor] = []
    for one in row:
        if isinstance(one, list | tuple):
            flat.extend(_flat_tensors(where, one))
        elif isinstance(one, Tensor):
            flat.append(one)
        elif one is not None:  # an optional input that was left out
            raise dsl_error(f"[{one!r}] in {where} is no tensor")
    return flat


def _kernel(name: str, tensors: list[Tensor]) -> dict[str, Any]:
    inputs: list[Tensor] = []
    outputs: list[Tensor] = []
    for x in tensors:
        # An operator that returns an input as it is has it in the list a second time.
        is_result = not x.is_placeholder or any(x is known for known in inputs)
        (outputs if is_result else inputs).append(x)
    if not outputs:
        raise dsl_error(f"build: tensor_list of [{name}] has no outputs")
    return kernel.document(name, inputs, outputs)


def _is_prebuild() -> bool:
    op_context = context.get_op_context()
    return op_context is not None and bool(op_context.get_addition("op_prebuild"))


def _write(name: str, document: dict[str, Any], tensors: list[Tensor]) -> None:
    content = kernel.to_bytes(document)
    folder = os.path.join(kernel_meta_parent(), "kernel_meta")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    description = json.dumps(
        _description(name, content, tensors), indent=4, sort_keys=True, default=str
    )
    for suffix, data in ((".o", content), (".json", description.encode())):
        # A reader sees a whole file or none.
        with open(f"{path}{suffix}.{os.getpid()}.{threading.get_ident()}", "wb") as file:
            file.write(data)
        os.replace(file.name, path + suffix)
    op_context = context.get_op_context()
    if op_context is not None:
        op_context.add_build_res("json_file_path", f"{path}.json")
        op_context.add_build_res("kernel_name", name)


def _description(name: str, content: bytes, tensors: list[Tensor]) -> dict[str, Any]:
    """Return what the compiler reads about a kernel."""
    rows: dict[str, Any] = {
        "binFileName": name,
        "binFileSuffix": ".o",
        "blockDim": 1,
        "coreType": "AiCore",
        "kernelName": f"{name}__kernel0",
        "magic": _MAGIC,
        "parameters": [None] * len(tensors),
        "sha256": hashlib.sha256(content).hexdigest(),
        "workspace": {"num": 0, "size": [], "type": []},
    }
    op_context = context.get_op_context()
    if op_context is not None:
        rows |= op_context.get_build_json_result()
        if context.in_dynamic():
            rows |= {"compileInfo": op_context.get_compile_info(), "opParaSize": 0, "blockDim": -1}
    return rows
