#pragma once

#include <cstdint>
#include <vector>

#include "api/compile.h"
#include "plan/flat_graph.h"

namespace ge {

// Indices of the nodes in an order to run them in: producers before readers, NetOutput last.
// kLeastMemory gives the order that takes, of the nodes that are ready, the one that adds the least
// to the memory in use; between equals the one that became ready last, so that what reads a value
// stays behind it.  All take time linear in the edges, or times its logarithm.
std::vector<uint32_t> OrderOfNodes(const FlatGraph& graph, NodeOrder order);

}  // namespace ge
