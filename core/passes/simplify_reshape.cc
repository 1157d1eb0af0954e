// SimplifyReshape:  Reshape(x, dims of tensors, some unknown)   becomes   Reshape(x, constant).
//
// A dim that is the one of x at the same position becomes 0, which stands for it; one dim may be
// left and becomes -1.  What computed the shape has no readers then.  Applies when the elements of
// the shape can be told apart (shape_values.h) and 0 has that meaning.
#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/rewrite.h"
#include "passes/shape_values.h"

namespace ge {
namespace {

std::optional<std::vector<int64_t>> ConstantTarget(const Node& reshape, const ShapeValues& values) {
  const Value x = reshape.input(0);
  const std::vector<ShapeValues::Element>* elements = values.Find(reshape.input(1));
  if (elements == nullptr || AttrReader(reshape).Int("allowzero") != 0) return std::nullopt;
  std::vector<int64_t> target;
  int free = 0;
  for (size_t axis = 0; axis < elements->size(); ++axis) {
    const ShapeValues::Element& element = (*elements)[axis];
    int64_t dim = -1;
    if (element.kind == ShapeValues::Element::kNumber) {
      dim = element.number;
    } else if (element.kind == ShapeValues::Element::kDim &&
               element == ShapeValues::DimOf(x, axis)) {
      dim = 0;
    }
    free += dim == -1 ? 1 : 0;
    target.push_back(dim);
  }
  return free <= 1 ? std::optional(target) : std::nullopt;
}

}  // namespace

Result<size_t> SimplifyReshape(Graph& graph) {
  size_t changes = 0;
  ShapeValues values;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& node = *graph.nodes()[i];
    values.Visit(node);
    if (node.type() != "Reshape" || node.input(1).node->is_const()) continue;
    const std::optional<std::vector<int64_t>> target = ConstantTarget(node, values);
    if (!target) continue;
    node.SetInput(1, AddIntList(graph, node.name() + "/shape", *target));
    ++changes;
  }
  if (changes == 0) return changes;
  graph.SortTopologically();
  GE_TRY(InferShapes(graph).status());
  return changes;
}

}  // namespace ge
