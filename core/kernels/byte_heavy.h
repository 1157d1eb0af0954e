#pragma once

#include <memory>

#include "kernels/kernel_context.h"

// Convolutions and matrix products of int8 and uint8 with sums of int32; core/ops/conv.cc and
// matmul.cc tell what their zero points mean.
namespace ge::kernels {

Status ByteConv(KernelContext& ctx);
Status ByteMatMul(KernelContext& ctx);

// With a constant filter, or right factor, packed.
Result<std::unique_ptr<const PreparedKernel>> PrepareByteConv(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareByteMatMul(const KernelContext& ctx);

}  // namespace ge::kernels
