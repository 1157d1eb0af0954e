// RemoveEmptyOperands: ConcatD(a, b, ...)   becomes   ConcatD(a, ...)   where b has the size 0
// along the axis on which they are joined.
//
// Shape inference has compared the shapes, so that leaving an operand out changes nothing.  (An
// operand without elements whose size along the axis is not 0 makes the result longer.)  One that
// alone knows some other dim of the result stays.  One operand is always kept; RemoveIdentity takes
// away a ConcatD of one.
#include "passes/pass.h"

namespace ge {
namespace {

// Whether the other operands give every dim of the result but the one along `concat_axis`.
bool IsKnownWithout(const Node& concat, size_t operand, size_t concat_axis) {
  const Shape& x = concat.input(operand).desc().shape;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    bool known = axis != concat_axis && x[axis] == kUnknownDim;
    for (size_t i = 0; i < concat.input_count() && !known; ++i) {
      const Shape& other = concat.input(i).desc().shape;
      known = i != operand && other.rank() == x.rank() &&
              (axis == concat_axis || other[axis] != kUnknownDim);
    }
    if (!known) return false;
  }
  return true;
}

bool AddsNothing(const Node& concat, size_t operand) {
  const Shape& x = concat.input(operand).desc().shape;
  if (x.unknown_rank()) return false;
  const int64_t* concat_dim = concat.attrs().Get<int64_t>("concat_dim");
  const std::optional<size_t> axis =
      NormalizeAxis(concat_dim == nullptr ? 0 : *concat_dim, x.rank());
  return axis && x[*axis] == 0 && IsKnownWithout(concat, operand, *axis);
}

}  // namespace

Result<size_t> RemoveEmptyOperands(Graph& graph) {
  size_t changes = 0;
  for (const auto& node : graph.nodes()) {
    if (node->type() != "ConcatD") continue;
    for (size_t i = node->input_count(); i-- > 0 && node->input_count() > 1;) {
      if (!AddsNothing(*node, i)) continue;
      node->RemoveInput(i);
      node->attrs().Set("N", static_cast<int64_t>(node->input_count()));
      ++changes;
    }
  }
  return changes;
}

}  // namespace ge
