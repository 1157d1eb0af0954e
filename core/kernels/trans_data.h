#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

Status TransData(KernelContext& ctx);

}  // namespace ge::kernels
