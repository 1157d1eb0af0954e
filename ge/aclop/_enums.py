"""The enums of include/acl: written by scripts/acl_enums.py, not by hand."""

from enum import IntEnum


class DataType(IntEnum):
    """Types of elements. (``aclDataType``)"""

    UNDEFINED = -1
    FLOAT = 0
    FLOAT16 = 1
    INT8 = 2
    INT32 = 3
    UINT8 = 4
    INT16 = 6
    UINT16 = 7
    UINT32 = 8
    INT64 = 9
    UINT64 = 10
    DOUBLE = 11
    BOOL = 12
    STRING = 13
    COMPLEX64 = 16
    COMPLEX128 = 17
    BF16 = 27
    INT4 = 29
    UINT1 = 30
    COMPLEX32 = 33
    HIFLOAT8 = 34
    FLOAT8_E5M2 = 35
    FLOAT8_E4M3FN = 36
    FLOAT8_E8M0 = 37
    FLOAT6_E3M2 = 38
    FLOAT6_E2M3 = 39
    FLOAT4_E2M1 = 40
    FLOAT4_E1M2 = 41


class Format(IntEnum):
    """What the dims of a tensor are. (``aclFormat``)"""

    UNDEFINED = -1
    NCHW = 0
    NHWC = 1
    ND = 2
    NC1HWC0 = 3
    FRACTAL_Z = 4
    NC1HWC0_C04 = 12
    HWCN = 16
    NDHWC = 27
    FRACTAL_NZ = 29
    NCDHW = 30
    NDC1HWC0 = 32
    FRACTAL_Z_3D = 33
    NC = 35
    NCL = 47
    FRACTAL_NZ_C0_16 = 50
    FRACTAL_NZ_C0_32 = 51
    FRACTAL_NZ_C0_2 = 52
    FRACTAL_NZ_C0_4 = 53
    FRACTAL_NZ_C0_8 = 54


class MemType(IntEnum):
    """Where the data of a tensor is. (``aclMemType``)"""

    DEVICE = 0
    HOST = 1
    HOST_COMPILE_INDEPENDENT = 2


class EngineType(IntEnum):
    """What an operator runs on. (``aclopEngineType``)"""

    SYS = 0
    AICORE = 1
    VECTOR = 2


class CompileType(IntEnum):
    """Whether an operator has a prototype. (``aclopCompileType``)"""

    SYS = 0
    UNREGISTERED = 1


class CompileOpt(IntEnum):
    """Options of :func:`ge.aclop.set_compile_option`. (``aclCompileOpt``)"""

    PRECISION_MODE = 0
    AICORE_NUM = 1
    AUTO_TUNE_MODE = 2
    OP_SELECT_IMPL_MODE = 3
    OPTYPELIST_FOR_IMPLMODE = 4
    OP_DEBUG_LEVEL = 5
    DEBUG_DIR = 6
    OP_COMPILER_CACHE_MODE = 7
    OP_COMPILER_CACHE_DIR = 8
    OP_PERFORMANCE_MODE = 9
    OP_JIT_COMPILE = 10
    OP_DETERMINISTIC = 11
    CUSTOMIZE_DTYPES = 12
    OP_PRECISION_MODE = 13
    ALLOW_HF32 = 14
    PRECISION_MODE_V2 = 15
    OP_DEBUG_OPTION = 16


class CompileFlag(IntEnum):
    """How operators are looked up. (``aclOpCompileFlag``)"""

    DEFAULT = 0
    FUZZ = 1
