"""OM files and their messages for tests: taken apart and put together with nothing of the product.

The messages are google.protobuf classes made from the field lists below, which were typed from
the format's description (docs/om-format.md names the packages), not from the product's tables.
"""

import dataclasses
import functools
import re
import struct

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_FIELD = descriptor_pb2.FieldDescriptorProto

# number, name, type; * repeated, ~ member of the oneof "value"; map:T is map<string, T>.
_MESSAGES = {
    "ModelDef": "1 name string, 2 version uint32, 3 custom_version string, 7 graph GraphDef*,"
    " 11 attr map:AttrDef",
    "GraphDef": "1 name string, 4 input string*, 5 output string*, 6 op OpDef*,"
    " 11 attr map:AttrDef",
    "OpDef": "1 name string, 2 type string, 5 input string*, 10 attr map:AttrDef,"
    " 20 has_out_attr bool, 21 id int64, 22 stream_id int64, 23 input_name string*,"
    " 24 src_name string*, 25 src_index int64*, 26 dst_name string*, 27 dst_index int64*,"
    " 28 input_i int64*, 29 output_i int64*, 30 workspace int64*, 31 workspace_bytes int64*,"
    " 32 is_input_const bool*, 33 input_desc TensorDescriptor*,"
    " 34 output_desc TensorDescriptor*, 35 subgraph_name string*",
    "TensorDescriptor": "1 name string, 2 dtype DataType, 3 shape ShapeDef, 4 layout string,"
    " 5 attr map:AttrDef, 9 has_out_attr bool, 10 size int64, 11 weight_size int64,"
    " 12 reuse_input bool, 13 output_tensor bool, 14 device_type string, 15 input_tensor bool,"
    " 16 real_dim_cnt int64, 17 reuse_input_index int64, 18 data_offset int64, 19 cmps_size int64,"
    " 20 cmps_tab string, 21 cmps_tab_offset int64",
    "ShapeDef": "1 dim int64*",
    "TensorDef": "1 desc TensorDescriptor, 2 data bytes",
    "AttrDef": "1 list ListValue~, 2 s bytes~, 3 i int64~, 4 f float~, 5 b bool~, 7 bt bytes~,"
    " 10 func NamedAttrs~, 11 td TensorDescriptor~, 12 t TensorDef~, 13 g GraphDef~,"
    " 14 list_list_int ListListInt~, 15 dt int64~, 16 list_list_float ListListFloat~,"
    " 17 expression bytes~",
    "ListValue": "2 s bytes*, 3 i int64*, 4 f float*, 5 b bool*, 7 bt bytes*,"
    " 8 td TensorDescriptor*, 9 t TensorDef*, 10 g GraphDef*, 11 na NamedAttrs*, 12 dt int64*,"
    " 20 val_type ListValueType",
    "ListListInt": "1 list_list_i ListInt*",
    "ListInt": "1 list_i int64*",
    "ListListFloat": "1 list_list_f ListFloat*",
    "ListFloat": "1 list_f float*",
    "NamedAttrs": "1 name string, 2 attr map:AttrDef",
    "ModelTaskDef": "1 version string, 10 task TaskDef*, 11 memory_size uint64,"
    " 12 stream_num uint32, 13 event_num uint32, 14 weight_size uint64, 16 base_addr uint64,"
    " 17 weight_addr uint64, 18 batch_num uint32",
    "TaskDef": "1 id uint32, 2 type uint32, 10 stream_id uint32, 11 event_id uint32,"
    " 20 kernel KernelDef, 21 kernel_ex KernelExDef",
    "KernelDef": "1 context KernelContext, 10 stub_func string, 11 block_dim uint32,"
    " 12 args_size uint32, 13 args bytes, 14 sm_desc bytes, 15 flowtable bytes, 16 so_name string,"
    " 17 kernel_name string, 18 kernel_ext_info bytes, 19 kernel_ext_info_size uint32",
    "KernelExDef": "1 flags uint32, 4 op_index uint32, 12 args_size uint32, 13 args bytes,"
    " 14 task_info bytes, 15 task_info_size uint32, 16 kernel_ext_info bytes,"
    " 17 kernel_ext_info_size uint32",
    "KernelContext": "1 kernel_type uint32, 2 op_id uint32, 3 kernel_func_id uint32,"
    " 4 op_index uint32, 5 is_flowtable bool, 6 args_offset bytes, 7 args_count uint32,"
    " 8 origin_op_index uint32*, 10 args_format string",
}
_ENUMS = {
    "DataType": "UNDEFINED FLOAT FLOAT16 INT8 UINT8 INT16 UINT16 INT32 INT64 UINT32 UINT64 BOOL"
    " DOUBLE STRING DUAL_SUB_INT8 DUAL_SUB_UINT8 COMPLEX64 COMPLEX128 QINT8 QINT16 QINT32 QUINT8"
    " QUINT16 RESOURCE STRING_REF DUAL VARIANT BF16 INT4 UINT1 INT2 UINT2 COMPLEX32 HIFLOAT8"
    " FLOAT8_E5M2 FLOAT8_E4M3FN FLOAT8_E8M0 FLOAT6_E3M2 FLOAT6_E2M3 FLOAT4_E2M1 FLOAT4_E1M2"
    " HIFLOAT4",
    "ListValueType": "NONE STRING INT FLOAT BOOL BYTES TENSOR_DESC TENSOR GRAPH NAMED_ATTRS"
    " DATA_TYPE",
}
_ENUM_PREFIX = {"DataType": "DT_", "ListValueType": "VT_LIST_"}
_SCALARS = {
    name: getattr(_FIELD, f"TYPE_{name.upper()}")
    for name in ("string", "bytes", "bool", "float", "int64", "uint32", "uint64")
}


def _set_type(field, type_name):
    if type_name in _SCALARS:
        field.type = _SCALARS[type_name]
    else:
        field.type = _FIELD.TYPE_ENUM if type_name in _ENUMS else _FIELD.TYPE_MESSAGE
        field.type_name = f".om.{type_name}"


def _add_field(message, number, name, spec):
    type_name = spec.removeprefix("map:").rstrip("*~")
    field = message.field.add(name=name, number=int(number))
    repeated = spec.endswith("*") or spec.startswith("map:")
    field.label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
    if spec.endswith("~"):
        field.oneof_index = 0
    if not spec.startswith("map:"):
        _set_type(field, type_name)
        return
    entry = message.nested_type.add(name=f"{name.capitalize()}Entry")
    entry.options.map_entry = True
    for key, index, kind in (("key", 1, "string"), ("value", 2, type_name)):
        part = entry.field.add(name=key, number=index, label=_FIELD.LABEL_OPTIONAL)
        _set_type(part, kind)
    field.type = _FIELD.TYPE_MESSAGE
    field.type_name = f".om.{message.name}.{entry.name}"


@functools.cache
def _classes():
    file = descriptor_pb2.FileDescriptorProto(name="om.proto", package="om", syntax="proto3")
    for name, values in _ENUMS.items():
        enum = file.enum_type.add(name=name)
        for number, value in enumerate(values.split()):
            enum.value.add(name=_ENUM_PREFIX[name] + value, number=number)
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        if "~" in fields:
            message.oneof_decl.add(name="value")
        for number, field, spec in re.findall(r"(\d+) (\w+) ([\w:*~]+)", fields):
            _add_field(message, number, field, spec)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"om.{name}"))
        for name in _MESSAGES
    }


def message(name, data=b""):
    """A message of ge.proto or domi by its short name, parsed from ``data``."""
    parsed = _classes()[name]()
    parsed.ParseFromString(data)
    return parsed


@dataclasses.dataclass(frozen=True)
class OmFile:
    """What an OM file holds. ``blocks`` has one list of (type, bytes) per partition table."""

    version: int
    modeltype: int
    name: str
    platform_version: str
    wide: bool
    blocks: list

    def partition(self, number):
        """The first partition of this type in the first block."""
        return next(data for kind, data in self.blocks[0] if kind == number)

    def model_def(self):
        return message("ModelDef", self.partition(0))


def read_om(path):
    """Take an OM file apart."""
    with open(path, "rb") as file:
        data = file.read()
    magic, headsize, version = struct.unpack_from("<4sII", data)
    assert (magic, headsize) == (b"IMOD", 256)
    newer = version >= 0x20000000
    (short_length,) = struct.unpack_from("<I", data, 76)
    model_num, platform = struct.unpack_from("<I20s", data, 156) if newer else (1, data[156:176])
    long_length = struct.unpack_from("<Q", data, 184)[0] if newer else 0
    assert (long_length or short_length) == len(data) - 256
    wide = long_length != 0
    blocks, at = [], 256
    for _ in range(model_num):
        (count,) = struct.unpack_from("<I", data, at)
        entries = []
        for i in range(count):
            if wide:
                kind, pad, offset, size = struct.unpack_from("<IIQQ", data, at + 8 + 24 * i)
                assert pad == 0
            else:
                kind, offset, size = struct.unpack_from("<III", data, at + 4 + 12 * i)
            entries.append((kind, offset, size))
        base = at + (8 + 24 * count if wide else 4 + 12 * count)
        blocks.append([(kind, data[base + off : base + off + size]) for kind, off, size in entries])
        at = base + max(off + size for _, off, size in entries)
    assert at == len(data)
    return OmFile(version, data[82], _text(data[84:116]), _text(platform), wide, blocks)


def _text(field):
    return field.split(b"\0")[0].decode()


def build_om(blocks, wide=True):
    """An OM file of version 2 with these blocks, each a list of (type, bytes)."""
    payload = b""
    for parts in blocks:
        payload += struct.pack("<II" if wide else "<I", *([len(parts)] + [0] * wide))
        offset = 0
        for kind, data in parts:
            if wide:
                payload += struct.pack("<IIQQ", kind, 0, offset, len(data))
            else:
                payload += struct.pack("<III", kind, offset, len(data))
            offset += len(data)
        payload += b"".join(data for _, data in parts)
    header = bytearray(256)
    struct.pack_into("<4sII", header, 0, b"IMOD", 256, 0x20000000)
    struct.pack_into("<I", header, 156, len(blocks))
    struct.pack_into(*(("<Q", header, 184) if wide else ("<I", header, 76)), len(payload))
    return bytes(header) + payload


def om_of_model(model):
    """An OM file that holds just this ModelDef and an empty task list."""
    return build_om([[(0, model.SerializeToString()), (2, b"")]])


def rewritten(path, change):
    """A copy of an OM file, beside it, after ``change(model definition, task list)``."""
    parts = dict(read_om(path).blocks[0])
    model, tasks = message("ModelDef", parts[0]), message("ModelTaskDef", parts[2])
    change(model, tasks)
    parts |= {0: model.SerializeToString(), 2: tasks.SerializeToString()}
    changed = path.with_name("changed.om")
    changed.write_bytes(build_om([list(parts.items())]))
    return changed
