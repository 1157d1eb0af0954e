"""``tbe.common.register``: what operator files register, and how the compiler finds it.

The registry is cleared when the last compile ends: see :func:`ge._shim.shim`.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from ge._shim import tensor
from ge._shim.tensor import Tensor

Function = Callable[..., Any]


class Operator(NamedTuple):
    """The function of an operator type: ``register_operator``."""

    op_type: str
    function: Function
    pattern: str | None
    trans_bool_to_s8: bool

    def get_func(self) -> Function:
        return self.function

    def if_trans_bool_to_s8(self) -> bool:
        return self.trans_bool_to_s8


class OpCompute(NamedTuple):
    """A compute function: ``register_op_compute``."""

    op_type: str
    function: Function
    support_fusion: bool
    options: dict[str, Any]

    def get_func(self) -> Function:
        return self.function


class Priority(enum.IntEnum):
    """When a fusion pass runs."""

    HIGH = 0
    NORMAL = 1
    LOW = 2


class InvokeStage(enum.IntEnum):
    """In which stage a fusion pass runs."""

    STAGE_BUILD = 0
    STAGE_TUNE = 1
    STAGE_SINGLE_OP = 2


class _Registry:
    def __init__(self) -> None:
        self.operators: dict[str, Operator] = {}
        self.computes: dict[tuple[str, str], OpCompute] = {}
        self.generalizations: dict[str, Function] = {}
        self.classifiers: dict[tuple[str | None, str | None], Function] = {}
        self.tune_spaces: dict[str, Function] = {}
        self.tune_checks: dict[str, Function] = {}
        self.fusion_passes: list[Function] = []
        self.build_configs: dict[str, dict[str, Any]] = {}


_registry = _Registry()


def clear() -> None:
    """Forget everything."""
    global _registry
    _registry = _Registry()


def register_operator(
    op_type: str, pattern: str | None = None, trans_bool_to_s8: bool = True
) -> Callable[[Function], Function]:
    def decorator(function: Function) -> Function:
        _registry.operators[op_type] = Operator(op_type, function, pattern, trans_bool_to_s8)
        return function

    return decorator


def get_operator(op_type: str) -> Operator | None:
    return _registry.operators.get(op_type)


def register_op_compute(
    op_type: str, op_mode: str = "dynamic", support_fusion: bool = True, **kwargs: object
) -> Callable[[Function], Function]:
    """Register a compute function; with ``support_bfp16`` it computes bfloat16 in float32.

    In the mode ``static``, op_type is the name of the operator's function.
    """

    def decorator(function: Function) -> Function:
        wrapped = _in_float32(function) if kwargs.get("support_bfp16") else function
        row = OpCompute(op_type, wrapped, support_fusion, dict(kwargs))
        _registry.computes[op_type, op_mode] = row
        return wrapped

    return decorator


register_operator_compute = register_op_compute


def _in_float32(function: Function) -> Function:
    @functools.wraps(function)
    def wrapped(*args: Any, **keywords: Any) -> Any:
        narrow = any(isinstance(x, Tensor) and x.dtype == "bfloat16" for x in args)
        if not narrow:
            return function(*args, **keywords)
        wide = [
            tensor.cast(x, "float32") if isinstance(x, Tensor) and x.dtype == "bfloat16" else x
            for x in args
        ]
        results = function(*wide, **keywords)
        many = isinstance(results, list | tuple)
        back = [
            tensor.cast(x, "bfloat16") if isinstance(x, Tensor) and x.dtype == "float32" else x
            for x in (results if many else [results])
        ]
        return type(results)(back) if many else back[0]

    return wrapped


def get_op_compute(op_type: str, op_mode: str = "dynamic") -> OpCompute | None:
    return _registry.computes.get((op_type, op_mode))


def register(func_name: str) -> Callable[[Function], Function]:
    """Register a compute function in the old way: ``fusion_manager.register``."""

    def decorator(function: Function) -> Function:
        _registry.computes[func_name, "static"] = OpCompute(func_name, function, True, {})
        return function

    return decorator


def _by_type(
    name: str,
) -> tuple[Callable[[str], Callable[[Function], Function]], Callable[[str], Function | None]]:
    def register(op_type: str) -> Callable[[Function], Function]:
        def decorator(function: Function) -> Function:
            getattr(_registry, name)[op_type] = function
            return function

        return decorator

    def get(op_type: str) -> Function | None:
        found: Function | None = getattr(_registry, name).get(op_type)
        return found

    return register, get


register_param_generalization, get_param_generalization = _by_type("generalizations")
register_tune_space, get_tune_space = _by_type("tune_spaces")
register_tune_param_check_supported, get_tune_param_check_supported = _by_type("tune_checks")


def register_classify_processor(
    pattern: str | None = None, op_type: str | None = None, support_type: str = "input"
) -> Callable[[Function], Function]:
    def decorator(function: Function) -> Function:
        _registry.classifiers[pattern, op_type] = function
        return function

    return decorator


def get_classify_processor(
    pattern: str | None = None, op_type: str | None = None
) -> Function | None:
    return _registry.classifiers.get((pattern, op_type))


def register_fusion_pass(
    stage: InvokeStage = InvokeStage.STAGE_BUILD, priority: Priority = Priority.NORMAL
) -> Callable[[Function], Function]:
    """Register a pass over fused kernels, of which the built-in engine makes none."""

    def decorator(function: Function) -> Function:
        _registry.fusion_passes.append(function)
        return function

    return decorator


def register_pass_for_fusion(
    match_condition: object = None,
    stage: InvokeStage = InvokeStage.STAGE_BUILD,
    priority: Priority = Priority.NORMAL,
) -> Callable[[Function], Function]:
    return register_fusion_pass(stage, priority)


def register_op_param_pass(
    match_condition: object = None, stage: InvokeStage = InvokeStage.STAGE_BUILD
) -> Callable[[Function], Function]:
    return register_fusion_pass(stage)


def get_all_fusion_pass() -> list[Function]:
    return list(_registry.fusion_passes)


def set_fusion_buildcfg(op_type: str, build_config: dict[str, Any]) -> None:
    _registry.build_configs[op_type] = build_config


def get_fusion_buildcfg(op_type: str | None = None) -> Any:
    return _registry.build_configs if op_type is None else _registry.build_configs.get(op_type)


def get_op_register_pattern() -> dict[str, str | None]:
    return {name: operator.pattern for name, operator in _registry.operators.items()}


def reset() -> None:
    _registry.build_configs.clear()
