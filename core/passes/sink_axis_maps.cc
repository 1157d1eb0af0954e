// SinkAxisMaps: operators that only move axes (Transpose, views that put in, take away or move axes
// of size 1) go down through others: element by element, ConcatD, StridedSliceV2.  On the way those
// on the inputs of one operator become one, and those in a row become one or vanish.
//
//   Concat(Transpose(a), Transpose(b))        becomes   Transpose(Concat(a, b))
//   Squeeze -> Pow -> Unsqueeze               becomes   Pow
//
// Applies region by region (axis_plan.h), where fewer operators are left and no more of them are
// Transposes; all sizes are known.  The same numbers are computed.
#include "ops/op_impl.h"
#include "passes/axis_plan.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

class Rewriter {
 public:
  Rewriter(const Graph& graph, const AxisPlan& plan, Removal& removal)
      : plan_(plan), removal_(removal), actual_(graph.size()) {}

  Status Run(const std::vector<Node*>& region) {
    std::vector<TensorDesc> descs;
    for (Node* node : region) {
      descs.push_back(node->output(0));
      if (plan_.IsMap(*node)) GiveNames(*node);
    }
    for (size_t i = 0; i < region.size(); ++i) {
      Node& node = *region[i];
      if (!plan_.IsMap(node)) GE_TRY(ReadBases(node));
      if (plan_.Of(node).needed) GE_TRY(GiveResult(node, descs[i]));
    }
    for (size_t i = region.size(); i-- > 0;) {
      Node& node = *region[i];
      if (plan_.IsMap(node) && !node.has_uses() && !removal_.Has(node)) removal_.Add(node);
    }
    return Status::Ok();
  }

 private:
  static bool Computes(const Node& node) { return node.type() != "Data" && !node.is_const(); }

  // The operator whose result it changes stands for a map that goes, else one that reads it.
  void GiveNames(Node& map) {
    const AxisPlan::State& state = plan_.Of(map);
    if (state.kept && state.needed) return;
    Node* reader = map.uses(0).empty() ? nullptr : map.uses(0).front().node;
    if (Computes(*state.base.node)) {
      removal_.TakeNames(*state.base.node, map);
    } else if (reader != nullptr && reader->type() != "NetOutput") {
      removal_.TakeNames(*reader, map);
    }
  }

  // The value in the new graph that a base of the plan stands for.
  Value Actual(Value base, bool whole) const { return whole ? actual_[base.node->index()] : base; }

  Status ReadBases(Node& node) {
    const AxisPlan::State& state = plan_.Of(node);
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (!input || (state.sunk && !AxisPlan::IsTensor(node, i))) continue;
      if (state.sunk) {
        const AxisPlan::State from = plan_.From(input);
        node.SetInput(i, Actual(from.base, from.whole));
      } else if (plan_.Has(*input.node)) {
        node.SetInput(i, Actual(input, true));
      }
    }
    if (!state.sunk) return Status::Ok();
    if (node.type() == "ConcatD") node.attrs().Set("concat_dim", state.axis);
    if (node.type() == "StridedSliceV2") SetSlices(node, node.input(0), state.slices);
    return InferNode(node);
  }

  // Makes what output 0 is in the source, for those outside who read it.
  Status GiveResult(Node& node, const TensorDesc& desc) {
    const AxisPlan::State& state = plan_.Of(node);
    const Value base = Actual(state.base, state.whole);
    Value& result = actual_[node.index()];
    if (state.kept) node.SetInput(0, base);
    if (state.kept || (base == node.out() && !state.sunk)) {
      result = node.out();
      return Status::Ok();
    }
    GE_ASSIGN(result, AddSteps(node, base, state.map, desc));
    if (result != base) removal_.TakeNames(*result.node, node);
    const std::vector<Use> readers(node.uses(0).begin(), node.uses(0).end());
    for (const Use& use : readers) {
      const bool is_old = use.node->index() < actual_.size();
      if (is_old && !plan_.Has(*use.node)) {
        use.node->SetInput(static_cast<size_t>(use.input), result);
      }
    }
    return Status::Ok();
  }

  const AxisPlan& plan_;
  Removal& removal_;
  std::vector<Value> actual_;  // by Node::index(): output 0 as it is in the source
};

}  // namespace

Result<size_t> SinkAxisMaps(Graph& graph) {
  AxisPlan plan(graph);
  Removal removal(graph);
  Rewriter rewriter(graph, plan, removal);
  size_t regions = 0;
  for (const std::vector<Node*>& region : plan.regions()) {
    if (!plan.Make(region)) continue;
    GE_TRY(rewriter.Run(region));
    ++regions;
  }
  removal.Finish();
  return regions;
}

}  // namespace ge
