#include "kernels/reduce_walk.h"

namespace ge {

Shape KeepDims(const Shape& shape, std::span<const int64_t> axes) {
  if (axes.empty()) return Shape(std::vector<int64_t>(shape.rank(), 1));
  Shape kept = shape;
  for (const int64_t axis : axes) kept[*NormalizeAxis(axis, shape.rank())] = 1;
  return kept;
}

AxisSplit SplitAt(const Shape& shape, size_t axis) {
  AxisSplit split;
  for (size_t i = 0; i < shape.rank(); ++i) {
    (i < axis ? split.outer : i == axis ? split.size : split.inner) *= shape[i];
  }
  return split;
}

std::optional<AxisSplit> SplitAtBlock(const Shape& shape, const Shape& kept) {
  AxisSplit split;
  bool seen = false, left = false;
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] == 1) continue;
    const bool reduced = kept[i] == 1;
    if (reduced && left) return std::nullopt;
    (reduced ? split.size : seen ? split.inner : split.outer) *= shape[i];
    left = seen && !reduced;
    seen = seen || reduced;
  }
  return split;
}

}  // namespace ge
