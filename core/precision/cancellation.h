#pragma once

#include <unordered_set>

#include "ir/graph.h"

namespace ge {

// Nodes of variances that are written as differences, mean(x^2) - mean(x)^2: where the mean is
// large beside the deviation, the digits of 16-bit floats cancel out and the difference is noise.
// From the reductions to the difference they are to stay in float32.
std::unordered_set<const Node*> FindCancellations(const Graph& graph);

}  // namespace ge
