"""Contexts of an operator's compile: ``tbe.common.context`` and ``tbe.dsl.base.operation``.

Every thread has its own stack of them, so that operators may be compiled side by side.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from ge._shim.errors import dsl_error
from ge._shim.expr import Var
from ge._shim.tensor import Tensor

DYNAMIC, STATIC, PRE_STATIC = "dynamic", "static", "pre-static"


class OpInfo:
    """What is known about the operator that is compiled."""

    def __init__(self, op_name: str = "", op_type: str = "") -> None:
        self.op_name, self.op_type = op_name, op_type
        self.pattern: str | None = None
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.attrs: list[Any] = []
        self.options: dict[str, Any] = {}
        self.kernel_name = ""
        self.extra_params: dict[str, Any] = {}
        self.precision_mode = ""
        self.build_type: str | None = None
        self.missing_support_info = ""


class _Store:
    """Values by name."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def add(self, key: str, value: object) -> None:
        self._values[key] = value

    def set_default(self, key: str, value: object) -> None:
        self._values.setdefault(key, value)

    def get(self, key: str, default: object = None) -> Any:
        return self._values.get(key, default)


class _Scope(_Store):
    """A ``with`` block that nests: a compute or a schedule."""

    def __enter__(self) -> Self:
        _stack(type(self)).append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _stack(type(self)).pop()

    @classmethod
    def current(cls) -> Any:
        stack = _stack(cls)
        return stack[-1] if stack else None


class ComputeContext(_Scope):
    """One case of classify."""

    def __init__(self, _operator: object = None) -> None:
        super().__init__()
        operator = get_context()
        if operator is not None:
            operator.computes.append(self)

    def get_schedules(self) -> list[Any]:
        return []


class ScheduleContext(_Scope):
    """One schedule of a case."""

    def __init__(self, _compute: object = None) -> None:
        super().__init__()


class VarDesc:
    """A run-time scalar that an operator has asked for."""

    def __init__(self, var: Var, bound: object) -> None:
        self._var, self._bound = var, bound

    def get_name(self) -> str:
        return self._var.name

    def get_tvm_var(self) -> Var:
        return self._var

    def get_bound(self) -> object:
        return self._bound


class OperatorContext(_Store):
    """What the compute functions note about the operator."""

    def __init__(self) -> None:
        super().__init__()
        self.computes: list[ComputeContext] = []
        self.variables: dict[str, VarDesc] = {}
        self.add("build_args", {})

    def get_current_compute(self) -> ComputeContext | None:
        current: ComputeContext | None = ComputeContext.current()
        return current

    def get_computes(self) -> list[ComputeContext]:
        return self.computes

    def get_var(self, name: str) -> VarDesc | None:
        return self.variables.get(name)

    def add_exclude_bound_var(self, var: object) -> None:
        pass  # bounds guide a schedule, and a kernel has none

    add_exclude_buildargs_var = add_exclude_bound_var

    def get_op_type(self) -> str | None:
        info = OpContext.innermost()
        infos = info.get_op_info() if info is not None else []
        return infos[0].op_type if infos else None


class OpContext(_Scope):
    """The compile of one operator; ``op_mode`` is dynamic, static or pre-static."""

    def __init__(self, op_mode: str | None = None) -> None:
        super().__init__()
        self._mode = op_mode
        self._infos: list[OpInfo] = []
        self._compile_info: dict[str, Any] = {}
        self._build_results: dict[str, Any] = {}
        self._json_results: dict[str, Any] = {}
        # Operators ask for the mode of their type without asking whether there are any.
        self._additions: dict[str, Any] = {"op_impl_mode_dict": {}}
        self._graph_info: OpInfo | None = None
        self._custom: dict[str, Any] = {name: make() for name, make in _custom_contexts.items()}
        self._custom["dsl"] = OperatorContext()
        self._workspaces: list[tuple[str, int, int]] = []
        self._build_type: str | None = None
        self._buffer_manager: object = None
        self._missing_support_info: str | None = None

    @staticmethod
    def innermost() -> OpContext | None:
        current: OpContext | None = OpContext.current()
        return current

    def get_op_mode(self) -> str | None:
        return self._mode

    def set_op_mode(self, op_mode: str) -> None:
        self._mode = op_mode

    def add_op_info(self, op_info: OpInfo) -> None:
        self._infos.append(op_info)

    def get_op_info(self, name: str | None = None) -> Any:
        if name is None:
            return self._infos
        return next((info for info in self._infos if info.op_name == name), None)

    def set_graph_op_info(self, op_info: OpInfo) -> None:
        self._graph_info = op_info

    def get_graph_op_info(self) -> OpInfo | None:
        return self._graph_info

    def add_compile_info(self, key: str, value: object) -> None:
        self._compile_info[key] = value

    def get_compile_info(self, key: str | None = None) -> Any:
        return self._compile_info if key is None else self._compile_info.get(key)

    def set_compile_info(self, compile_info: dict[str, Any]) -> None:
        self._compile_info = compile_info

    def add_build_res(self, key: str, value: object) -> None:
        self._build_results[key] = value

    def get_build_res(self, key: str | None = None) -> Any:
        return self._build_results if key is None else self._build_results.get(key)

    def add_build_json_result(self, key: str, value: object) -> None:
        self._json_results[key] = value

    def get_build_json_result(self, key: str | None = None) -> Any:
        return self._json_results if key is None else self._json_results.get(key)

    def add_addition(self, key: str, value: object) -> None:
        self._additions[key] = value

    def get_addition(self, key: str) -> Any:
        return self._additions.get(key)

    def get_custom_context(self, name: str) -> Any:
        return self._custom.get(name)

    def add_workspace(self, name: str, size: int = -1, addr_type: int = 0) -> None:
        self._workspaces.append((name, size, addr_type))

    def get_workspaces(self) -> list[tuple[str, int, int]]:
        return self._workspaces

    def set_build_type(self, build_type: str) -> None:
        self._build_type = build_type

    def get_build_type(self) -> str | None:
        return self._build_type

    def set_buffer_manager(self, buffer_manager: object) -> None:
        self._buffer_manager = buffer_manager

    def get_buffer_manager(self) -> Any:
        return self._buffer_manager

    def set_missing_support_info(self, missing_support_info: str) -> None:
        self._missing_support_info = missing_support_info

    def get_missing_support_info(self) -> str | None:
        return self._missing_support_info


_stacks = threading.local()
_custom_contexts: dict[str, Callable[[], Any]] = {}


def _stack(kind: type) -> list[Any]:
    stack: list[Any] = _stacks.__dict__.setdefault(kind.__name__, [])
    return stack


def register_custom_context(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Make every later operator context hold what the decorated function returns."""

    def decorator(make: Callable[[], Any]) -> Callable[[], Any]:
        _custom_contexts[name] = make
        return make

    return decorator


def get_op_context() -> OpContext | None:
    return OpContext.innermost()


def get_context() -> OperatorContext | None:
    """Return what compute functions note about the operator; None outside of a compile."""
    op_context = OpContext.innermost()
    found: OperatorContext | None = (
        None if op_context is None else op_context.get_custom_context("dsl")
    )
    return found


def get_op_mode() -> str | None:
    op_context = OpContext.innermost()
    return None if op_context is None else op_context.get_op_mode()


def in_dynamic() -> bool:
    return get_op_mode() == DYNAMIC


def in_static() -> bool:
    return get_op_mode() == STATIC


def is_unify() -> bool:
    return get_op_mode() in (DYNAMIC, STATIC)


def in_record() -> bool:
    return False


in_rerun = in_record


def is_int64_mode() -> bool:
    return True


def static() -> OpContext:
    return OpContext(STATIC)


def dynamic() -> OpContext:
    return OpContext(DYNAMIC)


def operator(mode: str = STATIC) -> OpContext:
    return OpContext(mode)


def compute(_operator: object = None) -> ComputeContext:
    return ComputeContext(_operator)


def schedule(_compute: object = None) -> ScheduleContext:
    return ScheduleContext(_compute)


def var(name: str, bound: object = None, dtype: str = "int32", addition: object = None) -> Var:
    """Return a run-time scalar; a kernel can only use it when it is a size of an input."""
    if name.startswith("_"):
        raise dsl_error(f"the name of var [{name}] must not start with an underscore")
    return var_inner(name, bound, dtype, addition)


def var_inner(
    name: str, bound: object = None, dtype: str = "int32", addition: object = None
) -> Var:
    variable = Var(name, dtype)
    context = get_context()
    if context is not None:
        context.variables[name] = VarDesc(variable, bound)
    return variable


def var_attr(name: str, bound: object = None, dtype: str = "int32", addition: object = None) -> Any:
    """Return a run-time scalar for an attribute, or a list of them for ``int32[4]``."""
    base, bracket, rest = dtype.partition("[")
    if not bracket:
        return var_inner(name, bound, dtype)
    count = rest.rstrip("]")
    if not count.isdigit():
        raise dsl_error(f"dtype [{dtype}] of var_attr [{name}] is not like int32 or int32[4]")
    return [var_inner(f"{name}_{i}", None, base) for i in range(int(count))]


def get_te_var(name: str) -> VarDesc | None:
    context = get_context()
    return None if context is None else context.get_var(name)


def add_compile_info(key: str, value: object) -> None:
    if key.startswith("_"):
        raise dsl_error(f"the key [{key}] of compile_info must not start with an underscore")
    add_compile_info_inner(key, value)


def add_compile_info_inner(key: str, value: object) -> None:
    op_context = OpContext.innermost()
    if op_context is not None:
        op_context.add_compile_info(key, value)


def get_compile_info() -> dict[str, Any]:
    op_context = OpContext.innermost()
    found: dict[str, Any] = {} if op_context is None else op_context.get_compile_info()
    return found


def get_build_args() -> dict[str, Any]:
    context = get_context()
    found: dict[str, Any] = {} if context is None else context.get("build_args")
    return found


def add_build_arg(key: str, value: object) -> None:
    get_build_args()[key] = value


def add_exclude_bound_var(var_: object) -> None:
    pass  # as in OperatorContext


add_exclude_buildargs_var = add_exclude_bound_var


def is_generic_tensor(value: object) -> bool:
    return isinstance(value, Tensor)


def placeholder(x: Any, name: str = "placeholder", attrs: dict[str, Any] | None = None) -> Tensor:
    """Return an input of the kernel for a descriptor dict."""
    tensor = Tensor(x["shape"], x["dtype"], name)
    tensor.op.attrs.update(attrs or {})
    return tensor
