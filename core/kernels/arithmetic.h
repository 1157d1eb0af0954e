#pragma once

#include "kernels/kernel_context.h"

// Kernels of two operands that broadcast.  Integers wrap; integer division and remainder by zero
// give 0.  16-bit floats are computed in float and rounded once.
namespace ge::kernels {

Status Add(KernelContext& ctx);
Status Sub(KernelContext& ctx);
Status Mul(KernelContext& ctx);
Status Div(KernelContext& ctx);       // integers truncate toward zero
Status FloorDiv(KernelContext& ctx);  // toward minus infinity
Status FloorMod(KernelContext& ctx);  // the remainder has the sign of the divisor
Status Mod(KernelContext& ctx);       // the remainder has the sign of the dividend
Status Pow(KernelContext& ctx);       // base and exponent may differ in dtype
Status Maximum(KernelContext& ctx);   // NaN if an operand is NaN
Status Minimum(KernelContext& ctx);
Status AddN(KernelContext& ctx);         // any number of operands of one shape, added in float64
Status ClipByValue(KernelContext& ctx);  // min(max(x, lower), upper); NaN stays
Status Square(KernelContext& ctx);
Status Atan2(KernelContext& ctx);    // floats
Status BiasAdd(KernelContext& ctx);  // adds one number per channel
Status PRelu(KernelContext& ctx);    // x, or weight * x where x is below 0

}  // namespace ge::kernels
