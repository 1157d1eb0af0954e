#pragma once

#include <vector>

#include "backend/host/program.h"

namespace ge::host {

// What a pointwise step of float32 makes of the elements of its input `port`, of which its result
// has the shape; empty when that is no post-operator.  kAdd stands for an addend in any memory.
std::vector<PostOp> PostOpsOf(const Step& step, size_t port);

// Puts `next` behind `ops`.  False when a kind would be there twice, which the library of heavy
// kernels does not take, and cannot be merged.
bool Append(std::vector<PostOp>& ops, const std::vector<PostOp>& next);

}  // namespace ge::host
