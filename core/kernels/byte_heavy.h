#pragma once

#include <memory>

#include "kernels/heavy_prepare.h"

// Convolutions and matrix products of int8 and uint8 with sums of int32; core/ops/conv.cc and
// matmul.cc tell what their zero points mean.
namespace ge::kernels {

Status ByteConv(KernelContext& ctx);
Status ByteMatMul(KernelContext& ctx);

// With a constant filter, or right factor, packed.
Result<std::unique_ptr<const PreparedKernel>> PrepareByteConv(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareByteMatMul(const KernelContext& ctx);

// The convolution that `problem` describes, whose tensors may have their channels last.
Result<std::unique_ptr<const FormedConv>> FormByteConv(const KernelContext& ctx,
                                                       ConvProblem problem);

}  // namespace ge::kernels
