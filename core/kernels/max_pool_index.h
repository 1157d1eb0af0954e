#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// The largest element of each window, and where it is in the flattened spatial axes of its channel.
// Attributes: ksize, strides, pads, dilation per spatial axis, as ops/max_pool_with_argmax.cc says.
Status MaxPoolWithIndex(KernelContext& ctx);

}  // namespace ge::kernels
