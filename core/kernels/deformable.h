#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// Values of images at the places that a kernel with moved points looks at.
Status DeformableOffsets(KernelContext& ctx);

}  // namespace ge::kernels
