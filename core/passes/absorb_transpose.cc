// AbsorbTranspose: MatMul(Transpose(a), b)   becomes   MatMul(a, b) with transpose_x1 the other
// way round, and so for b.
//
// Applies when the Transpose swaps the last two axes and leaves the others: with a constant weight
// this saves a copy of it in every run.  A Transpose that others read too stays for them.
#include <algorithm>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

bool SwapsLastAxes(const Node& node) {
  if (node.type() != "Transpose") return false;
  const std::optional<std::vector<int64_t>> perm = ConstInts(node.input(1));
  if (!perm || perm->size() < 2) return false;
  std::vector<int64_t> swapped(perm->size());
  for (size_t i = 0; i < swapped.size(); ++i) swapped[i] = static_cast<int64_t>(i);
  std::swap(swapped[swapped.size() - 2], swapped.back());
  return *perm == swapped;
}

// Name of the attribute that says whether operand `i` is transposed; empty for other operators.
std::string_view TransposeAttr(const Node& node, size_t i) {
  if (node.type() == "MatMulV2") return i == 0 ? "transpose_x1" : "transpose_x2";
  if (node.type() == "BatchMatMulV2") return i == 0 ? "adj_x1" : "adj_x2";
  return {};
}

}  // namespace

Result<size_t> AbsorbTranspose(Graph& graph) {
  Removal removal(graph);
  size_t changes = 0;
  for (const auto& node : graph.nodes()) {
    for (size_t i = 0; i < 2; ++i) {
      const std::string_view attr = TransposeAttr(*node, i);
      if (attr.empty() || !node->input(i) || !SwapsLastAxes(*node->input(i).node)) continue;
      Node& transpose = *node->input(i).node;
      const bool before = AttrReader(*node).Bool(attr);
      node->attrs().Set(attr, !before);
      node->SetInput(i, transpose.input(0));
      removal.TakeNames(*node, transpose);
      ++changes;
    }
  }
  removal.Finish();
  return changes;
}

}  // namespace ge
