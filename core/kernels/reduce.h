#pragma once

#include "kernels/kernel_context.h"

// Reductions.  Floats accumulate in float64 and are rounded once; integers wrap.
//
// ReduceX: axes are input 1.  No axes: all of them, or none if noop_with_empty_axes is set.
namespace ge::kernels {

// What a reduction over nothing gives is in brackets.
Status ReduceSum(KernelContext& ctx);        // [0]
Status ReduceMean(KernelContext& ctx);       // [NaN; 0 for integers], integers truncate
Status ReduceMax(KernelContext& ctx);        // [the lowest value, -inf for floats]
Status ReduceMin(KernelContext& ctx);        // [the highest value, inf for floats]
Status ReduceProd(KernelContext& ctx);       // [1]
Status ReduceAll(KernelContext& ctx);        // [true], bool
Status ReduceAny(KernelContext& ctx);        // [false], bool
Status ReduceLogSum(KernelContext& ctx);     // [-inf]
Status ReduceLogSumExp(KernelContext& ctx);  // [-inf]
// Axes are an attribute; none: all of them.
Status SquareSumV1(KernelContext& ctx);  // [0]
Status LpNormV2(KernelContext& ctx);     // [0]

}  // namespace ge::kernels
