#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// The largest element of each cell of a grid over each region of interest.
Status RoiPooling(KernelContext& ctx);

}  // namespace ge::kernels
