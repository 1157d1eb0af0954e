#pragma once

#include <cstdint>

#include "base/dtype.h"

// Element types of 8 bits and less that no C++ type stands for: the floats of 8 and 4 bits, and
// integers of 4 and 2 bits, which lie packed, the first element in the lowest bits of a byte.
// `code` is the bits of one element.
namespace ge {

// float8_e4m3fn, float8_e5m2, float8_e8m0, float4_e2m1, int4, int2, uint2.
bool IsNarrow(DataType dtype);

float NarrowToFloat(DataType dtype, uint8_t code);

// How a number becomes a narrow float; integers are truncated and wrap.
struct NarrowRounding {
  // Out of range becomes the largest number; else infinity, or NaN where the type has none.
  bool saturate = true;
  // Of float8_e8m0, which holds powers of two; the others round to nearest, ties to even.
  enum { kUp, kDown, kNearest } powers = kUp;
};
uint8_t ToNarrow(DataType dtype, double value, NarrowRounding rounding);

// Element i of packed elements.
inline uint8_t UnpackNarrow(const uint8_t* data, int bits, int64_t i) {
  if (bits == 8) return data[i];
  const int64_t per_byte = 8 / bits;
  return static_cast<uint8_t>(data[i / per_byte] >> (i % per_byte * bits)) & ((1 << bits) - 1);
}

}  // namespace ge
