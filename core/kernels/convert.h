#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernel_context.h"

namespace ge {

// Without branches, so that loops over them vectorise.  NaN becomes quiet and keeps the leading
// bits of its payload, as by the instructions of processors.
inline float HalfToFloat(uint16_t bits) {
  const int32_t magnitude = (bits & 0x7fff) << 13;
  // Multiplying moves the exponent to float's, and makes subnormals normal.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  const int32_t finite = std::bit_cast<int32_t>(scaled);
  const int32_t quiet = magnitude > (0x7c00 << 13) ? 0x7fc00000 : 0x7f800000;  // NaN
  const int32_t value = magnitude >= (0x7c00 << 13) ? (magnitude | quiet) : finite;
  return std::bit_cast<float>(static_cast<uint32_t>(value) |
                              (static_cast<uint32_t>(bits & 0x8000) << 16));
}

// Rounds to nearest even; overflow gives infinity.
inline uint16_t FloatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const int32_t magnitude = static_cast<int32_t>(bits & 0x7fffffffu);
  const int32_t normal = (magnitude + 0xfff + ((magnitude >> 13) & 1) - 0x38000000) >> 13;
  // Below 2^-14 the result is subnormal: adding 0.5 rounds to multiples of 2^-24.
  const float small = std::bit_cast<float>(magnitude < 0x38800000 ? magnitude : 0) + 0.5f;
  const int32_t subnormal = std::bit_cast<int32_t>(small) - 0x3f000000;
  const int32_t finite = magnitude < 0x38800000 ? subnormal : normal;
  const int32_t nan = 0x7e00 | ((magnitude >> 13) & 0x3ff);
  const int32_t large = magnitude > 0x7f800000 ? nan : 0x7c00;  // NaN; rounds to 65536 or more
  const int32_t half = magnitude >= 0x477ff000 ? large : finite;
  return static_cast<uint16_t>(((bits >> 16) & 0x8000u) | static_cast<uint32_t>(half));
}

inline float Bf16ToFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// Rounds to nearest even.
inline uint16_t FloatToBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const bool is_nan = static_cast<int32_t>(bits & 0x7fffffffu) > 0x7f800000;
  return static_cast<uint16_t>(is_nan ? (bits >> 16) | 0x40u : rounded);
}

// All elements as integers; nullopt when the dtype is not an integer type or bool of at least 8
// bits per element.  uint64 values beyond int64 wrap.
std::optional<std::vector<int64_t>> ToInts(const HostTensor& tensor);
// All elements of a number type of at least 8 bits per element, float16 and bfloat16 included.
std::optional<std::vector<double>> ToDoubles(const HostTensor& tensor);

}  // namespace ge
