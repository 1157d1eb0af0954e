// FuseGelu:  x * 0.5 * (1 + erf(x / sqrt(2)))                                  becomes   GeluV2(x)
//            x * 0.5 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))         becomes   Gelu(x)
//
// The products may stand in any order; x^3 is a Pow, or products of x; x / sqrt(2) may be a
// product. Applies when the numbers are those, to the precision of their dtype, and when nobody
// else reads the values from Erf or Tanh on.  GeluV2 and Gelu compute the same formula; float16 and
// bfloat16 are rounded once instead of after every step.
#include <cmath>
#include <numbers>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

// x^3 as exporters write it.
bool IsCube(Value value, Value x) {
  if (const Node* power = MadeBy(value, "Pow")) {
    return power->input(0) == x && IsScalar(power->input(1), 3);
  }
  const Node* product = MadeBy(value, "Mul");
  if (product == nullptr) return false;
  const Node* square = MadeBy(Beside(*product, x), "Mul");
  return square != nullptr && square->input(0) == x && square->input(1) == x;
}

// x of tanh(value) when value is sqrt(2 / pi) * (x + 0.044715 * x^3).
Value TanhArgument(Value value) {
  const Node* sum = MadeBy(ScaledBy(value, std::sqrt(2 * std::numbers::inv_pi)), "Add");
  if (sum == nullptr) return {};
  for (size_t i = 0; i < 2; ++i) {
    const Value x = sum->input(i);
    const Value cube = ScaledBy(sum->input(1 - i), 0.044715);
    if (cube && IsCube(cube, x)) return x;
  }
  return {};
}

// The node that gives x * 0.5 * (1 + inner), and those on the way to it.
struct HalfProduct {
  Node* sum = nullptr;      // 1 + inner
  Node* product = nullptr;  // the sum times something
  Node* end = nullptr;
};
std::optional<HalfProduct> FindHalfProduct(Node& inner, Value x) {
  HalfProduct found;
  found.sum = OnlyReaderOfType(inner, "Add");
  if (!BesideScalar(found.sum, "Add", 1)) return std::nullopt;
  found.product = OnlyReaderOfType(*found.sum, "Mul");
  if (found.product == nullptr) return std::nullopt;
  const Value other = Beside(*found.product, found.sum->out());
  if (other != x && !IsScalar(other, 0.5)) {
    found.end = found.product;
    return ScaledBy(other, 0.5) == x ? std::optional(found) : std::nullopt;
  }
  found.end = OnlyReader(found.product->out());
  if (found.end == nullptr) return std::nullopt;
  const bool complete =
      other == x ? ScaledBy(found.end->out(), 0.5) == found.product->out()
                 : found.end->type() == "Mul" && Beside(*found.end, found.product->out()) == x;
  return complete ? std::optional(found) : std::nullopt;
}

}  // namespace

Result<size_t> FuseGelu(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& inner = *graph.nodes()[i];
    const bool is_erf = inner.type() == "Erf";
    if ((!is_erf && inner.type() != "Tanh") || removal.Has(inner)) continue;
    const Value argument = inner.input(0);
    const Value x = is_erf ? ScaledBy(argument, 1 / std::numbers::sqrt2) : TanhArgument(argument);
    if (!x) continue;
    const std::string_view type = is_erf ? "GeluV2" : "Gelu";
    const std::optional<HalfProduct> found = FindHalfProduct(inner, x);
    if (!found || !LooksLike(*found->end, x) || !Takes(type, x.desc().dtype)) continue;
    ReplaceParts(removal, {argument.node, &inner, found->sum, found->product, found->end}, type,
                 {x});
  }
  return removal.Finish();
}

}  // namespace ge
