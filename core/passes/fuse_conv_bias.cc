// FuseConvBias:  convolution -> Add of a constant, or Sub of one   becomes   the convolution with a
// bias, or with another bias.
//
// Applies when the constant has one number, or one per channel, and channel_affine.h allows it;
// what that does to precision is said there.
#include "passes/channel_affine.h"
#include "passes/pass.h"

namespace ge {

Result<size_t> FuseConvBias(Graph& graph) {
  return FuseOperandsIntoConvs(graph, "Add", "Sub", [](double number, bool subtracts) {
    return Affine{.shift = subtracts ? -number : number};
  });
}

}  // namespace ge
