#include "base/dtype.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ge {
namespace {

using enum DataType;

constexpr std::array kRows = {
    DataTypeRow{kFloat, "f32", "DT_FLOAT", "float32", 1, 32},
    DataTypeRow{kFloat16, "f16", "DT_FLOAT16", "float16", 2, 16},
    DataTypeRow{kInt8, "i8", "DT_INT8", "int8", 3, 8},
    DataTypeRow{kInt32, "i32", "DT_INT32", "int32", 7, 32},
    DataTypeRow{kUint8, "u8", "DT_UINT8", "uint8", 4, 8},
    DataTypeRow{kInt16, "i16", "DT_INT16", "int16", 5, 16},
    DataTypeRow{kUint16, "u16", "DT_UINT16", "uint16", 6, 16},
    DataTypeRow{kUint32, "u32", "DT_UINT32", "uint32", 9, 32},
    DataTypeRow{kInt64, "i64", "DT_INT64", "int64", 8, 64},
    DataTypeRow{kUint64, "u64", "DT_UINT64", "uint64", 10, 64},
    DataTypeRow{kDouble, "f64", "DT_DOUBLE", "float64", 12, 64},
    DataTypeRow{kBool, "bool", "DT_BOOL", "bool", 11, 8},
    DataTypeRow{kString, "str", "DT_STRING", "string", 13, 0},
    DataTypeRow{kComplex64, "c64", "DT_COMPLEX64", "complex64", 16, 64},
    DataTypeRow{kComplex128, "c128", "DT_COMPLEX128", "complex128", 17, 128},
    DataTypeRow{kResource, "res", "DT_RESOURCE", "resource", 23, 0},
    DataTypeRow{kBf16, "bf16", "DT_BF16", "bfloat16", 27, 16},
    DataTypeRow{kUndefined, "undefined", "DT_UNDEFINED", "undefined", 0, 0},
    DataTypeRow{kInt4, "i4", "DT_INT4", "int4", 28, 4},
    DataTypeRow{kUint1, "u1", "DT_UINT1", "uint1", 29, 1},
    DataTypeRow{kInt2, "i2", "DT_INT2", "int2", 30, 2},
    DataTypeRow{kUint2, "u2", "DT_UINT2", "uint2", 31, 2},
    DataTypeRow{kComplex32, "c32", "DT_COMPLEX32", "complex32", 32, 32},
    DataTypeRow{kHifloat8, "hif8", "DT_HIFLOAT8", "hifloat8", 33, 8},
    DataTypeRow{kFloat8E5m2, "f8e5m2", "DT_FLOAT8_E5M2", "float8_e5m2", 34, 8},
    DataTypeRow{kFloat8E4m3fn, "f8e4m3", "DT_FLOAT8_E4M3FN", "float8_e4m3fn", 35, 8},
    DataTypeRow{kFloat8E8m0, "f8e8m0", "DT_FLOAT8_E8M0", "float8_e8m0", 36, 8},
    DataTypeRow{kFloat6E3m2, "f6e3m2", "DT_FLOAT6_E3M2", "float6_e3m2", 37, 6},
    DataTypeRow{kFloat6E2m3, "f6e2m3", "DT_FLOAT6_E2M3", "float6_e2m3", 38, 6},
    DataTypeRow{kFloat4E2m1, "f4e2m1", "DT_FLOAT4_E2M1", "float4_e2m1", 39, 4},
    DataTypeRow{kFloat4E1m2, "f4e1m2", "DT_FLOAT4_E1M2", "float4_e1m2", 40, 4},
    DataTypeRow{kHifloat4, "hif4", "DT_HIFLOAT4", "hifloat4", 41, 4},
};

template <typename Match>
const DataTypeRow* FindRow(Match match) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), match);
  return row == kRows.end() ? nullptr : &*row;
}

}  // namespace

const DataTypeRow& RowOf(DataType dtype) {
  const DataTypeRow* row = FindRow([&](const DataTypeRow& r) { return r.dtype == dtype; });
  return row != nullptr ? *row : RowOf(kUndefined);
}

const DataTypeRow* FindDataTypeByShortName(std::string_view short_name) {
  return FindRow([&](const DataTypeRow& r) { return r.short_name == short_name; });
}

const DataTypeRow* FindDataTypeByGeName(std::string_view ge_name) {
  return FindRow([&](const DataTypeRow& r) { return r.ge_name == ge_name; });
}

const DataTypeRow* FindDataTypeByProtoNumber(int64_t number) {
  return FindRow([&](const DataTypeRow& r) { return r.proto_number == number; });
}

bool IsFloat(DataType dtype) {
  switch (dtype) {
    case kFloat:
    case kFloat16:
    case kDouble:
    case kBf16:
    case kHifloat8:
    case kFloat8E5m2:
    case kFloat8E4m3fn:
    case kFloat8E8m0:
    case kFloat6E3m2:
    case kFloat6E2m3:
    case kFloat4E2m1:
    case kFloat4E1m2:
    case kHifloat4:
      return true;
    default:
      return false;
  }
}

bool IsInteger(DataType dtype) {
  switch (dtype) {
    case kInt8:
    case kInt16:
    case kInt32:
    case kInt64:
    case kUint8:
    case kUint16:
    case kUint32:
    case kUint64:
    case kInt4:
    case kInt2:
    case kUint2:
    case kUint1:
      return true;
    default:
      return false;
  }
}

std::optional<int64_t> BytesOf(DataType dtype, int64_t elements) {
  const int bits = RowOf(dtype).bits;
  if (bits == 0 || elements < 0) return std::nullopt;
  // Eight elements fill `bits` bytes; the number of bits itself may not fit.
  const int64_t eights = elements / 8, rest = (elements % 8 * bits + 7) / 8;
  if (eights > (std::numeric_limits<int64_t>::max() - rest) / bits) return std::nullopt;
  return eights * bits + rest;
}

}  // namespace ge
