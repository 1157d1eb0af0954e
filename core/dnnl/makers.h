#pragma once

#include "kernels/heavy_library.h"

namespace ge::onednn {

// nullptr when the plain kernels do as well, or oneDNN has no code.
std::unique_ptr<const HeavyPrimitive> MakeConv(const ConvProblem& problem, const void* filter);
std::unique_ptr<const HeavyPrimitive> MakeMatMul(const MatMulProblem& problem);

}  // namespace ge::onednn
