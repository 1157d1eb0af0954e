// FuseActivation:  Conv2D -> Relu   becomes   Conv2D that holds a Relu (ops/held_activation.h), and
// so for other convolutions, matrix products and activation functions.
//
// Applies to floats of up to 32 bits when the activation alone reads the result, which is no output
// of the graph, and its parameters are known.  What is computed stays the same: the host engine
// makes two operators of the node again.
#include "ops/held_activation.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {

Result<size_t> FuseActivation(Graph& graph) {
  Removal removal(graph);
  for (const auto& node : graph.nodes()) {
    if (node->output_count() != 1) continue;
    Node* activation = OnlyReader(node->out());
    if (activation == nullptr || activation->input(0) != node->out() ||
        !MayHold(*node, *activation) || !LooksLike(*activation, node->out())) {
      continue;
    }
    Hold(*node, *activation);
    removal.Bypass(*activation, node->out());
  }
  return removal.Finish();
}

}  // namespace ge
