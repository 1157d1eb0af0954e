#pragma once

#include "kernels/kernel_context.h"

// Kernels that scale every element by a statistic of its group: the elements that differ only in
// the axes of an attribute.  Floats; statistics are kept in float64.
namespace ge::kernels {

Status HardMax(KernelContext& ctx);  // 1 for the first greatest element, else 0
Status MVNV2(KernelContext& ctx);    // (x - mean) / (standard deviation + eps)

}  // namespace ge::kernels
