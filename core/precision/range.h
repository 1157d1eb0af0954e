#pragma once

#include <unordered_set>
#include <vector>

#include "ir/graph.h"

namespace ge {

// Nodes whose float32 results may leave the range of float16, found from the operators alone:
// powers, exponentials, sums of integer products, and sums or products with a constant that float16
// cannot hold.
struct RangeRisks {
  // Such a node and its readers up to operators that bring the values back (a root, a logarithm, a
  // softmax, a division by them): they are to stay in float32, so that nothing is lost.
  std::unordered_set<const Node*> keep;
  // Those whose results go somewhere else, too.
  std::vector<const Node*> at_risk;
};

// `in_float32` stay in float32 for other reasons, and give safe results.
RangeRisks FindRangeRisks(const Graph& graph, const std::unordered_set<const Node*>& in_float32);

}  // namespace ge
