#include "kernels/float8.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ge {
namespace {

// Layout of a float with a sign: exponent and mantissa bits below it.
struct FloatFormat {
  int mantissa_bits;
  int bias;
  double largest;
  uint8_t sign;      // its bit
  uint8_t nan;       // 0: there is none
  uint8_t infinity;  // 0: there is none
};
constexpr FloatFormat kE4m3fn = {3, 7, 448, 0x80, 0x7f, 0};
constexpr FloatFormat kE5m2 = {2, 15, 57344, 0x80, 0x7e, 0x7c};
constexpr FloatFormat kE2m1 = {1, 1, 6, 0x08, 0, 0};

constexpr uint8_t kPowerNan = 0xff;  // of float8_e8m0
constexpr int kPowerBias = 127;

const FloatFormat* FormatOf(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat8E4m3fn:
      return &kE4m3fn;
    case DataType::kFloat8E5m2:
      return &kE5m2;
    case DataType::kFloat4E2m1:
      return &kE2m1;
    default:
      return nullptr;
  }
}

float Decode(const FloatFormat& format, uint8_t code) {
  const uint8_t magnitude = code & static_cast<uint8_t>(format.sign - 1);
  float value;
  if (format.infinity != 0 && magnitude == format.infinity) {
    value = std::numeric_limits<float>::infinity();
  } else if (format.nan != 0 &&
             magnitude >= (format.infinity != 0 ? format.infinity : format.nan)) {
    value = std::numeric_limits<float>::quiet_NaN();
  } else {
    const int exponent = magnitude >> format.mantissa_bits;
    const int mantissa = magnitude & ((1 << format.mantissa_bits) - 1);
    const int hidden = exponent != 0 ? 1 << format.mantissa_bits : 0;
    value = std::ldexp(static_cast<float>(hidden + mantissa),
                       std::max(exponent, 1) - format.bias - format.mantissa_bits);
  }
  return (code & format.sign) != 0 ? -value : value;
}

uint8_t Encode(const FloatFormat& format, double value, bool saturate) {
  const uint8_t sign = std::signbit(value) ? format.sign : uint8_t{0};
  if (std::isnan(value)) return sign | format.nan;
  const double magnitude = std::fabs(value);
  const int lowest = 1 - format.bias;  // exponent of the smallest normal number
  const int exponent =
      magnitude == 0 || std::isinf(magnitude) ? lowest : std::max(std::ilogb(magnitude), lowest);
  // In units of the last mantissa bit, which the code counts too, from subnormals on.
  const double units = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  if (std::ldexp(units, exponent - format.mantissa_bits) > format.largest) {
    if (!saturate && format.infinity != 0) return sign | format.infinity;
    if (!saturate && format.nan != 0) return sign | format.nan;
    return sign | Encode(format, format.largest, true);
  }
  const int code = ((exponent - lowest) << format.mantissa_bits) + static_cast<int>(units);
  return sign | static_cast<uint8_t>(code);
}

uint8_t EncodePower(double value, NarrowRounding rounding) {
  if (std::isnan(value) || value < 0) return kPowerNan;
  constexpr int kLargest = kPowerNan - 1;
  if (value == 0 || std::isinf(value)) {
    if (!rounding.saturate) return kPowerNan;
    return value == 0 ? uint8_t{0} : static_cast<uint8_t>(kLargest);
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  const bool up = rounding.powers == NarrowRounding::kUp        ? fraction > 0.5
                  : rounding.powers == NarrowRounding::kNearest ? fraction >= 0.75
                                                                : false;
  const int code = exponent - 1 + (up ? 1 : 0) + kPowerBias;
  if (code < 0 || code > kLargest) {
    return rounding.saturate ? static_cast<uint8_t>(std::clamp(code, 0, kLargest)) : kPowerNan;
  }
  return static_cast<uint8_t>(code);
}

// The low bits of the integer part.
uint8_t EncodeInteger(double value, int bits) {
  if (!(std::fabs(value) < 9.2e18)) return 0;  // NaN, or beyond what an int64 holds
  return static_cast<uint8_t>(static_cast<uint64_t>(static_cast<int64_t>(value)) &
                              ((1u << bits) - 1));
}

}  // namespace

bool IsNarrow(DataType dtype) {
  return FormatOf(dtype) != nullptr || dtype == DataType::kFloat8E8m0 || dtype == DataType::kInt4 ||
         dtype == DataType::kInt2 || dtype == DataType::kUint2;
}

float NarrowToFloat(DataType dtype, uint8_t code) {
  if (const FloatFormat* format = FormatOf(dtype)) return Decode(*format, code);
  if (dtype == DataType::kFloat8E8m0) {
    if (code == kPowerNan) return std::numeric_limits<float>::quiet_NaN();
    return std::ldexp(1.0f, code - kPowerBias);
  }
  const int bits = RowOf(dtype).bits;
  const bool is_signed = dtype != DataType::kUint2;
  const int value = code;
  return static_cast<float>(is_signed && value >= 1 << (bits - 1) ? value - (1 << bits) : value);
}

uint8_t ToNarrow(DataType dtype, double value, NarrowRounding rounding) {
  if (const FloatFormat* format = FormatOf(dtype)) return Encode(*format, value, rounding.saturate);
  if (dtype == DataType::kFloat8E8m0) return EncodePower(value, rounding);
  return EncodeInteger(value, RowOf(dtype).bits);
}

}  // namespace ge
