// RemoveEmptyOperands: ConcatD(a, b, ...)   becomes   ConcatD(a, ...)   where b has the size 0
// along the axis on which they are joined.
//
// Shape inference has compared the shapes, so that leaving an operand out changes nothing.  (An
// operand without elements whose size along the axis is not 0 makes the result longer.)  One
// operand is always kept; RemoveIdentity takes away a ConcatD of one.
#include "passes/pass.h"

namespace ge {
namespace {

bool AddsNothing(const Node& concat, const Shape& x) {
  if (x.unknown_rank()) return false;
  const int64_t* concat_dim = concat.attrs().Get<int64_t>("concat_dim");
  const std::optional<size_t> axis =
      NormalizeAxis(concat_dim == nullptr ? 0 : *concat_dim, x.rank());
  return axis && x[*axis] == 0;
}

}  // namespace

Result<size_t> RemoveEmptyOperands(Graph& graph) {
  size_t changes = 0;
  for (const auto& node : graph.nodes()) {
    if (node->type() != "ConcatD") continue;
    for (size_t i = node->input_count(); i-- > 0 && node->input_count() > 1;) {
      if (!AddsNothing(*node, node->input(i).desc().shape)) continue;
      node->RemoveInput(i);
      node->attrs().Set("N", static_cast<int64_t>(node->input_count()));
      ++changes;
    }
  }
  return changes;
}

}  // namespace ge
