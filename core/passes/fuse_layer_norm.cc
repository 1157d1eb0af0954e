// FuseLayerNorm:  d = x - mean(x)    d / sqrt(mean(d^2) + epsilon) [* gamma [+ beta]]
//                 becomes   LayerNorm(x, gamma, beta)
//
// The means are over the last axes and keep them; gamma and beta have the shape of those axes.
// Applies when nobody else reads the values between.  LayerNorm sums in float64, so its results
// are the more exact ones.
#include "ops/op_impl.h"
#include "passes/norm_pattern.h"
#include "passes/pass.h"

namespace ge {
namespace {

// Whether `difference` has readers besides those of the pattern: its square, twice where that is a
// product, and the quotient.
bool IsReadElsewhere(Node& difference, const NormPattern& norm) {
  for (const Use& use : difference.uses(0)) {
    if (use.node != norm.square && use.node != norm.quotient) return true;
  }
  return false;
}

}  // namespace

Result<size_t> FuseLayerNorm(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& root = *graph.nodes()[i];
    if (root.type() != "Sqrt") continue;
    std::optional<NormPattern> norm = FindNorm(root);
    Node* difference = norm ? MadeBy(norm->x, "Sub") : nullptr;
    if (difference == nullptr || IsReadElsewhere(*difference, *norm)) continue;
    const Value x = difference->input(0);
    Node* mean = MadeBy(difference->input(1), "ReduceMean");
    const std::optional<std::vector<size_t>> axes = KeptAxes(mean, "ReduceMean");
    if (!axes || mean->input(0) != x || axes != KeptAxes(norm->mean, "ReduceMean")) continue;
    if (!Takes("LayerNorm", x.desc().dtype) || !LooksLike(*difference, x)) continue;
    const Value gamma = NormParam(graph, *norm, norm->gamma, 1);
    const Value beta = NormParam(graph, *norm, norm->beta, 0);
    Node* end = norm->shifted != nullptr  ? norm->shifted
                : norm->scaled != nullptr ? norm->scaled
                                          : norm->quotient;
    Node* scaled = norm->scaled != nullptr ? norm->scaled : norm->quotient;
    Node* layer_norm = ReplaceParts(
        removal,
        {mean, difference, norm->square, norm->mean, norm->sum, &root, norm->quotient, scaled, end},
        "LayerNorm", {x, gamma, beta}, 3);
    const int64_t begin = static_cast<int64_t>(norm->begin);
    layer_norm->attrs().Set("begin_norm_axis", begin);
    layer_norm->attrs().Set("begin_params_axis", begin);
    layer_norm->attrs().Set("epsilon", static_cast<float>(norm->epsilon));
    GE_TRY(InferNode(*layer_norm));
  }
  return removal.Finish();
}

}  // namespace ge
