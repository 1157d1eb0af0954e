#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

Status Resize(KernelContext& ctx);

}  // namespace ge::kernels
