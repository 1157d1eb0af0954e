// RemoveIdentity: x -> Identity -> y   becomes   x -> y, for every operator that passes its first
// input through: Identity, Dropout (always: this compiler builds inference models), Cast to the
// dtype that its input already has, and ConcatD of one tensor.
//
// The producer of x takes over the source names, unless it is a Data or a Const, which stand for
// a tensor of the model and not for one of its nodes.
//
// Left alone when y is an output of the graph and x is a Data, a Const or an output as well: the
// outputs of a model are buffers of their own, and the node is what fills one.
#include <algorithm>

#include "passes/pass.h"

namespace ge {
namespace {

bool PassesThrough(const Node& node) {
  if (node.output_count() != 1 || !node.input(0)) return false;
  if (node.type() == "Identity" || node.type() == "Dropout") return true;
  if (node.type() == "ConcatD") return node.input_count() == 1;
  return node.type() == "Cast" && node.input(0).desc().dtype == node.output(0).dtype;
}

bool IsGraphOutput(Value value) {
  const std::vector<Use>& uses = value.node->uses(static_cast<size_t>(value.index));
  return std::any_of(uses.begin(), uses.end(),
                     [](const Use& use) { return use.node->type() == "NetOutput"; });
}

bool OwnsNoBuffer(const Node& node) {
  return node.type() == "Data" || node.is_const();
}

void TakeSourceNames(Node& to, const Node& from) {
  for (std::string& name : to.source_names()) to.AddSourceName(std::move(name));  // its own first
  for (std::string& name : from.source_names()) to.AddSourceName(std::move(name));
}

}  // namespace

Result<bool> RemoveIdentity(Graph& graph) {
  bool changed = false;
  std::vector<bool> dead(graph.size());
  for (const auto& node : graph.nodes()) {
    if (!PassesThrough(*node)) continue;
    const Value x = node->input(0);
    const bool no_buffer = OwnsNoBuffer(*x.node);
    if (IsGraphOutput(node->out()) && (no_buffer || IsGraphOutput(x))) continue;
    if (!no_buffer) TakeSourceNames(*x.node, *node);
    graph.ReplaceUses(node->out(), x);
    dead[node->index()] = true;
    changed = true;
  }
  if (changed) graph.Remove(dead);
  return changed;
}

}  // namespace ge
