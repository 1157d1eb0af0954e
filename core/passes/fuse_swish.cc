// FuseSwish:  x * Sigmoid(x), x * Sigmoid(a * x)   becomes   Swish(x) with the scale 1 or a.
//
// Applies when nobody else reads the Sigmoid and a is a constant of one element.  Swish computes
// the same formula; float16 and bfloat16 are rounded once instead of after every step.
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

// The factor by which `value` is `x`; nullopt when it is no multiple of it.
std::optional<double> MultipleOf(Value value, Value x) {
  if (value == x) return 1;
  const Node* product = MadeBy(value, "Mul");
  return product == nullptr ? std::nullopt : ScalarOf(Beside(*product, x));
}

}  // namespace

Result<size_t> FuseSwish(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& sigmoid = *graph.nodes()[i];
    if (sigmoid.type() != "Sigmoid") continue;
    Node* product = OnlyReaderOfType(sigmoid, "Mul");
    if (product == nullptr) continue;
    const Value x = Beside(*product, sigmoid.out());
    const std::optional<double> scale = MultipleOf(sigmoid.input(0), x);
    if (!scale || !LooksLike(*product, x) || !Takes("Swish", x.desc().dtype)) continue;
    Node* swish = ReplaceParts(removal, {&sigmoid, product}, "Swish", {x});
    swish->attrs().Set("scale", static_cast<float>(*scale));
  }
  return removal.Finish();
}

}  // namespace ge
