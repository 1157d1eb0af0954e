#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/file.h"
#include "ir/graph.h"
#include "plan/plan.h"

namespace ge {

// Where constants stand in the weights of a model.  The first 512 bytes are zero, every constant
// starts at a multiple of 512, constants with the same bytes share a place.
struct WeightLayout {
  struct Place {
    const Node* constant;
    uint64_t offset;
  };
  std::vector<Place> places;  // by offset, each constant once
  uint64_t bytes = 0;         // of the whole, a multiple of 512; 512 when there is no constant
};

// The numbers that tasks and the model definition need about a node.
struct NodeLayout {
  uint32_t id = 0;             // unique in the model, in execution order of its graph
  uint64_t weight_offset = 0;  // of a Const
};

// A graph of the model with everything that has been decided about it.
struct GraphLayout {
  const Graph* graph;
  const GraphPlan* plan;
  std::vector<NodeLayout> nodes;  // by Node::index()
};

// All graphs of a model: the root first, then branches in the order of their nodes.
struct ModelLayout {
  std::vector<GraphLayout> graphs;
  std::unique_ptr<const MemoryPlan> memory;  // graphs point into it
  WeightLayout weights;

  const GraphLayout& LayoutOf(const Graph& graph) const;
};

ModelLayout LayOut(const Graph& root, MemoryPlan memory);

}  // namespace ge
