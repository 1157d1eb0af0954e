#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// Adds up blocks at the places of an image that they come from.
Status Col2Im(KernelContext& ctx);

}  // namespace ge::kernels
