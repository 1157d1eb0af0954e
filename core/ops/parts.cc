#include "ops/parts.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/slice.h"
#include "ops/op_impl.h"

namespace ge {
namespace {

std::vector<AxisSlice> WholeOf(const Shape& x) {
  std::vector<AxisSlice> slices;
  for (const int64_t dim : x.dims()) slices.push_back({.first = 0, .step = 1, .count = dim});
  return slices;
}

// The part of input `input` that has slices[i] of axis i, when its elements follow each other.
std::optional<Part> RunOf(const Node& node, size_t input, std::span<const AxisSlice> slices) {
  const Shape& x = node.input(input).desc().shape;
  int64_t first = 0;
  bool whole = true;  // of the axes behind
  int64_t stride = 1;
  for (size_t axis = x.rank(); axis-- > 0;) {
    const AxisSlice& slice = slices[axis];
    if (slice.count != 1 && (slice.step != 1 || !whole)) return std::nullopt;
    whole = whole && slice.count == x[axis];
    first += slice.first * stride;
    stride *= x[axis];
  }
  return Part{input, first};
}

std::optional<Part> PartOfSlice(const Node& node, size_t) {
  const Shape& x = node.input(0).desc().shape;
  const auto begin = ConstInts(node.input(1)), end = ConstInts(node.input(2));
  if (!begin || !end) return std::nullopt;
  std::vector<int64_t> axes, strides(begin->size(), 1);
  for (size_t i = 0; i < begin->size(); ++i) axes.push_back(static_cast<int64_t>(i));
  for (const auto& [input, list] : {std::pair(3, &axes), std::pair(4, &strides)}) {
    const Value given = node.input(static_cast<size_t>(input));
    if (!given) continue;
    auto values = ConstInts(given);
    if (!values) return std::nullopt;
    *list = std::move(*values);
  }
  std::vector<AxisSlice> slices = WholeOf(x);
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = *NormalizeAxis(axes[i], x.rank());
    slices[axis] = ClampSlice(x[axis], (*begin)[i], (*end)[i], strides[i]);
  }
  return RunOf(node, 0, slices);
}

// Output `output`, which lies behind those before it on the axis.
std::optional<Part> PartOfSplit(const Node& node, size_t output, size_t x, size_t axis_input) {
  const Shape& shape = node.input(x).desc().shape;
  const std::optional<std::vector<int64_t>> axis = ConstInts(node.input(axis_input));
  if (!axis || axis->size() != 1) return std::nullopt;
  const size_t index = *NormalizeAxis((*axis)[0], shape.rank());
  std::vector<AxisSlice> slices = WholeOf(shape);
  slices[index].count = 0;
  for (size_t i = 0; i <= output; ++i) {
    slices[index].first += slices[index].count;
    slices[index].count = node.output(i).shape[index];
  }
  return RunOf(node, x, slices);
}

// One slice of a constant index that lies in x.
std::optional<Part> PartOfGather(const Node& node, size_t) {
  const Shape& x = node.input(0).desc().shape;
  const auto indices = ConstInts(node.input(1)), axis = ConstInts(node.input(2));
  if (!indices || indices->size() != 1 || !axis || axis->size() != 1) return std::nullopt;
  const size_t at = *NormalizeAxis((*axis)[0], x.rank());
  int64_t index = (*indices)[0];
  if (index < 0 && AttrReader(node).Bool("negative_index_support")) index += x[at];
  if (index < 0 || index >= x[at]) return std::nullopt;
  std::vector<AxisSlice> slices = WholeOf(x);
  slices[at] = {.first = index, .step = 1, .count = 1};
  return RunOf(node, 0, slices);
}

// All of x, where only axes of length 1 move.
std::optional<Part> PartOfTranspose(const Node& node, size_t) {
  const Shape& x = node.input(0).desc().shape;
  const std::optional<std::vector<int64_t>> perm = ConstInts(node.input(1));
  if (!perm) return std::nullopt;
  size_t last = 0;
  for (const int64_t entry : *perm) {
    const size_t axis = *NormalizeAxis(entry, x.rank());
    if (x[axis] == 1) continue;
    if (axis < last) return std::nullopt;
    last = axis;
  }
  return Part{0, 0};
}

struct Row {
  std::string_view type;
  std::optional<Part> (*part_of)(const Node& node, size_t output);
};
constexpr Row kRows[] = {
    {"GatherV2", PartOfGather},
    {"Split", [](const Node& node, size_t output) { return PartOfSplit(node, output, 1, 0); }},
    {"SplitV", [](const Node& node, size_t output) { return PartOfSplit(node, output, 0, 2); }},
    {"StridedSliceV2", PartOfSlice},
    {"Transpose", PartOfTranspose},
};

bool HasStaticShapes(const Node& node) {
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i) && !node.input(i).desc().shape.elements()) return false;
  }
  for (size_t i = 0; i < node.output_count(); ++i) {
    if (!node.output(i).shape.elements()) return false;
  }
  return true;
}

}  // namespace

std::optional<Part> PartOf(const Node& node, size_t output) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& row) { return row.type == node.type(); });
  if (row == std::end(kRows) || !HasStaticShapes(node)) return std::nullopt;
  return row->part_of(node, output);
}

}  // namespace ge
