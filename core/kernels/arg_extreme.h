#pragma once

#include "kernels/kernel_context.h"

namespace ge::kernels {

// Index of the greatest (least) element along the axis in input 1: the first one, or the last if
// attribute select_last_index is set.  A NaN is never better than what came before it.
Status ArgMax(KernelContext& ctx);
Status ArgMin(KernelContext& ctx);

}  // namespace ge::kernels
