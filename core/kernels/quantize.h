#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// y = saturate(round(x / scale) + zero point), ties to even; NaN counts as 0.  Of float8 results
// NaN stays, and what is out of range becomes the largest value, or without the attribute saturate
// infinity (NaN in a type without one).
Status Quantize(KernelContext& ctx);

}  // namespace ge::kernels
