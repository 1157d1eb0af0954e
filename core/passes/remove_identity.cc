// RemoveIdentity: x -> Identity -> y   becomes   x -> y, for every operator that passes its first
// input through: Identity, Dropout (always: this compiler builds inference models), Cast to the
// dtype that its input already has, and ConcatD of one tensor.
//
// The producer of x takes over the source names, unless it is a Data or a Const, which stand for
// a tensor of the model and not for one of its nodes.
//
// Left alone when y is an output of the graph and x is a Data, a Const or an output as well: the
// outputs of a model are buffers of their own, and the node is what fills one.
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

bool PassesThrough(const Node& node) {
  if (node.output_count() != 1 || !node.input(0)) return false;
  if (node.type() == "Identity" || node.type() == "Dropout") return true;
  if (node.type() == "ConcatD") return node.input_count() == 1;
  return node.type() == "Cast" && node.input(0).desc().dtype == node.output(0).dtype;
}

}  // namespace

Result<size_t> RemoveIdentity(Graph& graph) {
  Removal removal(graph);
  for (const auto& node : graph.nodes()) {
    if (!PassesThrough(*node)) continue;
    const Value x = node->input(0);
    if (!MayBypass(node->out(), x)) continue;
    removal.Bypass(*node, x);
  }
  return removal.Finish();
}

}  // namespace ge
