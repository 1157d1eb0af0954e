#pragma once

#include "kernels/kernel_context.h"

// Kernels of one operand and no parameter but those of Exp and Log.  float16 and bfloat16 are
// computed in float and rounded once.
namespace ge::kernels {

// Numbers of any kind; integers wrap.
Status Neg(KernelContext& ctx);
Status Abs(KernelContext& ctx);
Status Sign(KernelContext& ctx);   // NaN stays
Status Round(KernelContext& ctx);  // halves to even; integers stay
Status Trunc(KernelContext& ctx);  // integers stay

// Floats.
Status Sqrt(KernelContext& ctx);
Status Rsqrt(KernelContext& ctx);
Status Exp(KernelContext& ctx);  // base^(scale * x + shift); base -1 is e
Status Log(KernelContext& ctx);  // log_base(scale * x + shift); base -1 is e
Status Reciprocal(KernelContext& ctx);
Status Floor(KernelContext& ctx);
Status Ceil(KernelContext& ctx);
Status Erf(KernelContext& ctx);
Status Erfc(KernelContext& ctx);
Status Expm1(KernelContext& ctx);
Status Log1p(KernelContext& ctx);
Status Sin(KernelContext& ctx);
Status Cos(KernelContext& ctx);
Status Tan(KernelContext& ctx);
Status Asin(KernelContext& ctx);
Status Acos(KernelContext& ctx);
Status Atan(KernelContext& ctx);
Status Sinh(KernelContext& ctx);
Status Cosh(KernelContext& ctx);
Status Tanh(KernelContext& ctx);
Status Asinh(KernelContext& ctx);
Status Acosh(KernelContext& ctx);
Status Atanh(KernelContext& ctx);

// Floats to bool.
Status IsNan(KernelContext& ctx);
Status IsInf(KernelContext& ctx);

Status LogicalNot(KernelContext& ctx);  // bool
Status Invert(KernelContext& ctx);      // every bit of an integer

}  // namespace ge::kernels
