#pragma once

#include <cmath>
#include <cstdint>

namespace ge {

// An 8-bit float: sign, kExponent bits, and the rest mantissa.
//   E4M3FN: bias 7, no infinity, 0x7f is NaN, largest 448
//   E5M2:   bias 15, infinity 0x7c, NaN above it, largest 57344
struct Float8Layout {
  int mantissa_bits;
  int bias;
  uint8_t largest;   // bits of the largest finite number
  uint8_t overflow;  // infinity, or NaN where there is none
  uint8_t nan;
};
inline constexpr Float8Layout kE4m3fn = {3, 7, 0x7e, 0x7f, 0x7f};
inline constexpr Float8Layout kE5m2 = {2, 15, 0x7b, 0x7c, 0x7e};

inline float FromFloat8(uint8_t bits, const Float8Layout& layout) {
  const int magnitude = bits & 0x7f;
  const float sign = (bits & 0x80) != 0 ? -1.0f : 1.0f;
  if (magnitude > layout.largest) {
    return magnitude == layout.overflow && layout.overflow != layout.nan ? sign * INFINITY : NAN;
  }
  const int exponent = magnitude >> layout.mantissa_bits;
  const int fraction = magnitude & ((1 << layout.mantissa_bits) - 1);
  const int implied = exponent == 0 ? 0 : 1 << layout.mantissa_bits;
  const int power = (exponent == 0 ? 1 : exponent) - layout.bias - layout.mantissa_bits;
  return sign * std::ldexp(static_cast<float>(implied + fraction), power);
}

// Rounds to nearest even.
inline uint8_t ToFloat8(float value, const Float8Layout& layout, bool saturate) {
  if (std::isnan(value)) return layout.nan;
  const uint8_t sign = std::signbit(value) ? 0x80 : 0;
  const float magnitude = std::abs(value);
  const uint8_t beyond = saturate ? layout.largest : layout.overflow;
  if (std::isinf(magnitude)) return sign | beyond;
  if (magnitude == 0) return sign;  // has no exponent
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude is in [0.5, 1) * 2^exponent
  const int lowest = 1 - layout.bias;
  const int unit = (exponent - 1 < lowest ? lowest : exponent - 1) - layout.mantissa_bits;
  // A whole number of units; a carry out of the mantissa steps the exponent, as it should.
  const int units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -unit)));
  const int step = unit + layout.mantissa_bits - lowest;  // exponent above that of subnormals
  const int bits = (step << layout.mantissa_bits) + units;
  return sign | (bits > layout.largest ? beyond : static_cast<uint8_t>(bits));
}

}  // namespace ge
