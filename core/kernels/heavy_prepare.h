#pragma once

#include <memory>

#include "kernels/kernel_context.h"

// Heavy operators of a model whose shapes are static: attributes are read once, and the optional
// library runs what it is faster at.
namespace ge::kernels {

Result<std::unique_ptr<const PreparedKernel>> PrepareConv(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareConvTranspose(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareMatMul(const KernelContext& ctx);

}  // namespace ge::kernels
