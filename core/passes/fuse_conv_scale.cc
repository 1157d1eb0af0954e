// FuseConvScale:  convolution -> Mul by a constant, or RealDiv by one   becomes   the convolution
// with other constants: filter' = filter * s per channel of the result, bias' = bias * s.
//
// Applies when the constant has one number, or one per channel, and channel_affine.h allows it;
// what that does to precision is said there.
#include "passes/channel_affine.h"
#include "passes/pass.h"

namespace ge {
namespace {

int ScaledInput(const Node& node) {
  return OperandBesideConst(node, "Mul", "RealDiv");
}

std::optional<ChannelAffine> ReadScale(const Node& node, Value x, int64_t channels) {
  const size_t constant = node.input(0) == x ? 1 : 0;
  std::optional<std::vector<double>> scale = PerChannel(node.input(constant), x, channels);
  if (!scale) return std::nullopt;
  for (double& factor : *scale) {
    if (node.type() == "RealDiv") factor = 1 / factor;
  }
  std::vector<double> shift(scale->size(), 0.0);
  return ChannelAffine{.scale = std::move(*scale), .shift = std::move(shift)};
}

}  // namespace

Result<size_t> FuseConvScale(Graph& graph) {
  return FuseIntoConvs(graph, ScaledInput, ReadScale);
}

}  // namespace ge
