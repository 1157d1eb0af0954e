#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// Determinants of the matrices in the last two axes, by elimination in float64.
Status MatrixDeterminant(KernelContext& ctx);

}  // namespace ge::kernels
