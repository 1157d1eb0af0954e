"""The enums of graphs: their numbers are part of the interface.

Source: the public enums ``DataType`` and ``Format`` of GE.
"""

from enum import IntEnum

__all__ = ["AttrValueType", "DataType", "DumpFormat", "Format", "Placement"]


class DataType(IntEnum):
    """Types of elements."""

    DT_FLOAT = 0
    DT_FLOAT16 = 1
    DT_INT8 = 2
    DT_INT32 = 3
    DT_UINT8 = 4
    DT_INT16 = 6
    DT_UINT16 = 7
    DT_UINT32 = 8
    DT_INT64 = 9
    DT_UINT64 = 10
    DT_DOUBLE = 11
    DT_BOOL = 12
    DT_STRING = 13
    DT_COMPLEX64 = 16
    DT_COMPLEX128 = 17
    DT_RESOURCE = 23
    DT_BF16 = 27
    DT_UNDEFINED = 28
    DT_INT4 = 29
    DT_UINT1 = 30
    DT_INT2 = 31
    DT_UINT2 = 32
    DT_COMPLEX32 = 33
    DT_HIFLOAT8 = 34
    DT_FLOAT8_E5M2 = 35
    DT_FLOAT8_E4M3FN = 36
    DT_FLOAT8_E8M0 = 37
    DT_FLOAT6_E3M2 = 38
    DT_FLOAT6_E2M3 = 39
    DT_FLOAT4_E2M1 = 40
    DT_FLOAT4_E1M2 = 41
    DT_HIFLOAT4 = 42


class Format(IntEnum):
    """What the dims of a tensor are."""

    FORMAT_NCHW = 0
    FORMAT_NHWC = 1
    FORMAT_ND = 2
    FORMAT_NC1HWC0 = 3
    FORMAT_FRACTAL_Z = 4
    FORMAT_NHWC1C0 = 6
    FORMAT_CHWN = 14
    FORMAT_HWCN = 16
    FORMAT_NDHWC = 27
    FORMAT_FRACTAL_NZ = 29
    FORMAT_NCDHW = 30
    FORMAT_DHWCN = 31
    FORMAT_RESERVED = 40


class Placement(IntEnum):
    """Where the bytes of a tensor are; here always on the host."""

    PLACEMENT_HOST = 0
    PLACEMENT_DEVICE = 1


class DumpFormat(IntEnum):
    """Forms of a graph as text."""

    kOnnx = 0  # noqa: N815
    kTxt = 1  # noqa: N815
    kReadable = 2  # noqa: N815


class AttrValueType(IntEnum):
    """Kinds of attributes; a list of one of them is 1000 more."""

    VT_NONE = 0
    VT_STRING = 1
    VT_FLOAT = 2
    VT_BOOL = 3
    VT_INT = 4
    VT_TENSOR = 6
    VT_LIST_STRING = 1001
    VT_LIST_FLOAT = 1002
    VT_LIST_BOOL = 1003
    VT_LIST_INT = 1004
    VT_LIST_TENSOR = 1006
