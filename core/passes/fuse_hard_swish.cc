// FuseHardSwish:  x * clip(x + 3, 0, 6) / 6, x * HardSigmoid(x)   becomes   HardSwish(x)
//                 clip(x + 3, 0, 6) / 6                           becomes   HardSigmoid(x)
//
// The product and the division may stand in any order, the division may be a product with 1 / 6.
// Applies when the numbers are those, to the precision of their dtype, and nobody else reads the
// values between.  The results differ by the rounding of single steps.
#include <cmath>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

constexpr double kSixth = 1.0 / 6;

bool IsSixthPlusHalf(const Node& sigmoid) {
  const AttrReader attrs(sigmoid);
  const auto near = [](float value, double expected) {
    return std::fabs(static_cast<double>(value) - expected) <= 1e-6;
  };
  return near(attrs.Float("alpha"), kSixth) && near(attrs.Float("beta"), 0.5);
}

// The reader of `node` that divides it by 6.
Node* SixthOf(Node& node) {
  Node* reader = OnlyReader(node.out());
  return reader != nullptr && ScaledBy(reader->out(), kSixth) == node.out() ? reader : nullptr;
}

// The reader of `node` that multiplies it by `x`.
Node* ProductWith(Node& node, Value x) {
  Node* reader = OnlyReaderOfType(node, "Mul");
  return reader != nullptr && Beside(*reader, node.out()) == x ? reader : nullptr;
}

void FuseClip(Removal& removal, Node& clip) {
  if (!IsScalar(clip.input(1), 0) || !IsScalar(clip.input(2), 6)) return;
  Node* sum = MadeBy(clip.input(0), "Add");
  const Value x = BesideScalar(sum, "Add", 3);
  if (!x) return;
  Node* sixth = SixthOf(clip);
  Node* product = ProductWith(sixth != nullptr ? *sixth : clip, x);
  if (product != nullptr && sixth == nullptr) {
    sixth = SixthOf(*product);
    if (sixth == nullptr || !LooksLike(*sixth, x)) return;
    ReplaceParts(removal, {sum, &clip, product, sixth}, "HardSwish", {x});
    return;
  }
  if (sixth == nullptr) return;
  if (product != nullptr && LooksLike(*product, x)) {
    ReplaceParts(removal, {sum, &clip, sixth, product}, "HardSwish", {x});
    return;
  }
  if (!LooksLike(*sixth, x)) return;
  Node* sigmoid = ReplaceParts(removal, {sum, &clip, sixth}, "HardSigmoid", {x});
  sigmoid->attrs().Set("alpha", static_cast<float>(kSixth));
  sigmoid->attrs().Set("beta", 0.5f);
}

}  // namespace

Result<size_t> FuseHardSwish(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& node = *graph.nodes()[i];
    const bool is_clip = node.type() == "ClipByValue";
    if (removal.Has(node) || (!is_clip && node.type() != "HardSigmoid") ||
        !Takes("HardSwish", node.output(0).dtype)) {
      continue;
    }
    if (is_clip) {
      FuseClip(removal, node);
    } else if (IsSixthPlusHalf(node)) {
      const Value x = node.input(0);
      Node* product = ProductWith(node, x);
      if (product == nullptr || !LooksLike(*product, x)) continue;
      ReplaceParts(removal, {&node, product}, "HardSwish", {x});
    }
  }
  return removal.Finish();
}

}  // namespace ge
