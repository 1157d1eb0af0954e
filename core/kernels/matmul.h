#pragma once

#include "kernels/heavy.h"

namespace ge::kernels {

// MatMulV2, BatchMatMulV2.  Integers wrap; float16 and bfloat16 are summed in float32.
Status MatMul(KernelContext& ctx);
// The product that `problem` describes; false when there is no code for its dtypes.
bool RunMatMul(const MatMulProblem& problem, const void* a, const void* b, const void* bias,
               void* y);

}  // namespace ge::kernels
