#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

Status Unique(KernelContext& ctx);  // UniqueWithCountsExt2; sizes all outputs

}  // namespace ge::kernels
