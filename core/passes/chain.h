#pragma once

#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace ge {

// Nodes one behind the other that work element by element on one tensor, so that it may have its
// axes in another order or another shape there.  Other operands are constants of one element
// without axes.  Nobody else reads what they hand on.
struct Chain {
  Value source;              // what the first reads, or the value itself when there is no node
  std::vector<Node*> nodes;  // from the source on
};

// The chain that ends with `value`, which one node alone reads.  A long one is cut, so that looking
// for what is above each of many nodes takes no more than linear time.
Chain ChainAbove(Value value);

// The first node of the chain reads `source` instead; shapes and dtypes follow.
Status Reroute(const Chain& chain, Value source);

}  // namespace ge
