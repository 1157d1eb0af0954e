// MergeTransposes: x -> Transpose -> ... -> Transpose   becomes   x -> ... -> one Transpose, or
// none where the second one undoes the first.  Operators that work element by element may stand
// between (chain.h).
//
// Applies when both orders of axes are constant and nobody else reads what lies between.
#include "ops/op_impl.h"
#include "passes/chain.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// The order of axes of a Transpose; empty for other nodes and where it is not known.
std::vector<int64_t> OrderOf(const Node& node) {
  if (node.type() != "Transpose") return {};
  std::vector<int64_t> order = ConstInts(node.input(1)).value_or(std::vector<int64_t>());
  for (int64_t& axis : order) {
    if (axis < 0) axis += static_cast<int64_t>(order.size());
  }
  return order;
}

}  // namespace

Result<size_t> MergeTransposes(Graph& graph) {
  Removal removal(graph);
  size_t changes = 0;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& second = *graph.nodes()[i];
    const std::vector<int64_t> outer = OrderOf(second);
    if (outer.empty()) continue;
    const Chain chain = ChainAbove(second.input(0));
    Node& first = *chain.source.node;
    const std::vector<int64_t> inner = OrderOf(first);
    if (inner.size() != outer.size() || OnlyReader(first.out()) == nullptr) continue;
    std::vector<int64_t> order;
    bool in_order = true;
    for (const int64_t axis : outer) {
      order.push_back(inner[static_cast<size_t>(axis)]);
      in_order &= order.back() + 1 == static_cast<int64_t>(order.size());
    }
    const Value x = first.input(0);
    if (in_order && chain.nodes.empty() && !MayBypass(second.out(), x)) continue;
    GE_TRY(Reroute(chain, x));
    const Value end = chain.nodes.empty() ? x : chain.nodes.back()->out();
    removal.TakeNames(chain.nodes.empty() ? second : *chain.nodes.front(), first);
    if (in_order) {
      removal.Bypass(second, end);
    } else {
      second.SetInput(0, end);
      second.SetInput(1, AddIntList(graph, second.name() + "/perm", order));
    }
    if (!first.has_uses()) removal.Add(first);
    ++changes;
  }
  removal.Finish();
  return changes;
}

}  // namespace ge
