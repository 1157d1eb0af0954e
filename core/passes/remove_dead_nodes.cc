// RemoveDeadNodes: nodes that no output of the graph depends on are removed.
//
// Data nodes stay, read or not: they are the model's signature.
#include "passes/pass.h"

namespace ge {

Result<size_t> RemoveDeadNodes(Graph& graph) {
  std::vector<bool> dead(graph.size(), true);
  size_t changes = 0;
  // Readers stand behind producers, so that a node's fate is known when it is reached from the
  // end.
  for (size_t index = graph.size(); index-- > 0;) {
    const Node& node = *graph.nodes()[index];
    if (node.type() == "Data" || node.type() == "NetOutput") dead[index] = false;
    if (dead[index]) {
      ++changes;
      continue;
    }
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (const Value input = node.input(i)) dead[input.node->index()] = false;
    }
  }
  if (changes != 0) graph.Remove(dead);
  return changes;
}

}  // namespace ge
