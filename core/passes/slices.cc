#include "passes/slices.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "passes/rewrite.h"

namespace ge {

std::optional<std::vector<AxisSlice>> SlicesOf(const Node& node) {
  if (node.type() != "StridedSliceV2") return std::nullopt;
  const Shape& x = node.input(0).desc().shape;
  const auto begin = ConstInts(node.input(1)), end = ConstInts(node.input(2));
  const auto axes = ConstInts(node.input(3)), strides = ConstInts(node.input(4));
  if (!x.is_static() || !begin || !end) return std::nullopt;
  if ((node.input(3) && !axes) || (node.input(4) && !strides)) return std::nullopt;
  std::vector<AxisSlice> slices;
  for (const int64_t dim : x.dims()) slices.push_back({.first = 0, .step = 1, .count = dim});
  for (size_t i = 0; i < begin->size(); ++i) {
    const size_t axis = axes ? *NormalizeAxis((*axes)[i], x.rank()) : i;
    slices[axis] = ClampSlice(x[axis], (*begin)[i], (*end)[i], strides ? (*strides)[i] : 1);
  }
  return slices;
}

void SetSlices(Node& slice, Value x, const std::vector<AxisSlice>& slices) {
  std::vector<int64_t> begin, end, axes, strides;
  for (size_t axis = 0; axis < slices.size(); ++axis) {
    const auto& [first, step, count] = slices[axis];
    const int64_t dim = x.desc().shape[axis];
    if (first == 0 && step == 1 && count == dim) continue;
    const int64_t last = first + step * count;
    begin.push_back(first);
    end.push_back(last < 0 ? last - dim : last);  // negative bounds count from the end
    axes.push_back(static_cast<int64_t>(axis));
    strides.push_back(step);
  }
  Graph& graph = slice.graph();
  const auto list = [&](std::string_view name, const std::vector<int64_t>& numbers) {
    return AddIntList(graph, slice.name() + "/" + std::string(name), numbers);
  };
  while (slice.input_count() < 5) slice.AddInput({});
  slice.SetInput(0, x);
  slice.SetInput(1, list("begin", begin));
  slice.SetInput(2, list("end", end));
  slice.SetInput(3, list("axes", axes));
  slice.SetInput(4, list("strides", strides));
}

}  // namespace ge
