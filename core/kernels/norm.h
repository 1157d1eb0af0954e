#pragma once

#include "kernels/kernel_context.h"

// Normalisations.  Statistics and results are computed in float (float64: in double) and rounded
// once.
namespace ge::kernels {

Status BatchNorm(KernelContext& ctx);     // BNInfer
Status InstanceNorm(KernelContext& ctx);  // outputs y, mean, variance
Status GroupNorm(KernelContext& ctx);     // outputs y, mean, variance
Status LayerNorm(KernelContext& ctx);     // outputs y, mean, variance
Status LayerNormV3(KernelContext& ctx);   // outputs y, mean, 1 / deviation
Status RmsNorm(KernelContext& ctx);       // outputs y, 1 / root of the mean square
Status Lrn(KernelContext& ctx);

}  // namespace ge::kernels
