// InferShapes: every output gets the dtype and shape that its operator's rule gives.
//
// Nodes are visited in topological order, so one walk is enough.  Data and Const bring their own
// shapes, NetOutput has none.  All nodes whose rule fails are reported; what stands behind one is
// not visited, since its fault would be the same one again.
#include "ops/op_impl.h"
#include "passes/pass.h"

namespace ge {
namespace {

bool HasOwnShape(const Node& node) {
  return node.type() == "Data" || node.type() == "Const" || node.type() == "NetOutput";
}

bool ReadsAny(const Node& node, const std::vector<bool>& marked) {
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i) && marked[node.input(i).node->index()]) return true;
  }
  return false;
}

}  // namespace

Result<size_t> InferShapes(Graph& graph) {
  size_t changes = 0;
  Status faults;
  std::vector<bool> failed(graph.size());
  for (const auto& node : graph.nodes()) {
    if (HasOwnShape(*node)) continue;
    if (ReadsAny(*node, failed)) {
      failed[node->index()] = true;
      continue;
    }
    std::vector<TensorDesc> before;
    for (size_t i = 0; i < node->output_count(); ++i) before.push_back(node->output(i));
    if (Status status = InferNode(*node); !status.ok()) {
      failed[node->index()] = true;
      faults.Add(std::move(status));
    }
    bool differs = false;
    for (size_t i = 0; i < before.size(); ++i) differs |= before[i] != node->output(i);
    changes += differs ? 1 : 0;
  }
  if (!faults.ok()) return faults;
  return changes;
}

}  // namespace ge
