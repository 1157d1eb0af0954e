#pragma once

#include "kernels/heavy.h"

namespace ge::kernels {

// Conv2D, Conv3D and their transposed forms.  int8 gives int32; integers wrap; float16 and
// bfloat16 are summed in float32.  Padding is zeros that are multiplied like any element, so an
// infinite filter element gives NaN there.
Status Conv(KernelContext& ctx);
Status ConvTranspose(KernelContext& ctx);
// The convolutions that `problem` describes; false when there is no code for its dtypes.
bool RunConv(const ConvProblem& problem, const void* x, const void* filter, const void* bias,
             void* y);
bool RunConvTranspose(const ConvProblem& problem, const void* x, const void* filter,
                      const void* bias, void* y);

}  // namespace ge::kernels
