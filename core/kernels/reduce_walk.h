#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/broadcast.h"

namespace ge {

// `shape` with the given axes, counted from either end and all in range, set to 1.  No axes: all.
Shape KeepDims(const Shape& shape, std::span<const int64_t> axes);

// Calls visit(group, element) for the elements of a tensor of `shape` in order, where `group` is
// the element's place in a tensor of shape `kept`: the result of a reduction that keeps its dims.
template <typename Visit>
void WalkGroups(const Shape& shape, const Shape& kept, Visit visit) {
  const HostTensor groups{.shape = kept};
  for (BroadcastRows rows(shape, std::span(&groups, 1)); rows; rows.Next()) {
    int64_t group = rows.start(0), element = rows.start();
    for (int64_t i = 0; i < rows.size(); ++i, ++element, group += rows.step(0)) {
      visit(group, element);
    }
  }
}

// A tensor cut at one axis: outer x size x inner elements.
struct AxisSplit {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;
};
AxisSplit SplitAt(const Shape& shape, size_t axis);
// The same for all axes that `kept` has as 1, when no other axis longer than 1 is between them.
std::optional<AxisSplit> SplitAtBlock(const Shape& shape, const Shape& kept);

}  // namespace ge
