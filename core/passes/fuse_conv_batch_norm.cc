// FuseConvBatchNorm:  convolution -> BNInfer   becomes   the convolution with other constants.
//
//   s = scale / sqrt(variance + epsilon)                                       [channels]
//   filter' = filter * s per channel of the result        bias' = (bias - mean) * s + offset
//
// Applies when the four vectors of BNInfer are constant and channel_affine.h allows it; what that
// does to precision is said there.
#include <cmath>

#include "ops/op_impl.h"
#include "passes/channel_affine.h"
#include "passes/pass.h"

namespace ge {
namespace {

int NormalizedInput(const Node& node) {
  return node.type() == "BNInfer" ? 0 : -1;
}

std::optional<ChannelAffine> ReadBatchNorm(const Node& node, Value, int64_t channels) {
  enum { kScale = 1, kOffset, kMean, kVariance, kEnd };
  std::vector<double> vectors[kEnd];
  for (size_t i = kScale; i < kEnd; ++i) {
    std::optional<std::vector<double>> values = ConstDoubles(node.input(i));
    if (!values || values->size() != static_cast<size_t>(channels)) return std::nullopt;
    vectors[i] = std::move(*values);
  }
  const double epsilon = static_cast<double>(AttrReader(node).Float("epsilon"));
  ChannelAffine affine;
  for (size_t i = 0; i < vectors[kScale].size(); ++i) {
    const double scale = vectors[kScale][i] / std::sqrt(vectors[kVariance][i] + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(vectors[kOffset][i] - vectors[kMean][i] * scale);
  }
  return affine;
}

}  // namespace

Result<size_t> FuseConvBatchNorm(Graph& graph) {
  return FuseIntoConvs(graph, NormalizedInput, ReadBatchNorm);
}

}  // namespace ge
