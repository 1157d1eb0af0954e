"""``tbe.common.platform``: what the SoC of the compile has."""

from __future__ import annotations

import functools
import json
import threading
from typing import Any

from ge import _compiler
from ge._shim import dtypes
from ge._shim.errors import dsl_error
from ge._shim.words import words

# Names of SoC families, as operators compare with get_soc_spec("SHORT_SOC_VERSION").
ASCEND_031, ASCEND_035 = "Ascend031", "Ascend035"
ASCEND_310, ASCEND_310B, ASCEND_310P = "Ascend310", "Ascend310B", "Ascend310P"
ASCEND_610, ASCEND_610LITE = "Ascend610", "Ascend610Lite"
ASCEND_910, ASCEND_910B, ASCEND_910_93 = "Ascend910", "Ascend910B", "Ascend910_93"
ASCEND_910_95 = "Ascend910_95"
ASCEND_910H, ASCEND_910M, ASCEND_910P = "Ascend910H", "Ascend910M", "Ascend910P"
AS31XM1, BS9SX1A, BS9SX2A, MC61AM21A = "AS31XM1", "BS9SX1A", "BS9SX2A", "MC61AM21A"
HI3796CV300ES, HI3796CV300CS = "Hi3796CV300ES", "Hi3796CV300CS"
SD3403 = ASCEND_SD = "SD3403"
AIC_310P, VEC_310P = "Ascend310PAiCore", "Ascend310PVectorCore"
AIC_610, VEC_610 = "Ascend610AiCore", "Ascend610VectorCore"
HI3796CV300ESAIC, HI3796CV300CSAIC = "Hi3796CV300ESAiCore", "Hi3796CV300CSAiCore"
SD3403AIC = ASCEND_SD_AIC = "SD3403AiCore"

scope_gm, scope_ubuf, scope_cbuf = "global", "local.UB", "local.L1"
scope_ca, scope_cb, scope_cc = "local.L0A", "local.L0B", "local.L0C"
scope_reg, scope_vreg, scope_preg = "local.REG", "local.VREG", "local.PREG"
scope_areg, scope_ureg, scope_wreg = "local.AREG", "local.UREG", "local.WREG"
scope_aicpu, scope_smask = "local_aicpu", "local.SMASK"
scope_cbuf_fusion, scope_ubuf_fusion = "local.L1_Fusion", "local.UB_Fusion"
scope_fb, scope_bt = "local.FB", "local.BT"
scope_fb0, scope_fb1, scope_fb2, scope_fb3 = (f"local.FB{i}" for i in range(4))
dma_copy, dma_copy_global = "dma_copy", "global"

SOC_VERSION = "SOC_VERSION"
FULL_SOC_VERSION, SHORT_SOC_VERSION = "FULL_SOC_VERSION", "SHORT_SOC_VERSION"
AICORE_TYPE, CORE_NUM, MAX_CORE_NUM = "AICORE_TYPE", "CORE_NUM", "MAX_CORE_NUM"
CUBE_CORE_CNT, VECTOR_CORE_CNT = "CUBE_CORE_CNT", "VECTOR_CORE_CNT"
UB_SIZE, L1_SIZE, L2_SIZE, SMASK_SIZE = "UB_SIZE", "L1_SIZE", "L2_SIZE", "SMASK_SIZE"
L0A_SIZE, L0B_SIZE, L0C_SIZE, CUBE_SIZE = "L0A_SIZE", "L0B_SIZE", "L0C_SIZE", "CUBE_SIZE"
UNZIP, CUBE_VECTOR_SPLIT, COMPILER_ARCH = "UNZIP", "CUBE_VECTOR_SPLIT", "Compiler_arch"
FB_SIZE, BT_SIZE, CORE_TYPE_LIST = "FB_SIZE", "BT_SIZE", "CORE_TYPE_LIST"
FB0_SIZE, FB1_SIZE, FB2_SIZE, FB3_SIZE = (f"FB{i}_SIZE" for i in range(4))
UB_BLOCK_SIZE = "ubblock_size"

VECTOR_INST_BLOCK_NUM, VECTOR_INST_BLOCK_WIDTH, VECTOR_INST_MAX_REPEAT_TIMES = 8, 32, 255
BLOCK_IN = BLOCK_OUT = BLOCK_REDUCE = BLOCK_VECTOR = C0_SIZE = 16
BLOCK_REDUCE_INT8, ELEMENTS_VECTOR_OP_FP16 = 32, 128
GEMM_MODE, CONV_MODE = 0, 1
_MKN = {"default": [16, 16, 16], "int8": [16, 32, 16], "uint8": [16, 32, 16], "int4": [16, 64, 16]}
CUBE_MKN = {
    dtype: {"mac": _MKN.get(dtype, _MKN["default"])}
    for dtype in words("int8 uint8 int4 int16 uint16 int32 uint32 float16 float32 bfloat16")
}

_TABLE_KEYS = {  # of get_soc_spec, in the SoC table
    CORE_NUM: "ai_core_cnt",
    MAX_CORE_NUM: "ai_core_cnt",
    CUBE_CORE_CNT: "ai_core_cnt",
    VECTOR_CORE_CNT: "vector_core_cnt",
    UB_SIZE: "ub_size",
    L1_SIZE: "l1_size",
    L2_SIZE: "l2_size",
    L0A_SIZE: "l0_a_size",
    L0B_SIZE: "l0_b_size",
    L0C_SIZE: "l0_c_size",
    SMASK_SIZE: "smask_buffer",
    CUBE_VECTOR_SPLIT: "cube_vector_split",
    FB_SIZE: "fb_size",
    FB0_SIZE: "fb0_size",
    FB1_SIZE: "fb1_size",
    FB2_SIZE: "fb2_size",
    FB3_SIZE: "fb3_size",
    BT_SIZE: "bt_size",
    UB_BLOCK_SIZE: "ubblock_size",
    COMPILER_ARCH: "arch",
    CORE_TYPE_LIST: "core_type_list",
}
# Compute functions that are one instruction, by its name.
_INSTRUCTIONS = {
    name: name
    for name in words(
        "vadd vadds vsub vmul vmuls vdiv vmax vmaxs vmin vmins vexp vabs vrec vsqrt vrsqrt vrelu"
        " vlrelu vor vand vnot vaxpy vmla vmadd vmaddrelu vaddrelu vsubrelu vsel vcmp"
    )
} | {
    "vlog": "vln",
    "vcmpsel": "vsel",
    "reduce_sum": "vcadd",
    "sum": "vcadd",
    "tuple_sum": "vcadd",
    "reduce_mean": "vcadd",
    "reduce_max": "vcmax",
    "reduce_min": "vcmin",
    "gather": "vgather",
}
# Instructions of a conversion end in a letter for its rounding.
_CONVERSIONS = {"cast_to": "", "round": "a", "floor": "f", "ceil": "c", "trunc": "z"}
_DEFAULT_SOC = "Ascend310P3"


class _Current(threading.local):
    def __init__(self) -> None:
        self.soc = _DEFAULT_SOC
        self.core_type = "AiCore"
        self.core_num: int | None = None


_current = _Current()


def chosen() -> dict[str, Any]:
    """Return what this thread compiles for, for :func:`choose`."""
    return dict(vars(_current))


def choose(values: dict[str, Any]) -> None:
    """Make this thread compile for what it did when ``values`` were taken."""
    vars(_current).update(values)


@functools.cache
def _facts_of(soc: str) -> dict[str, Any]:
    text = _compiler.soc(soc)
    facts: dict[str, Any] = json.loads(text) if text else {}
    return facts


def _facts() -> dict[str, Any]:
    return _facts_of(_current.soc)


def set_current_compile_soc_info(
    soc_version: str,
    core_type: str | None = "AiCore",
    aicore_num: object = None,
    l1_fusion: object = None,
) -> str:
    """Choose the SoC that this thread compiles for."""
    if not _facts_of(soc_version):
        raise dsl_error(f"SoC [{soc_version}] is not known")
    _current.soc = soc_version
    _current.core_type = core_type or "AiCore"
    _current.core_num = int(str(aicore_num)) if aicore_num not in (None, "", "0", 0) else None
    return "success"


def te_set_version(
    soc_version: str, core_type: str = "AiCore", aicore_num: object = None, *more: object
) -> str:
    return set_current_compile_soc_info(soc_version, core_type, aicore_num)


te_update_version = te_set_version


def get_soc_spec(key: str) -> Any:
    """Return a fact of the SoC."""
    facts = _facts()
    if key in (SOC_VERSION, FULL_SOC_VERSION):
        return facts["name"]
    if key == SHORT_SOC_VERSION:
        return facts["family"]
    if key == AICORE_TYPE:
        return _current.core_type
    if key == CORE_NUM and _current.core_num is not None:
        return _current.core_num
    if key == CUBE_SIZE:
        return [facts.get(f"cube_{side}_size", 16) for side in "mkn"]
    if key == "cube_vector_combine":
        return ",".join(facts.get("cube_vector_combine") or ["fuse"])
    if key in _TABLE_KEYS:
        return facts.get(_TABLE_KEYS[key], 0)
    if key in facts:
        return facts[key]
    raise dsl_error(f"get_soc_spec: key [{key}] is not known")


def intrinsic_check_support(intrinsic: str, dtype: str = "") -> bool:
    """Say whether the SoC has an instruction, for a dtype when one is given."""
    name = intrinsic.removeprefix("Intrinsic_")
    if name == intrinsic:
        raise dsl_error(f"intrinsic_check_support: [{intrinsic}] does not begin with Intrinsic_")
    facts = _facts()
    dtypes_of = facts["vconv"] if name == "vconv" else facts["units"].get(name)
    return dtypes_of is not None and (not dtype or dtype in dtypes_of)


def api_check_support(intrinsic: str, dtype: str = "") -> bool:
    """Say whether a compute function works on the SoC, for a dtype when one is given."""
    prefix, _, name = intrinsic.rpartition(".")
    if prefix not in ("tbe.dsl", "te.lang.cce", "te.lang.dynamic"):
        return False  # instructions of TIK among them
    if name in _CONVERSIONS:
        return not dtype or _converts(name, dtype)
    if name in _INSTRUCTIONS:
        return intrinsic_check_support(f"Intrinsic_{_INSTRUCTIONS[name]}", dtype)
    from ge._shim import names

    return name in names.MODULES["tbe.dsl"] and (
        not dtype or dtype in ("float16", "float32", "int32")
    )


def _converts(name: str, token: str) -> bool:
    """Say whether a conversion, such as ``s322f16``, is one instruction."""
    known: list[str] = _facts()["vconv"]
    suffix = _CONVERSIONS[name]
    suffixes = ("", "a", "r", "z", "f", "c", "o") if not suffix else (suffix,)
    return any(token + one in known for one in suffixes)


def get_bit_len(dtype: str) -> int:
    return 16 if dtype in ("int8", "uint8", "bool") else dtypes.bits(dtype)


def get_block_size() -> int:
    return int(get_soc_spec(UB_BLOCK_SIZE)) or 32


def get_align_factor(dtype: str) -> tuple[int, int]:
    size = min(dtypes.bits(dtype) // 8, 4)
    return 32 // size, size


def get_cube_mkn(dtype: str) -> list[int]:
    return list(CUBE_MKN[dtype]["mac"])


def cce_conf_value(key: str) -> Any:
    """Return a fact by the older name of its key: ``Unified_Buffer``, ``L1_Buffer``."""
    older = {"Unified_Buffer": UB_SIZE, "L1_Buffer": L1_SIZE, "L0A_Buffer": L0A_SIZE}
    older |= {"L0B_Buffer": L0B_SIZE, "L0C_Buffer": L0C_SIZE, "Device_core_num": CORE_NUM}
    return get_soc_spec(older.get(key, key))


class CceProductParams:
    """The SoC, as older operators ask for it."""

    def getParams(self, key: str) -> Any:  # noqa: N802
        return cce_conf_value(key)

    @property
    def cce_product(self) -> str:
        return str(get_soc_spec(SHORT_SOC_VERSION))
