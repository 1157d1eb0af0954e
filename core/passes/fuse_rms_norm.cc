// FuseRmsNorm:  x / sqrt(mean(x^2) + epsilon) [* gamma]   becomes   RmsNorm(x, gamma)
//
// The mean is over the last axes and keeps them; gamma has the shape of those axes.  Applies when
// nobody else reads the values between.  RmsNorm sums in float64, so its results are the more exact
// ones.  Runs after FuseLayerNorm, whose pattern holds this one.
#include "ops/op_impl.h"
#include "passes/norm_pattern.h"
#include "passes/pass.h"

namespace ge {

Result<size_t> FuseRmsNorm(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& root = *graph.nodes()[i];
    if (root.type() != "Sqrt") continue;
    const std::optional<NormPattern> norm = FindNorm(root);
    if (!norm || !Takes("RmsNorm", norm->x.desc().dtype)) continue;
    Node* end = norm->scaled != nullptr ? norm->scaled : norm->quotient;
    const Value gamma = NormParam(graph, *norm, norm->gamma, 1);
    Node* rms_norm =
        ReplaceParts(removal, {norm->square, norm->mean, norm->sum, &root, norm->quotient, end},
                     "RmsNorm", {norm->x, gamma}, 2);
    rms_norm->attrs().Set("epsilon", static_cast<float>(norm->epsilon));
    GE_TRY(InferNode(*rms_norm));
  }
  return removal.Finish();
}

}  // namespace ge
