// MergeCasts: x -> Cast -> Cast   becomes   x -> Cast, or x where the second one goes back.
//
// Applies when the first Cast loses nothing: its dtype holds every value of the dtype of x.
#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// The numbers that a dtype has.
struct Range {
  int digits = 0;    // bits of a number without its sign; 0 for dtypes that are not compared
  int exponent = 0;  // bits of the exponent; 0 for integers
  bool is_signed = false;
};
Range RangeOf(DataType dtype) {
  switch (dtype) {
    case DataType::kBool:
      return {1, 0, false};
    case DataType::kInt8:
      return {7, 0, true};
    case DataType::kUint8:
      return {8, 0, false};
    case DataType::kInt16:
      return {15, 0, true};
    case DataType::kUint16:
      return {16, 0, false};
    case DataType::kInt32:
      return {31, 0, true};
    case DataType::kUint32:
      return {32, 0, false};
    case DataType::kInt64:
      return {63, 0, true};
    case DataType::kUint64:
      return {64, 0, false};
    case DataType::kFloat16:
      return {11, 5, true};
    case DataType::kBf16:
      return {8, 8, true};
    case DataType::kFloat:
      return {24, 8, true};
    case DataType::kDouble:
      return {53, 11, true};
    default:
      return {};
  }
}

bool HoldsAll(DataType wide, DataType narrow) {
  const Range a = RangeOf(wide), b = RangeOf(narrow);
  if (a.digits == 0 || b.digits == 0 || wide == DataType::kBool) return false;
  return a.digits >= b.digits && a.exponent >= b.exponent && (a.is_signed || !b.is_signed);
}

}  // namespace

Result<size_t> MergeCasts(Graph& graph) {
  Removal removal(graph);
  size_t changes = 0;
  for (const auto& node : graph.nodes()) {
    if (node->type() != "Cast" || node->input(0).node->type() != "Cast") continue;
    Node& first = *node->input(0).node;
    const Value x = first.input(0);
    if (!HoldsAll(first.output(0).dtype, x.desc().dtype)) continue;
    const bool goes_back = node->output(0).dtype == x.desc().dtype;
    if (goes_back && !MayBypass(node->out(), x)) continue;
    removal.TakeNames(*node, first);
    if (goes_back) {
      removal.Bypass(*node, x);
    } else {
      node->SetInput(0, x);
    }
    if (!first.has_uses() && !removal.Has(first)) removal.Add(first);
    ++changes;
  }
  removal.Finish();
  return changes;
}

}  // namespace ge
