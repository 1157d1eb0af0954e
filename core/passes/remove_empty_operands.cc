// RemoveEmptyOperands: ConcatD(a, b, ...)   becomes   ConcatD(a, ...)   where b has no elements.
//
// Shape inference has compared the shapes, so that leaving an operand out changes nothing.  One
// operand is always kept; RemoveIdentity takes away a ConcatD of one.
#include "passes/pass.h"

namespace ge {

Result<bool> RemoveEmptyOperands(Graph& graph) {
  bool changed = false;
  for (const auto& node : graph.nodes()) {
    if (node->type() != "ConcatD") continue;
    for (size_t i = node->input_count(); i-- > 0 && node->input_count() > 1;) {
      if (node->input(i).desc().shape.elements() != 0) continue;
      node->RemoveInput(i);
      node->attrs().Set("N", static_cast<int64_t>(node->input_count()));
      changed = true;
    }
  }
  return changed;
}

}  // namespace ge
