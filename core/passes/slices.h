#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "kernels/slice.h"

namespace ge {

// What a StridedSliceV2 takes of each axis of its input; nullopt for other nodes, and where sizes
// or bounds are not known.
std::optional<std::vector<AxisSlice>> SlicesOf(const Node& node);

// Makes a StridedSliceV2 read `x` and take that of each axis.
void SetSlices(Node& slice, Value x, const std::vector<AxisSlice>& slices);

}  // namespace ge
