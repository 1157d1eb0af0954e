#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ge {

// Element types with the numbers of the public API (attributes, single-operator files, the
// inputs/outputs table of an OM).  Protobuf descriptors use another numbering: ProtoNumber().
enum class DataType : uint8_t {
  kFloat = 0,
  kFloat16 = 1,
  kInt8 = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 6,
  kUint16 = 7,
  kUint32 = 8,
  kInt64 = 9,
  kUint64 = 10,
  kDouble = 11,
  kBool = 12,
  kString = 13,
  kComplex64 = 16,
  kComplex128 = 17,
  kResource = 23,
  kBf16 = 27,
  kUndefined = 28,
  kInt4 = 29,
  kUint1 = 30,
  kInt2 = 31,
  kUint2 = 32,
  kComplex32 = 33,
  kHifloat8 = 34,
  kFloat8E5m2 = 35,
  kFloat8E4m3fn = 36,
  kFloat8E8m0 = 37,
  kFloat6E3m2 = 38,
  kFloat6E2m3 = 39,
  kFloat4E2m1 = 40,
  kFloat4E1m2 = 41,
  kHifloat4 = 42,
};

struct DataTypeRow {
  DataType dtype;
  std::string_view short_name;  // as in tables/ops.json: "f32"
  std::string_view ge_name;     // "DT_FLOAT"
  std::string_view user_name;   // as users write it in files and messages: "float32"
  int proto_number;             // ge.proto.DataType
  int bits;                     // per element; 0 when elements have no fixed size
};

const DataTypeRow& RowOf(DataType dtype);
// nullptr when there is no such name.
const DataTypeRow* FindDataTypeByShortName(std::string_view short_name);
const DataTypeRow* FindDataTypeByGeName(std::string_view ge_name);
const DataTypeRow* FindDataTypeByProtoNumber(int64_t number);

inline std::string_view UserName(DataType dtype) {
  return RowOf(dtype).user_name;
}
inline std::string_view GeName(DataType dtype) {
  return RowOf(dtype).ge_name;
}
inline int ProtoNumber(DataType dtype) {
  return RowOf(dtype).proto_number;
}

bool IsFloat(DataType dtype);    // any floating-point type
bool IsInteger(DataType dtype);  // signed or unsigned, bool excluded

// Bytes of `elements` packed elements (sub-byte types share bytes), or nullopt when the product
// does not fit 63 bits or the type has no fixed element size.
std::optional<int64_t> BytesOf(DataType dtype, int64_t elements);

}  // namespace ge
