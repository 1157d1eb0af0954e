// TransposeToView:  Transpose that moves only axes of size 1   becomes   Reshape, which copies
// nothing.
//
// Applies when all sizes are known and none is 0.
#include <algorithm>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

bool MovesNothing(const Node& transpose) {
  const Shape& x = transpose.input(0).desc().shape;
  const std::optional<std::vector<int64_t>> order = ConstInts(transpose.input(1));
  if (!order || !x.is_static() || *x.elements() == 0) return false;
  size_t last = 0;
  for (const int64_t given : *order) {
    const size_t axis = *NormalizeAxis(given, x.rank());
    if (x[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

}  // namespace

Result<size_t> TransposeToView(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& transpose = *graph.nodes()[i];
    if (transpose.type() != "Transpose" || !MovesNothing(transpose)) continue;
    const Value x = transpose.input(0);
    const Value shape =
        AddIntList(graph, transpose.name() + "/shape", transpose.output(0).shape.dims());
    ReplaceParts(removal, {&transpose}, "Reshape", {x, shape});
  }
  return removal.Finish();
}

}  // namespace ge
