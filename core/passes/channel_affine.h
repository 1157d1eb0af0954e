#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

// Nodes that compute y = x * scale + shift with constants per channel, taken over by the
// convolution that gives x: filter' = filter * scale, bias' = bias * scale + shift.
//
// Conv2D, Conv3D and their transposed forms, grouped ones included, with the channels on axis 1.  A
// Squeeze of spatial axes may stand between (a convolution with one spatial axis is imported so).
// Applies when the node alone reads the result, the result is no output of the graph, and filter
// and bias (left out: 0) are constant.  Computed in double and rounded to the dtype of each
// constant.  Left alone where a constant would not be finite, or where the largest weight of a
// channel would lose bits as a subnormal number.
namespace ge {

// One number per channel.
struct ChannelAffine {
  std::vector<double> scale, shift;
};

// The input of a node that is x; -1 when it is none of the nodes looked for.
using AffineInputFn = std::function<int(const Node& node)>;
using ReadAffineFn =
    std::function<std::optional<ChannelAffine>(const Node& node, Value x, int64_t channels)>;

// Rewrites all of `graph`.  The convolution keeps its name and takes over the source names.
Result<size_t> FuseIntoConvs(Graph& graph, const AffineInputFn& input, const ReadAffineFn& read);

// What one number of a constant operand does to x: x * scale + shift.
struct Affine {
  double scale = 1, shift = 0;
};
// Rewrites `graph` for a `commutative` operator with a constant beside x, and an `inverse` one with
// a constant behind it, for which `affine` is called with true.
Result<size_t> FuseOperandsIntoConvs(Graph& graph, std::string_view commutative,
                                     std::string_view inverse, Affine (*affine)(double, bool));

// What `operand` has for each channel of `x`, when it broadcasts to x without making it larger and
// differs only along axis 1.
std::optional<std::vector<double>> PerChannel(Value operand, Value x, int64_t channels);

}  // namespace ge
