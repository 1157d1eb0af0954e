#pragma once

#include "kernels/heavy_library.h"

namespace ge::onednn {

// nullptr when the plain kernels do as well, or oneDNN has no code.
std::unique_ptr<const HeavyPrimitive> MakeConv(const ConvProblem& problem, const void* filter,
                                               std::span<const PostOp> post_ops);
// A convolution that is the product of its filter and x as they are.
std::unique_ptr<const HeavyPrimitive> MakePointwise(const ConvProblem& problem);
// A convolution of one channel by long windows; nullptr when it is another.
std::unique_ptr<const HeavyPrimitive> MakeWindowProducts(const ConvProblem& problem);
// A transposed convolution whose windows do not overlap, as products of the rows of x; nullptr when
// it is another, or y does not lie as they come.
std::unique_ptr<const HeavyPrimitive> MakeSpread(const ConvProblem& problem, const void* filter);
std::unique_ptr<const HeavyPrimitive> MakeMatMul(const MatMulProblem& problem);
std::unique_ptr<const StreamPrimitive> MakeStreamConv(const ConvProblem& problem,
                                                      const float* filter, const float* bias);
std::unique_ptr<const StreamPrimitive> MakeStreamMatMul(const MatMulProblem& problem);

}  // namespace ge::onednn
