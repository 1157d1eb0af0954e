#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// Indices count from the end when they are negative; one out of range is refused.
Status GatherV2(KernelContext& ctx);
Status GatherNd(KernelContext& ctx);
Status GatherElements(KernelContext& ctx);

// Scatters are carried out in the order of the indices: of two that name one element, `none`
// keeps the later.
Status ScatterElements(KernelContext& ctx);
Status ScatterNdUpdate(KernelContext& ctx);
Status ScatterNdAdd(KernelContext& ctx);
Status ScatterNdMax(KernelContext& ctx);
Status ScatterNdMin(KernelContext& ctx);

}  // namespace ge::kernels
