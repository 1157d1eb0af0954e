#pragma once

#include <vector>

#include "backend/host/program.h"

namespace ge::host {

// What a pointwise step of float32 makes of the elements of its input `port`, of which its result
// has the shape; empty when that is no post-operator.  kAdd stands for an addend in any memory.
std::vector<PostOp> PostOpsOf(const Step& step, size_t port);

}  // namespace ge::host
