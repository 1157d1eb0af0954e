#pragma once

#include "kernels/kernel_context.h"

// Sampling at positions that data gives, and picking boxes.
namespace ge::kernels {

Status GridSample(KernelContext& ctx);  // GridSampler2D, GridSampler3D
Status RoiAlign(KernelContext& ctx);
Status NonMaxSuppression(KernelContext& ctx);  // sizes output 0
Status DepthToSpace(KernelContext& ctx);
Status SpaceToDepth(KernelContext& ctx);

}  // namespace ge::kernels
