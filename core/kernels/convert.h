#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernel_context.h"

namespace ge {

float HalfToFloat(uint16_t bits);
uint16_t FloatToHalf(float value);  // round to nearest even; overflow gives infinity
float Bf16ToFloat(uint16_t bits);
uint16_t FloatToBf16(float value);  // round to nearest even

// All elements as integers; nullopt when the dtype is not an integer type or bool of at least 8
// bits per element.  uint64 values beyond int64 wrap.
std::optional<std::vector<int64_t>> ToInts(const HostTensor& tensor);
// All elements of a number type of at least 8 bits per element, float16 and bfloat16 included.
std::optional<std::vector<double>> ToDoubles(const HostTensor& tensor);

}  // namespace ge
