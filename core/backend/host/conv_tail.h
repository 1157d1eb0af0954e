#pragma once

#include <span>

#include "backend/host/program.h"

// Convolutions of float16 and bfloat16 and the pointwise steps right behind them, which are run on
// pieces of the result while these are in the cache.  Every step rounds its own result, so the
// numbers are those of the steps one after the other.
namespace ge::host {

// Whether the filter of a convolution is of a 16-bit float.
bool IsNarrowConv(const Step& conv);

// How many of `steps`, of which the first is a convolution, can be run in this way; step i of the
// program is the first, and a chain ends before a target of a jump.
size_t TailLength(std::span<const Step> steps, const std::vector<bool>& is_target, size_t first);

// Runs such a step.  `tensors` are the inputs and outputs of the parts, part by part.
Status RunStreamedConv(const Step& step, std::span<HostTensor> tensors);

}  // namespace ge::host
