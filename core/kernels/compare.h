#pragma once

#include "kernels/kernel_context.h"

// Kernels of two operands that broadcast: comparisons to bool, logic on bool, bits of integers.
namespace ge::kernels {

Status Equal(KernelContext& ctx);
Status NotEqual(KernelContext& ctx);
Status Greater(KernelContext& ctx);
Status GreaterEqual(KernelContext& ctx);
Status Less(KernelContext& ctx);
Status LessEqual(KernelContext& ctx);

Status LogicalAnd(KernelContext& ctx);
Status LogicalOr(KernelContext& ctx);

Status BitwiseAnd(KernelContext& ctx);
Status BitwiseOr(KernelContext& ctx);
Status BitwiseXor(KernelContext& ctx);
// Shifting by the width or more, or by a negative count, leaves only copies of the sign (right) or
// zeros (left).
Status LeftShift(KernelContext& ctx);
Status RightShift(KernelContext& ctx);  // arithmetic for signed types

}  // namespace ge::kernels
