#pragma once

#include "kernels/kernel_context.h"

// Random numbers by a generator that is a function of seed and position (Philox), so that results
// do not depend on the number of threads.  Attributes seed and seed2 of 0 ask for a seed of chance
// in every run; with any others all runs give the same numbers.
namespace ge::kernels {

Status RandomUniform(KernelContext& ctx);         // in [0, 1)
Status RandomStandardNormal(KernelContext& ctx);  // mean 0, deviation 1
// Classes by the logits of each row: inputs [rows, classes] and how many to draw per row.
Status Multinomial(KernelContext& ctx);

}  // namespace ge::kernels
