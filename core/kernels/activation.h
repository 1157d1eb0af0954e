#pragma once

#include "kernels/kernel_context.h"

// Kernels of the activation functions: one operand, floats (Relu and Shrink also integers),
// parameters from attributes.  float16 and bfloat16 are computed in float and rounded once.
namespace ge::kernels {

Status Relu(KernelContext& ctx);
Status LeakyRelu(KernelContext& ctx);
Status Elu(KernelContext& ctx);
Status Selu(KernelContext& ctx);
Status CeluV2(KernelContext& ctx);
Status ThresholdedRelu(KernelContext& ctx);
Status Sigmoid(KernelContext& ctx);
Status HardSigmoid(KernelContext& ctx);
Status HardSwish(KernelContext& ctx);
Status Softplus(KernelContext& ctx);
Status Softsign(KernelContext& ctx);
Status Gelu(KernelContext& ctx);    // the tanh approximation
Status GeluV2(KernelContext& ctx);  // attribute approximate: "none" or "tanh"
Status Mish(KernelContext& ctx);
Status Swish(KernelContext& ctx);
Status Shrink(KernelContext& ctx);

}  // namespace ge::kernels
