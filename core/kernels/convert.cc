#include "kernels/convert.h"

#include <bit>
#include <cmath>

#include "kernels/dispatch.h"

namespace ge {

float HalfToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float subnormal = std::ldexp(static_cast<float>(mantissa), -24);
  return sign != 0 ? -subnormal : subnormal;
}

uint16_t FloatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;   // NaN
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // rounds to 65536 or more
  if (magnitude < 0x38800000u) {                        // below 2^-14: subnormal or zero
    const float scaled = std::ldexp(std::bit_cast<float>(magnitude), 24);
    return sign | static_cast<uint16_t>(std::nearbyint(scaled));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return sign | static_cast<uint16_t>((rounded - 0x38000000u) >> 13);
}

float Bf16ToFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t FloatToBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

std::optional<std::vector<int64_t>> ToInts(const HostTensor& tensor) {
  std::vector<int64_t> values(static_cast<size_t>(tensor.elements()));
  const bool done = VisitIntegers(tensor.dtype, [&]<typename T>(T) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(tensor.as<T>()[i]);
  });
  if (!done) return std::nullopt;
  return values;
}

std::optional<std::vector<double>> ToDoubles(const HostTensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.elements()));
  const bool done = VisitNumbers(tensor.dtype, [&]<typename T>(T) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(tensor.as<T>()[i]);
  });
  if (!done) return std::nullopt;
  return values;
}

}  // namespace ge
