// RemoveNoOps: x -> operator -> y   becomes   x -> y, where the operator changes nothing: PadV3 of
// nothing, StridedSliceV2 of everything, Transpose that keeps the order of the axes, Expand and
// Tile to the own shape, views (Reshape, Squeeze, ...) of the own shape, SplitV into one piece, Mul
// and RealDiv by 1, Sub of +0, Add of -0 or (integers) 0.
//
// y has the dtype and the shape of x, which is known where the operator could change it.  Add of +0
// to floats stays: it makes -0 positive.  Outputs of the graph stay as RemoveIdentity leaves them.
#include <algorithm>
#include <cmath>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// Whether the constant holds nothing but `number`, sign of zero included.
bool AreAll(Value value, double number) {
  if (!value || !value.node->is_const()) return false;
  constexpr int64_t kMost = 4096;  // factors of 1 are short; long ones are weights
  const std::optional<int64_t> elements = value.desc().shape.elements();
  if (!elements || *elements == 0 || *elements > kMost) return false;
  const std::optional<std::vector<double>> numbers = ConstDoubles(value);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [&](double n) {
           return n == number && std::signbit(n) == std::signbit(number);
         });
}

bool AreAllInts(Value value, int64_t number) {
  const std::optional<std::vector<int64_t>> list = ConstInts(value);
  return list && std::all_of(list->begin(), list->end(), [&](int64_t n) { return n == number; });
}

// The input that an arithmetic node hands on; -1 when it computes something.
int NeutralInput(const Node& node) {
  const std::string& type = node.type();
  const bool is_float = IsFloat(node.output(0).dtype);
  if (type == "Mul" || type == "Add") {
    const double neutral = type == "Mul" ? 1.0 : is_float ? -0.0 : 0.0;
    if (AreAll(node.input(1), neutral)) return 0;
    return AreAll(node.input(0), neutral) ? 1 : -1;
  }
  if (type == "Sub") return AreAll(node.input(1), 0.0) ? 0 : -1;
  if (type == "RealDiv" || type == "Div") return AreAll(node.input(1), 1.0) ? 0 : -1;
  return -1;
}

bool IsInOrder(Value perm) {
  const std::optional<std::vector<int64_t>> list = ConstInts(perm);
  if (!list) return false;
  for (size_t i = 0; i < list->size(); ++i) {
    if ((*list)[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// The input that `node`, which gives the shape and dtype of it, hands on; -1 when there is none.
int PassedInput(const Node& node) {
  const std::string& type = node.type();
  const bool is_static = node.output(0).shape.is_static();
  if (type == "PadV3") return AreAllInts(node.input(1), 0) ? 0 : -1;
  if (type == "Transpose") return IsInOrder(node.input(1)) ? 0 : -1;
  if (type == "StridedSliceV2") {
    return is_static && (!node.input(4) || AreAllInts(node.input(4), 1)) ? 0 : -1;
  }
  if (type == "Expand" || type == "Tile") return is_static ? 0 : -1;
  if (type == "SplitV") return node.output_count() == 1 ? 0 : -1;
  if (type == "Identity" || type == "Dropout") return -1;  // RemoveIdentity's
  const OpImpl* impl = FindOpImpl(type);
  if (impl != nullptr && impl->view) return is_static ? 0 : -1;
  return NeutralInput(node);
}

}  // namespace

Result<size_t> RemoveNoOps(Graph& graph) {
  Removal removal(graph);
  for (const auto& node : graph.nodes()) {
    if (node->output_count() != 1 || node->input_count() == 0) continue;
    const int side = PassedInput(*node);
    if (side < 0) continue;
    const Value x = node->input(static_cast<size_t>(side));
    if (!LooksLike(*node, x)) continue;
    if (!MayBypass(node->out(), x)) continue;
    removal.Bypass(*node, x);
  }
  return removal.Finish();
}

}  // namespace ge
