// FuseConvBias:  convolution -> Add of a constant, or Sub of one   becomes   the convolution with a
// bias, or with another bias.
//
// Applies when the constant has one number, or one per channel, and channel_affine.h allows it;
// what that does to precision is said there.
#include "passes/channel_affine.h"
#include "passes/pass.h"

namespace ge {
namespace {

int ShiftedInput(const Node& node) {
  return OperandBesideConst(node, "Add", "Sub");
}

std::optional<ChannelAffine> ReadShift(const Node& node, Value x, int64_t channels) {
  const size_t constant = node.input(0) == x ? 1 : 0;
  std::optional<std::vector<double>> shift = PerChannel(node.input(constant), x, channels);
  if (!shift) return std::nullopt;
  for (double& summand : *shift) {
    if (node.type() == "Sub") summand = -summand;
  }
  std::vector<double> scale(shift->size(), 1.0);
  return ChannelAffine{.scale = std::move(scale), .shift = std::move(*shift)};
}

}  // namespace

Result<size_t> FuseConvBias(Graph& graph) {
  return FuseIntoConvs(graph, ShiftedInput, ReadShift);
}

}  // namespace ge
