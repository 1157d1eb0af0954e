#pragma once

#include "kernels/kernel_context.h"

// Running sums and products along the axis in input 1.  Attribute exclusive leaves the element
// itself out (the first result is 0 or 1), reverse starts at the far end.  Integers wrap; 16-bit
// floats accumulate in float.
namespace ge::kernels {

Status Cumsum(KernelContext& ctx);
Status Cumprod(KernelContext& ctx);

}  // namespace ge::kernels
