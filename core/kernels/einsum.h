#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// Sums of products over named axes, two operands at a time from the left, each time as matrix
// products.  Integers wrap; float16 and bfloat16 are computed in float32 and rounded at the end.
Status Einsum(KernelContext& ctx);

}  // namespace ge::kernels
