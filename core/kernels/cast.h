#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// Converts between integers, bool, float32, float64, float16 and bfloat16.
//
//   to bool        any value but 0 is true
//   to an integer  fractions are cut off; NaN and values beyond the type give what a 64-bit x86
//                  gives: the lowest int32 or int64, of which narrower types keep the low bits
//   to a float     rounded to nearest even; beyond the type: infinity
Status Cast(KernelContext& ctx);

}  // namespace ge::kernels
