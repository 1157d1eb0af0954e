// MergeSlices: x -> StridedSliceV2 -> StridedSliceV2   becomes   x -> one StridedSliceV2.
//
// Applies when all sizes and bounds are known and nobody else reads the first slice.
#include "passes/pass.h"
#include "passes/rewrite.h"
#include "passes/slices.h"

namespace ge {

Result<size_t> MergeSlices(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& second = *graph.nodes()[i];
    std::optional<std::vector<AxisSlice>> outer = SlicesOf(second);
    if (!outer) continue;
    Node& first = *second.input(0).node;
    const std::optional<std::vector<AxisSlice>> inner = SlicesOf(first);
    if (!inner || OnlyReader(first.out()) == nullptr) continue;
    for (size_t axis = 0; axis < outer->size(); ++axis) {
      AxisSlice& slice = (*outer)[axis];
      slice.first = (*inner)[axis].first + slice.first * (*inner)[axis].step;
      slice.step *= (*inner)[axis].step;
    }
    if (second.output(0).shape.elements() == 0) continue;  // bounds may be anything
    SetSlices(second, first.input(0), *outer);
    removal.TakeNames(second, first);
    removal.Add(first);
  }
  return removal.Finish();
}

}  // namespace ge
