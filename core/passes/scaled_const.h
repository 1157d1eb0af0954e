#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.h"

// Constants of floats times numbers that are known when a model is compiled.
namespace ge {

bool IsScalableFloat(DataType dtype);

// What the elements of one row are multiplied by, and the channel it belongs to.
struct RowScale {
  double scale;
  size_t channel;
};

// The constant, cut into rows of equal length, times the scale of each.  Computed in double and
// rounded once, when it is written, since weights are large.  nullopt when some number would not be
// finite, or when the largest one of a channel would lose bits as a subnormal number.
std::optional<Buffer> ScaledConst(const Node& constant, std::vector<RowScale> rows,
                                  size_t channels);

// The bytes of `numbers` in that dtype; empty when one would not be finite.
std::vector<uint8_t> Rounded(const std::vector<double>& numbers, DataType dtype);

}  // namespace ge
