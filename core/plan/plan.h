#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "api/compile.h"
#include "ir/graph.h"

namespace ge {

// An output that has no place in the arena: a constant, or a size that is only known at run time.
inline constexpr int64_t kNoOffset = -1;

struct BranchPlan;

// Where the tensors of a graph lie in the arena, in bytes from its start.
struct GraphPlan {
  // Nodes as they run, by Node::index().
  std::vector<uint32_t> order;
  // Of all outputs of all nodes; kNoOffset when the output has no place.
  std::vector<int64_t> offsets;
  // Where those of a node begin, by Node::index().
  std::vector<uint32_t> first_output;
  // Of control-flow nodes, by Node::index().
  std::map<uint32_t, BranchPlan> branches;
  // Parts of tensors are views of them.
  bool parts = false;

  // Whether all outputs of the node are memory of its inputs, so that nothing has to run.
  bool IsView(const Node& node) const;

  // The part of `list`, which has an entry per output of the graph, that belongs to `node`.
  template <typename List>
  auto Of(List& list, const Node& node) const {
    return std::span(list).subspan(first_output[node.index()], node.output_count());
  }
  std::span<int64_t> OffsetsOf(const Node& node) { return Of(offsets, node); }
  std::span<const int64_t> OffsetsOf(const Node& node) const { return Of(offsets, node); }
  int64_t OffsetOf(Value value) const {
    return OffsetsOf(*value.node)[static_cast<size_t>(value.index)];
  }
};

// The branches of a control-flow node.
struct BranchPlan {
  std::vector<GraphPlan> graphs;  // offsets are in the same arena
  // The memory that they work in.
  int64_t workspace_bytes = 0;
  int64_t workspace_offset = 0;
};

struct MemoryPlan {
  GraphPlan graph;
  uint64_t arena_bytes = 0;
  uint64_t lower_bound_bytes = 0;  // no arena for this order and these claims is smaller
  // Some tensor's size is only known at run time.
  bool has_unknown_sizes = false;
};

// Decides in which order the nodes of the graph and its subgraphs run, and gives every tensor a
// place in one arena.  Inputs live from the start to their last reader, outputs to the end; a
// reshaped tensor is its input's memory, a part of a tensor too unless that needs a larger arena;
// an operator that works element by element takes over the memory of an input that dies there.
// Without `reuse` only views share memory.  With NodeOrder::kLeastMemory several orders are tried;
// that of the source stays unless another needs a smaller arena.
//
// The branches of an If share one workspace, since one of them runs, and so do the graphs of a
// While, which hand on nothing but the states: outputs of the node.
MemoryPlan PlanMemory(const Graph& graph, bool reuse, NodeOrder order);

}  // namespace ge
