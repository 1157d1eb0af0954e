#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/graph.h"

namespace ge {

// An output that has no place in the arena: a constant, or a size that is only known at run time.
inline constexpr int64_t kNoOffset = -1;

// Where the tensors of a graph lie in the arena, in bytes from its start.
struct GraphPlan {
  // offsets[node index][output]; kNoOffset when the output has no place.
  std::vector<std::vector<int64_t>> offsets;
  // Plans of the subgraphs of each node that has some, with offsets in the same arena.
  std::vector<std::vector<GraphPlan>> subgraphs;
  // Bytes and offset of the memory the branches of a control-flow node work in; 0 elsewhere.
  std::vector<int64_t> workspace_bytes;
  std::vector<int64_t> workspace_offsets;
};

struct MemoryPlan {
  GraphPlan graph;
  uint64_t arena_bytes = 0;
  // Some tensor's size is only known at run time.
  bool has_unknown_sizes = false;
};

// Liveness over the order of graph.nodes(), then one arena.  Inputs live from the start to their
// last reader, outputs to the end; the output of a view operator is its input's memory, and that of
// an operator which works element by element takes over the memory of an input that dies there. The
// branches of an If share one workspace, since one of them runs, and so do the graphs of a While,
// which hand on nothing but the states: outputs of the node.
MemoryPlan PlanMemory(const Graph& graph, bool reuse);

}  // namespace ge
