#pragma once

#include <cstdint>
#include <type_traits>

#include "base/dtype.h"
#include "kernels/convert.h"

namespace ge {

// float16 and bfloat16 as arithmetic types: storage of two bytes, arithmetic in float.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  Half(float value) : bits(FloatToHalf(value)) {}  // NOLINT: implicit by design
  operator float() const { return HalfToFloat(bits); }
};
struct Bf16 {
  uint16_t bits = 0;
  Bf16() = default;
  Bf16(float value) : bits(FloatToBf16(value)) {}  // NOLINT: implicit by design
  operator float() const { return Bf16ToFloat(bits); }
};
template <typename T>
inline constexpr bool kIsNarrowFloat = std::is_same_v<T, Half> || std::is_same_v<T, Bf16>;

// An element of a bool tensor: any byte but 0 is true.
struct Bool {
  uint8_t byte = 0;
  Bool() = default;
  Bool(bool value) : byte(value ? 1 : 0) {}  // NOLINT: implicit by design
  operator bool() const { return byte != 0; }
};
// Integers and bool.
template <typename T>
inline constexpr bool kIsIntegral = std::is_integral_v<T> || std::is_same_v<T, Bool>;

// Calls visit(T()) with the C++ type of `dtype`; false when the group has no such dtype.
template <typename Visit>
bool VisitIntegers(DataType dtype, Visit&& visit) {
  switch (dtype) {
    case DataType::kInt8:
      visit(int8_t());
      return true;
    case DataType::kInt16:
      visit(int16_t());
      return true;
    case DataType::kInt32:
      visit(int32_t());
      return true;
    case DataType::kInt64:
      visit(int64_t());
      return true;
    case DataType::kUint8:
      visit(uint8_t());
      return true;
    case DataType::kUint16:
      visit(uint16_t());
      return true;
    case DataType::kUint32:
      visit(uint32_t());
      return true;
    case DataType::kUint64:
      visit(uint64_t());
      return true;
    case DataType::kBool:
      visit(Bool());
      return true;
    default:
      return false;
  }
}

template <typename Visit>
bool VisitFloats(DataType dtype, Visit&& visit) {
  switch (dtype) {
    case DataType::kFloat:
      visit(float());
      return true;
    case DataType::kDouble:
      visit(double());
      return true;
    case DataType::kFloat16:
      visit(Half());
      return true;
    case DataType::kBf16:
      visit(Bf16());
      return true;
    default:
      return false;
  }
}

template <typename Visit>
bool VisitNumbers(DataType dtype, Visit&& visit) {
  return VisitIntegers(dtype, visit) || VisitFloats(dtype, visit);
}

}  // namespace ge
