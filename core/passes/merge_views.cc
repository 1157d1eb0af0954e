// MergeViews: x -> view -> ... -> view   becomes   x -> ... -> one view, or none where the second
// one undoes the first.  Views are Reshape, Flatten, Squeeze and Unsqueeze; operators that work
// element by element may stand between (chain.h).
//
// Applies when the second view is the inverse of the first by its axes and shows no size that x
// does not, or when its result has known sizes, so that a Reshape from x gives it.  Nobody else
// reads what lies between.
#include <algorithm>

#include "ops/op_impl.h"
#include "passes/chain.h"
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

bool IsView(const Node& node) {
  for (const std::string_view type :
       {"Reshape", "Flatten", "Squeeze", "SqueezeV3", "Unsqueeze", "UnsqueezeV3"}) {
    if (node.type() == type) return true;
  }
  return false;
}

// The axes of size 1 that a Squeeze takes away or an Unsqueeze puts in, ascending, counted in the
// tensor that has them; empty for other views and where they are not known.
std::vector<size_t> UnitAxes(const Node& view) {
  const std::string& type = view.type();
  const bool takes = type.starts_with("Squeeze");
  if (!takes && !type.starts_with("Unsqueeze")) return {};
  const Shape& whole = takes ? view.input(0).desc().shape : view.output(0).shape;
  if (whole.unknown_rank()) return {};
  std::vector<int64_t> list;
  if (type.ends_with("V3")) {
    list = ConstInts(view.input(1)).value_or(std::vector<int64_t>());
  } else {
    list = AttrReader(view).Ints(takes ? "axis" : "axes");
  }
  std::vector<size_t> axes;
  for (const int64_t axis : list) {
    if (const auto index = NormalizeAxis(axis, whole.rank())) axes.push_back(*index);
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

bool Undoes(const Node& second, const Node& first) {
  const std::vector<size_t> axes = UnitAxes(first);
  return !axes.empty() && axes == UnitAxes(second) &&
         first.type().starts_with("Squeeze") != second.type().starts_with("Squeeze");
}

// Whether a Reshape can name the shape: a dim of 0 would stand for one of its input.
bool CanBeNamed(const Shape& shape) {
  const auto is_positive = [](int64_t dim) { return dim > 0; };
  return !shape.unknown_rank() &&
         std::all_of(shape.dims().begin(), shape.dims().end(), is_positive);
}

// `view` gives the same result from `x`.
void ReadInstead(Removal& removal, Node& view, Value x) {
  Graph& graph = view.graph();
  const Value shape = AddIntList(graph, view.name() + "/shape", view.output(0).shape.dims());
  if (view.type() == "Reshape") {
    view.SetInput(0, x);
    view.SetInput(1, shape);
  } else {
    ReplaceParts(removal, {&view}, "Reshape", {x, shape});
  }
}

}  // namespace

Result<size_t> MergeViews(Graph& graph) {
  Removal removal(graph);
  size_t changes = 0;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& second = *graph.nodes()[i];
    if (!IsView(second) || removal.Has(second)) continue;
    const Chain chain = ChainAbove(second.input(0));
    Node& first = *chain.source.node;
    if (!IsView(first) || OnlyReader(first.out()) == nullptr) continue;
    const Value x = first.input(0);
    const Shape& before = x.desc().shape;
    // A pair may know more than x: that a dim is 1.
    const bool vanishes = before == second.output(0).shape &&
                          (Undoes(second, first) || (before.is_static() && CanBeNamed(before)));
    if (!vanishes && !CanBeNamed(second.output(0).shape)) continue;
    if (vanishes && chain.nodes.empty() && !MayBypass(second.out(), x)) continue;
    GE_TRY(Reroute(chain, x));
    const Value end = chain.nodes.empty() ? x : chain.nodes.back()->out();
    Node& heir = chain.nodes.empty() ? second : *chain.nodes.front();
    removal.TakeNames(heir, first);
    if (vanishes) {
      removal.Bypass(second, end);
    } else {
      ReadInstead(removal, second, end);
    }
    if (!first.has_uses()) removal.Add(first);
    ++changes;
  }
  removal.Finish();
  return changes;
}

}  // namespace ge
