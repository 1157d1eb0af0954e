// FuseConvScale:  convolution -> Mul by a constant, or RealDiv by one   becomes   the convolution
// with other constants: filter' = filter * s per channel of the result, bias' = bias * s.
//
// Applies when the constant has one number, or one per channel, and channel_affine.h allows it;
// what that does to precision is said there.
#include "passes/channel_affine.h"
#include "passes/pass.h"

namespace ge {

Result<size_t> FuseConvScale(Graph& graph) {
  return FuseOperandsIntoConvs(graph, "Mul", "RealDiv", [](double number, bool divides) {
    return Affine{.scale = divides ? 1 / number : number};
  });
}

}  // namespace ge
