#pragma once

#include "kernels/heavy.h"

namespace ge::kernels {

// MaxPoolV3, MaxPool3D (all numbers; NaN if the window has one) and AvgPoolV2, AvgPool3D (floats;
// sums of float16 and bfloat16 are kept in float32).
Status Pool(KernelContext& ctx);
// The pooling that `problem` describes; false when there is no code for its dtype.
bool RunPool(const PoolProblem& problem, const void* x, void* y);

// Floats; the sums are kept in float64.
Status GlobalAveragePool(KernelContext& ctx);
Status GlobalLpPool(KernelContext& ctx);  // (sum of |x|^p)^(1/p)

}  // namespace ge::kernels
