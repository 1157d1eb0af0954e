// FuseSoftmax:  e = exp(x - max(x))    e / sum(e)   becomes   SoftmaxV2(x)
//
// Maximum and sum are over the same axes and keep them.  Applies when nobody else reads the values
// between.  SoftmaxV2 computes the same formula.
#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

bool IsNaturalExp(const Node& exp) {
  const AttrReader attrs(exp);
  return attrs.Float("base") == -1.0f && attrs.Float("scale") == 1.0f &&
         attrs.Float("shift") == 0.0f;
}

}  // namespace

Result<size_t> FuseSoftmax(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& quotient = *graph.nodes()[i];
    if (quotient.type() != "RealDiv") continue;
    Node* exp = MadeBy(quotient.input(0), "Exp");
    Node* sum = MadeBy(quotient.input(1), "ReduceSum");
    const std::optional<std::vector<size_t>> axes = KeptAxes(sum, "ReduceSum");
    if (exp == nullptr || !axes || sum->input(0) != exp->out() || exp->uses(0).size() != 2 ||
        OnlyReader(sum->out()) == nullptr || !IsNaturalExp(*exp)) {
      continue;
    }
    Node* difference = MadeBy(exp->input(0), "Sub");
    if (difference == nullptr || OnlyReader(difference->out()) == nullptr) continue;
    const Value x = difference->input(0);
    Node* maximum = MadeBy(difference->input(1), "ReduceMax");
    if (KeptAxes(maximum, "ReduceMax") != axes || maximum->input(0) != x) continue;
    if (!Takes("SoftmaxV2", x.desc().dtype) || !LooksLike(quotient, x)) continue;
    Node* softmax =
        ReplaceParts(removal, {maximum, difference, exp, sum, &quotient}, "SoftmaxV2", {x});
    softmax->attrs().Set("axes", std::vector<int64_t>(axes->begin(), axes->end()));
  }
  return removal.Finish();
}

}  // namespace ge
