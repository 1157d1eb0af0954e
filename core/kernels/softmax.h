#pragma once

#include "kernels/kernel_context.h"

// exp(x) / sum(exp(x)) and its logarithm, over the axes of the attribute axes; and over the last
// one with a mask and a bias added to x before.
namespace ge::kernels {

Status SoftmaxV2(KernelContext& ctx);
Status LogSoftmaxV2(KernelContext& ctx);
Status MaskedSoftmaxWithRelPosBias(KernelContext& ctx);

}  // namespace ge::kernels
