#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// y = saturate(round(x / scale) + zero point), ties to even; NaN counts as 0.  Of float8 results
// NaN stays, and what is out of range becomes the largest value, or without the attribute saturate
// infinity (NaN in a type without one).
Status Quantize(KernelContext& ctx);

// 256 levels, one of them 0, from the least to the greatest number.
struct Levels {
  float scale = 1;
  uint8_t zero = 0;
};
Levels LevelsOf(const float* x, int64_t count);
void QuantizeTo(Levels levels, const float* x, int64_t count, uint8_t* y);

// DynamicQuantV2: y, scale and zero point of x.
Status DynamicQuant(KernelContext& ctx);

}  // namespace ge::kernels
