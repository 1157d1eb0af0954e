#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// TopKV2.  Of equal elements the one with the lower index comes first; NaN is beyond every number.
Status TopK(KernelContext& ctx);

}  // namespace ge::kernels
