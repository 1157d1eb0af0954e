#pragma once

#include <optional>
#include <vector>

#include "passes/axis_map.h"
#include "passes/slices.h"

namespace ge {

// How the nodes of a region, which hand tensors to each other, are computed with the axes of other
// tensors, so that Transpose and views move down through them, meet and vanish.
class AxisPlan {
 public:
  explicit AxisPlan(const Graph& graph);

  // The regions of the graph that hold a node with an axis map.  Nodes of a region stand in the
  // order of the graph; they are maps, or operators that can have their axes in another order:
  // element by element, ConcatD, StridedSliceV2.
  const std::vector<std::vector<Node*>>& regions() const { return regions_; }

  // Plans a region.  False when that saves no operator, or takes more of the Transposes.
  bool Make(const std::vector<Node*>& region);

  // What the plan says of a node of the region.
  struct State {
    Value base;             // has the elements of output 0, maybe with other axes
    bool whole = false;     // base is a value of the region as the source has it
    Shape shape;            // that base gets
    AxisMap map;            // from base to output 0
    bool kept = false;      // a map that does what it does in the source
    bool sunk = false;      // an operator that is computed with the axes of its inputs' bases
    bool needed = false;    // somebody reads output 0 as it is in the source
    bool is_start = false;  // so does the rest of the region
    // What changes in an operator that is sunk.
    int64_t axis = 0;               // ConcatD
    std::vector<AxisSlice> slices;  // StridedSliceV2
  };
  const State& Of(const Node& node) const { return states_[places_[node.index()]]; }
  bool IsMap(const Node& node) const { return kinds_[node.index()] == Kind::kMap; }
  // Where the elements of an input come from.
  State From(Value input) const;
  bool Has(const Node& node) const {
    return node.index() < region_of_.size() && region_of_[node.index()] == current_;
  }
  // Whether input i is a tensor with the axes of the result, and no number.
  static bool IsTensor(const Node& node, size_t i);

 private:
  enum class Kind : uint8_t { kFixed, kMap, kPointwise, kConcat, kSlice };
  struct Cost {
    int operators = 0;
    int transposes = 0;
  };

  static Kind KindOf(const Node& node);
  void FindRegions(const Graph& graph);
  std::optional<State> Sink(Node& node) const;
  bool SinkConcat(const Node& node, const std::vector<State>& inputs, State& sunk) const;
  void Visit(Node& node, bool starts_where_needed);
  // What the maps cost; nullopt when an output of the graph would have no buffer of its own.
  std::optional<Cost> Run(const std::vector<Node*>& region, bool starts_where_needed);

  std::vector<Kind> kinds_;       // by Node::index()
  std::vector<int> region_of_;    // by Node::index(); -1: none
  std::vector<uint32_t> places_;  // by Node::index(), in states_
  std::vector<State> states_;     // of the nodes of the region
  std::vector<std::vector<Node*>> regions_;
  int current_ = -1;
};

}  // namespace ge
