"""Which modules operators may import, and where their names come from."""

from __future__ import annotations

import types
from typing import Any, NoReturn

from ge._shim import build as building
from ge._shim import (
    classify,
    context,
    errors,
    mindspore,
    para_check,
    platform,
    register,
    shape_util,
    tvm,
    util,
)
from ge._shim.dsl import (
    broadcast,
    compare,
    convert,
    cube,
    elementwise,
    index,
    movement,
    reduce,
    set_value,
)
from ge._shim.util import constants, formats, log

Names = dict[str, Any]


def _public(module: types.ModuleType) -> Names:
    return {name: value for name, value in vars(module).items() if not name.startswith("_")}


class Alias(str):
    """A name whose value is another module of the table."""


class OpPatternMode:
    """Modes of classify."""

    NONE = ""
    ELEWISE = "elewise"
    ELEWISE_WITH_BROADCAST = "broadcast"
    REDUCE = "reduce"
    NORM = "norm"
    GATHER = "gather"
    TRANSDATA = "transdata"
    TUPLE_REDUCE = "tuple_reduce"
    POOLING = "pooling"
    POOLING_GRAD_WITH_ARG = "pooling_grad_with_arg"
    SEGMENT = "segment"
    SPARSE_APPLY = "sparse_apply"
    SORT = "sort"
    ASCEND_QUANT = "quant"
    ASCEND_ANTI_QUANT = "anti_quant"
    CONV2D_BP_FILTER = "Conv2d_backprop_filter"


class NormPattern:
    """What norm operators say of axes that they do not know."""

    PATTERN_NAME = "norm"
    REDUCE_UNKNOWN_MODE = BROADCAST_UNKNOWN_MODE = "unknown"
    REDUCE_ATTR_IDX, REDUCE_ATTR_NAME = "reduce_axis_attr_idx", "reduce_axis_attr_name"
    REDUCE_ATTR_DTYPE = "reduce_axis_attr_dtype"
    REDUCE_SINGLE_TYPE = {"reduce_axes_type": "single"}  # noqa: RUF012
    REDUCE_AFTER_TYPE = {"reduce_axes_type": "after"}  # noqa: RUF012


class OpImplMode:
    """Modes of implementation."""

    HIGH_PERFORMANCE = "high_performance"
    HIGH_PRECISION = "high_precision"
    SUPER_PERFORMANCE = "super_performance"
    NORM_CLASS = "norm_class"
    SUPPORT_OUT_OF_BOUND_INDEX = "support_out_of_bound_index"


class OpTbeImplMode:
    """Modes of implementation of compute functions."""

    TBE_HIGH_PRECISION = "high_precision"


class TbeContextKey:
    """Keys of additions to a context."""

    PATTERN = "pattern"


class Refused:
    """Stands for a part of the toolkit that makes code for the device: any call says so."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _refuse(self) -> NoReturn:
        raise errors.refused(
            f"[{self._name}], a part of the toolkit that makes code for the device,",
            "write the computation with tbe.dsl functions",
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Refused(f"{self._name}.{name}")

    def __call__(self, *args: object, **keywords: object) -> Any:
        self._refuse()


_PLATFORM = _public(platform)
_REGISTER = _public(register)
_ERRORS: Names = errors.FUNCTIONS | {"get_error_message": errors.get_error_message}
_ERROR_UTIL: Names = {
    "get_error_message": errors.get_error_message,
    "raise_runtime_error": errors.raise_runtime_error,
    "raise_runtime_error_cube": errors.raise_runtime_error,
}
_CONTEXT: Names = {
    "OpContext": context.OpContext,
    "OpInfo": context.OpInfo,
    "get_context": context.get_op_context,
    "register_custom_context": context.register_custom_context,
}
_OPERATION: Names = _public(context)
_COMPUTE: Names = {
    name: value
    for module in (
        broadcast,
        compare,
        convert,
        cube,
        elementwise,
        index,
        movement,
        reduce,
        set_value,
    )
    for name, value in _public(module).items()
    if getattr(value, "__module__", None) == module.__name__
} | cube.REFUSED
_DSL: Names = _COMPUTE | {
    "auto_schedule": building.auto_schedule,
    "build": building.build,
    "cce_build_code": building.cce_build_code,
    "classify": classify.classify,
    "compute": context.compute,
    "schedule": context.schedule,
    "placeholder": context.placeholder,
    "var": context.var,
    "var_attr": context.var_attr,
    "add_build_arg": context.add_build_arg,
    "add_exclude_bound_var": context.add_exclude_bound_var,
}
_OLD_DSL: Names = _DSL | {"sum": reduce.reduce_sum}
_TVM: Names = _public(tvm) | {"__getattr__": tvm.__getattr__}
_TIK: Names = {"__getattr__": Refused("tik").__getattr__}
_SHAPES: Names = _public(shape_util)
_BUILD_CONFIG: Names = {
    "build_config": util.build_config,
    "dynamic_build_config_dict": {},
    "get_current_build_config": util.get_current_build_config,
    "set_current_build_config": util.set_current_build_config,
}
_SCHEDULE: Names = {"auto_schedule": building.auto_schedule}


class _FusionManager:
    """``te.platform.fusion_manager.fusion_manager``."""

    register = staticmethod(register.register)

    @staticmethod
    def get_build_cfg() -> str:
        return "enable"

    @staticmethod
    def set_current_op_func_name(name: str) -> None:
        """Do nothing: kernels are not fused."""


_PLATFORM_API: Names = _PLATFORM | {
    "fusion_manager": _FusionManager,
    "EXP": "vector_exp",
    "CAST": "vector_conv",
}
_ADAPTER: Names = {
    "tbe": Alias("tbe.dsl"),
    "tvm": Alias("tbe.tvm"),
    "tik": Alias("tbe.tik"),
    "para_check": Alias("tbe.common.utils.para_check"),
    "shape_util": Alias("tbe.common.utils.shape_util"),
    "tbe_platform": types.SimpleNamespace(**_PLATFORM_API),
    "PlatformApi": types.SimpleNamespace(**_PLATFORM_API),
    "platform_info": Alias("tbe.common.platform.platform_info"),
    "tbe_register": Alias("tbe.common.register"),
    "tbe_context": Alias("tbe.common.context"),
    "tbe_build": Alias("tbe.common.buildcfg"),
    "operation": Alias("tbe.dsl.base.operation"),
    "error_manager": Alias("tbe.common.utils.errormgr"),
    "error_manager_vector": Alias("tbe.common.utils.errormgr.error_manager_vector"),
    "error_manager_cube": Alias("tbe.common.utils.errormgr.error_manager_cube"),
    "error_manager_util": Alias("tbe.common.utils.errormgr.error_manager_util"),
    "log": Alias("tbe.common.utils.log"),
    "tbe_log": Alias("tbe.common.utils.log"),
    "classify": classify.classify,
    "tbe_classify": classify.classify,
    "tuple_sum": reduce.tuple_sum,
    "auto_schedule": building.auto_schedule,
    "build": building.build,
    "build_config": util.build_config,
    "get_current_build_config": util.get_current_build_config,
    "platform_tbe": Alias("tbe"),
    "tbe_tvm": Alias("tbe.tvm"),
    "tbe_tik": Alias("tbe.tik"),
    "tbe_operation": Alias("tbe.dsl.base.operation"),
    "platform": Alias("tbe.common.platform"),
    "buildcfg": Alias("tbe.common.buildcfg"),
    "op_context": Alias("tbe.common.context.op_context"),
    "op_tiling": Alias("tbe.common.utils.op_tiling"),
    "check_supported_vcopy": util.check_supported_vcopy,
    "check_support_block_size_16": util.check_support_block_size_16,
    "register_operator": register.register_operator,
    "register_operator_compute": register.register_op_compute,
    "set_current_compile_soc_info": platform.set_current_compile_soc_info,
    "intrinsic_check_support": platform.intrinsic_check_support,
    "add_compile_info": context.add_compile_info,
    "OpPatternMode": OpPatternMode,
    "OpImplMode": OpImplMode,
    "OpTbeImplMode": OpTbeImplMode,
    "TbeContextKey": TbeContextKey,
    # What helpers of operators import besides.
    "__getattr__": Refused("platform_adapter").__getattr__,
}

_PACKAGE: Names = {}
_UTILS: Names = (
    _SHAPES
    | _ERROR_UTIL
    | {name: getattr(para_check, name) for name in vars(para_check) if name.startswith("check_")}
)
_OLD_UTILS: Names = _public(para_check) | _SHAPES
_TOPI: Names = {"generic": Alias("topi.generic")}

# Names of a module; packages and modules are made alike, with their submodules as attributes.
MODULES: dict[str, Names] = {
    "tbe": _PACKAGE,
    "tbe.dsl": _DSL,
    "tbe.dsl.api": _DSL,
    "tbe.dsl.base": _PACKAGE,
    "tbe.dsl.base.operation": _OPERATION,
    "tbe.dsl.compute": _PACKAGE,
    "tbe.dsl.classifier": {"classify": classify.classify},
    "tbe.dsl.unify_schedule": _PACKAGE,
    "tbe.dsl.unify_schedule.build": {"build": building.build},
    "tbe.tvm": _TVM,
    "tbe.tvm.topi": _TOPI,
    "tbe.tvm.topi.generic": _SCHEDULE,
    "tbe.tvm.topi.cce": _PACKAGE,
    "tbe.tvm.topi.cce.util": _OLD_UTILS,
    "tbe.tik": _TIK,
    "tbe.common": _PACKAGE,
    "tbe.common.utils": _UTILS,
    "tbe.common.utils.para_check": _public(para_check),
    "tbe.common.utils.shape_util": _SHAPES,
    "tbe.common.utils.log": _public(log),
    "tbe.common.utils.errormgr": _ERROR_UTIL | _ERRORS,
    "tbe.common.utils.errormgr.error_manager_util": _ERROR_UTIL,
    "tbe.common.utils.errormgr.error_manager_vector": _ERRORS,
    "tbe.common.utils.errormgr.error_manager_cube": _ERRORS,
    "tbe.common.platform": _PLATFORM,
    "tbe.common.platform.platform_info": _PLATFORM,
    "tbe.common.register": _REGISTER,
    "tbe.common.register.register_api": _REGISTER,
    "tbe.common.context": _CONTEXT,
    "tbe.common.context.op_context": _CONTEXT,
    "tbe.common.context.op_info": {"OpInfo": context.OpInfo},
    "tbe.common.buildcfg": _BUILD_CONFIG,
    "tbe.common.buildcfg.default_buildcfg": _BUILD_CONFIG,
    "te": _PACKAGE,
    "te.tvm": _TVM,
    "te.tik": _TIK,
    "te.op": _OPERATION | _REGISTER,
    "te.lang": _PACKAGE,
    "te.lang.cce": _OLD_DSL,
    "te.lang.cce.util": _SHAPES,
    "te.lang.dynamic": _OLD_DSL | _OPERATION | {"classify": classify.classify},
    "te.lang.base": _OPERATION,
    "te.lang.base.operation": _OPERATION,
    "te.utils": _UTILS,
    "te.utils.para_check": _public(para_check),
    "te.utils.shape_util": _SHAPES,
    "te.utils.op_utils": _OLD_UTILS,
    "te.utils.check_para": _public(para_check),
    "te.utils.error_manager": _ERROR_UTIL,
    "te.utils.error_manager.error_manager_vector": _ERRORS,
    "te.utils.error_manager.error_manager_util": _ERROR_UTIL,
    "te.platform": _PLATFORM,
    "te.platform.cce_conf": _PLATFORM,
    "te.platform.cce_params": _PLATFORM,
    "te.platform.cce_build": _BUILD_CONFIG,
    "te.platform.cce_policy": {"set_L1_info": util.set_l1_info, "get_L1_info": util.get_l1_info},
    "te.platform.fusion_manager": {
        "fusion_manager": _FusionManager,
        "register": register.register,
        "set_current_op_func_name": _FusionManager.set_current_op_func_name,
    },
    "topi": _TOPI,
    "topi.generic": _SCHEDULE,
    "topi.cce": _PACKAGE,
    "topi.cce.util": _OLD_UTILS,
    "impl": _PACKAGE,
    "impl.dynamic": _PACKAGE,
    "impl.util": _PACKAGE,
    "impl.util.platform_adapter": _ADAPTER,
    "impl.util.util_common": _public(util),
    "impl.util.util_compute": _public(util),
    "impl.util.util_frac_z": {"is_frac_z": util.is_frac_z},
    "impl.util.norm_pattern_adapter": {"NormPattern": NormPattern},
    "impl.util.util_attr_common": _public(util),
    "impl.util.util_select_op_base": _public(formats),
    "impl.constant_util": _public(constants),
    "mindspore": _PACKAGE,
    "mindspore.ops": _public(mindspore),
    "mindspore.ops.op_info_register": _public(mindspore),
}
# Parts that make code for the device, with all that is below them.
_REFUSED_MODULES = (
    "tbe.common.rl_bank",
    "tbe.common.tiling",
    "tbe.common.utils.op_tiling",
    "tbe.common.utils.op_util",
    "tbe.dsl.boost_schedule_kit",
    "tbe.dsl.compute",
    "tbe.dsl.instrinsic",
    "tbe.dsl.static_schedule",
    "tbe.dsl.unify_schedule",
    "tbe.tik",
    "tbe.tikcpp",
    "te.lang.cce.te_compute",
    "te.lang.cce.te_schedule",
    "te.platform.cce_emitinsn_params",
    "te.platform.cce_intrin",
    "te.platform.cce_util",
    "te.platform.insn_cmd",
    "te.tik",
)


def is_refused(module: str) -> bool:
    """Say whether a module can be imported, but nothing in it be used."""
    return any(module == name or module.startswith(f"{name}.") for name in _REFUSED_MODULES)
