// FuseMaskedSoftmax:  softmax(x * s + bias + mask)   becomes   MaskedSoftmaxWithRelPosBias
//
//   x [G, N, S1, S2] or [B, W, N, S1, S2]    bias [N, S1, S2], and dims of 1 before
//   mask [W, 1, S1, S2], and dims of 1 before; W divides G
//
// The attention of windows, as Swin transformers have it: every head has a bias, and every window
// may have a mask, for which views part the windows from the batch and join them again.  s is a
// constant number.  Applies when nobody else reads the values between, with the terms in any order;
// a bias has to be there, since the operator requires one: masks of padding, [B, 1, 1, S2], stay.
// So do constants that float16 cannot hold, next to which precision keeps what it needs.  The
// operator computes the same formula; float16 and bfloat16 are rounded once.
#include <algorithm>
#include <cmath>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

constexpr double kLargestFp16 = 65504;

// The operands that were found, and the nodes that the operator takes the place of.
struct Terms {
  Value x, mask, bias;
  double scale = 1;
  std::vector<Node*> parts;  // against the order of the source
};

int64_t FromBehind(const Shape& shape, size_t i) {
  return shape[shape.rank() - i];
}

// Whether all dims of `shape` but the last `kept` are 1.
bool LeadsWithOnes(const Shape& shape, size_t kept) {
  const auto dims = shape.dims();
  return std::all_of(dims.begin(), dims.end() - static_cast<ptrdiff_t>(kept),
                     [](int64_t dim) { return dim == 1; });
}

// Whether the last two dims are those of `sum`.
bool HasRows(const Shape& shape, const Shape& sum) {
  return FromBehind(shape, 1) == FromBehind(sum, 1) && FromBehind(shape, 2) == FromBehind(sum, 2);
}

bool IsBias(const Shape& shape, const Shape& sum) {
  return shape.rank() >= 3 && HasRows(shape, sum) && FromBehind(shape, 3) == FromBehind(sum, 3) &&
         LeadsWithOnes(shape, 3);
}

bool IsMask(const Shape& shape, const Shape& sum) {
  return shape.rank() >= 4 && HasRows(shape, sum) && FromBehind(shape, 3) == 1 &&
         FromBehind(shape, 4) == FromBehind(sum, 4) && LeadsWithOnes(shape, 4);
}

bool FitsFp16(Value value) {
  const std::optional<std::vector<double>> numbers = ConstDoubles(value);
  return !numbers || std::none_of(numbers->begin(), numbers->end(), [](double number) {
    return std::isfinite(number) && std::abs(number) > kLargestFp16;
  });
}

// Takes one term off the sum that `node` makes; the rest of the sum, or null when it is none.
Value TakeTerm(const Node& node, Terms& terms) {
  const Shape& sum = node.output(0).shape;
  for (const size_t i : {1, 0}) {
    const Value term = node.input(i);
    if (term.desc().shape.unknown_rank() || !term.desc().shape.is_static() || !FitsFp16(term)) {
      continue;
    }
    Value* const place = IsBias(term.desc().shape, sum)   ? &terms.bias
                         : IsMask(term.desc().shape, sum) ? &terms.mask
                                                          : nullptr;
    const Value rest = node.input(1 - i);
    if (place == nullptr || *place || rest.desc().shape != sum) continue;
    *place = term;
    return rest;
  }
  return {};
}

// What is behind a view that leaves the last three dims alone; null for another node.
Value BehindView(const Node& node) {
  const OpImpl* const impl = FindOpImpl(node.type());
  if (impl == nullptr || !impl->view || node.type() == "Bitcast") return {};
  const Shape& before = node.input(0).desc().shape;
  const Shape& after = node.output(0).shape;
  if (!before.is_static() || before.rank() < 4 || after.rank() < 4) return {};
  const bool same = HasRows(before, after) && FromBehind(before, 3) == FromBehind(after, 3);
  return same ? node.input(0) : Value{};
}

// A constant factor of the innermost value.
void TakeScale(Terms& terms) {
  Node* const node = terms.x.node;
  if (OnlyReader(terms.x) == nullptr) return;
  for (const size_t i : {0, 1}) {
    const bool is_quotient = node->type() == "RealDiv";
    if (!is_quotient && node->type() != "Mul") return;
    const std::optional<double> number = ScalarOf(node->input(1 - i));
    const bool is_divided = is_quotient && (i == 1 || number == 0);
    if (!number || is_divided || !LooksLike(*node, node->input(i))) continue;
    terms.scale = is_quotient ? 1 / *number : *number;
    terms.x = node->input(i);
    terms.parts.push_back(node);
    return;
  }
}

std::optional<Terms> FindTerms(Node& softmax) {
  const Shape& shape = softmax.output(0).shape;
  if (!shape.is_static() || shape.rank() < 4 || shape.rank() > 5) return std::nullopt;
  const std::vector<int64_t> axes = AttrReader(softmax).Ints("axes");
  const auto last = static_cast<int64_t>(shape.rank()) - 1;
  if (axes.size() != 1 || (axes[0] != -1 && axes[0] != last)) return std::nullopt;
  Terms terms;
  terms.x = softmax.input(0);
  terms.parts.push_back(&softmax);
  std::optional<Terms> found;
  while (OnlyReader(terms.x) != nullptr) {
    Node& node = *terms.x.node;
    const Value rest = node.type() == "Add" ? TakeTerm(node, terms) : BehindView(node);
    if (!rest) break;
    terms.parts.push_back(&node);
    terms.x = rest;
    if (terms.bias && LooksLike(softmax, rest)) found = terms;
  }
  if (found) TakeScale(*found);
  return found;
}

}  // namespace

Result<size_t> FuseMaskedSoftmax(Graph& graph) {
  constexpr std::string_view kType = "MaskedSoftmaxWithRelPosBias";
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& softmax = *graph.nodes()[i];
    if (softmax.type() != "SoftmaxV2" || !Takes(kType, softmax.output(0).dtype)) continue;
    std::optional<Terms> terms = FindTerms(softmax);
    if (!terms) continue;
    std::reverse(terms->parts.begin(), terms->parts.end());
    Node* const fused =
        ReplaceParts(removal, terms->parts, kType, {terms->x, terms->mask, terms->bias});
    fused->attrs().Set("scale_value", static_cast<float>(terms->scale));
  }
  return removal.Finish();
}

}  // namespace ge
