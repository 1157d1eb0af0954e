#include "precision/cancellation.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "ops/op_impl.h"

namespace ge {
namespace {

// Longer ways from a reduction to the difference are not followed.
constexpr size_t kMostNodes = 8;

using Way = std::vector<const Node*>;

bool IsReduction(const Node& node) {
  return node.type() == "ReduceSum" || node.type() == "ReduceMean" ||
         node.type() == "GlobalAveragePool";
}

bool IsSquare(const Node& node) {
  if (node.type() == "Square") return true;
  if (node.type() == "Mul") return node.input(0) == node.input(1);
  if (node.type() != "Pow" || node.input(1).desc().shape.elements() != 1) return false;
  return ConstDoubles(node.input(1)) == std::vector<double>{2};
}

// The operand of which a node gives a multiple, or another view.
std::optional<Value> ScaledOperand(const Node& node) {
  const OpImpl* const impl = FindOpImpl(node.type());
  const bool is_view = impl != nullptr && impl->view && node.type() != "Bitcast";
  if (is_view || node.type() == "Expand") return node.input(0);
  const bool is_product = node.type() == "Mul", is_quotient = node.type() == "RealDiv";
  if ((is_product || is_quotient) && node.input(1).node->is_const()) return node.input(0);
  if (is_product && node.input(0).node->is_const()) return node.input(1);
  return std::nullopt;
}

// The nodes from `value` back to a reduction, which is the last one; empty when there is none.
Way WayFromReduction(Value value) {
  Way way;
  while (way.size() < kMostNodes) {
    way.push_back(value.node);
    if (IsReduction(*value.node)) return way;
    const std::optional<Value> operand = ScaledOperand(*value.node);
    if (!operand) return {};
    value = *operand;
  }
  return {};
}

// The nodes of mean(x^2), with that of the square.
Way WayOfMeanSquare(Value value) {
  Way way = WayFromReduction(value);
  if (way.empty()) return way;
  const Node* const square = way.back()->input(0).node;
  if (!IsSquare(*square)) return {};
  way.push_back(square);
  return way;
}

// The nodes of mean(x)^2.
Way WayOfSquaredMean(Value value) {
  Way outer;
  while (outer.size() < kMostNodes) {
    outer.push_back(value.node);
    if (IsSquare(*value.node)) {
      const Way inner = WayFromReduction(value.node->input(0));
      if (inner.empty()) return {};
      outer.insert(outer.end(), inner.begin(), inner.end());
      return outer;
    }
    const std::optional<Value> operand = ScaledOperand(*value.node);
    if (!operand) return {};
    value = *operand;
  }
  return {};
}

}  // namespace

std::unordered_set<const Node*> FindCancellations(const Graph& graph) {
  std::unordered_set<const Node*> kept;
  for (const auto& node : graph.nodes()) {
    if (node->type() != "Sub" || node->output(0).dtype != DataType::kFloat) continue;
    for (const size_t first : {0, 1}) {
      const Way mean_square = WayOfMeanSquare(node->input(first));
      const Way squared_mean = WayOfSquaredMean(node->input(1 - first));
      if (mean_square.empty() || squared_mean.empty()) continue;
      kept.insert(node.get());
      kept.insert(mean_square.begin(), mean_square.end());
      kept.insert(squared_mean.begin(), squared_mean.end());
    }
  }
  return kept;
}

}  // namespace ge
