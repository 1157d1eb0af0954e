#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"

namespace ge {

// Which axis of a source each axis of a tensor with the same elements is; -1 for axes of size 1,
// which may come from anywhere.  That is what Transpose does, and views that only put in, take away
// and move axes of size 1.  The source has no other axes but of size 1.
using AxisMap = std::vector<int>;

// Each axis is that axis.
AxisMap IdentityMap(const Shape& shape);
// `outer` of the tensor that `inner` gives.
AxisMap Compose(const AxisMap& outer, const AxisMap& inner);
// The map of a Transpose or a view; nullopt for others.  All sizes are known, and none is 0.
std::optional<AxisMap> AxisMapOf(const Node& node);

// The operators that a map takes.
struct AxisSteps {
  bool transpose = false;
  bool view = false;  // a Reshape, behind the Transpose

  int count() const { return int{transpose} + int{view}; }
};
AxisSteps StepsOf(const AxisMap& map, const Shape& source, const Shape& result);

// Adds them, named after `node`, whose result they give; the last of them, or `source` when there
// is none.  They stand last in the graph.
Result<Value> AddSteps(const Node& node, Value source, const AxisMap& map, const TensorDesc& desc);

}  // namespace ge
