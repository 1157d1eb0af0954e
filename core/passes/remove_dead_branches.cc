// RemoveDeadBranches: If with a constant condition   becomes   the nodes of the branch that is
// taken.
//
// Where the condition is constant in the source, the front end has done that; here it became so
// when sizes were known.  Its results are inferred again, since the other branch has no say in them
// now.  A result that fills an output of the graph but has no buffer is handed on by an Identity.
#include <unordered_map>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// Puts the nodes of `branch` into the graph of `node`, an If; returns the results.
Result<std::vector<Value>> TakeOut(Node& node, Graph& branch) {
  std::unordered_map<const Node*, Node*> moved;
  std::unordered_map<const Node*, Value> captured;
  const auto outside = [&](Value value) {
    if (!value) return value;
    const auto capture = captured.find(value.node);
    return capture != captured.end() ? capture->second : moved[value.node]->out(value.index);
  };
  std::vector<Value> inputs;
  for (const auto& inner : branch.nodes()) {
    if (inner->type() == "Data") {
      const int64_t* port = inner->attrs().Get<int64_t>("_parent_node_index");
      captured[inner.get()] = node.input(static_cast<size_t>(*port));
      continue;
    }
    inputs.clear();
    for (size_t i = 0; i < inner->input_count(); ++i) inputs.push_back(outside(inner->input(i)));
    if (inner.get() == branch.net_output()) break;
    Node* taken = node.graph().Adopt(*inner, inputs);
    moved[inner.get()] = taken;
    if (!taken->is_const()) GE_TRY(InferNode(*taken));
  }
  return inputs;
}

}  // namespace

Result<size_t> RemoveDeadBranches(Graph& graph) {
  Removal removal(graph);
  for (size_t index = 0; index < graph.size(); ++index) {  // also those that were in a branch
    Node& node = *graph.nodes()[index];
    if (node.type() != "If") continue;
    const std::optional<std::vector<int64_t>> condition = ConstInts(node.input(0));
    if (!condition || condition->size() != 1) continue;
    GE_ASSIGN(const std::vector<Value> results,
              TakeOut(node, *node.subgraphs()[condition->front() != 0 ? 0 : 1]));
    for (size_t i = 0; i < node.output_count(); ++i) {
      const Value before = node.out(static_cast<int32_t>(i));
      Value result = results[i];
      if (!MayBypass(before, result)) {
        Node* copy = graph.Add("Identity", node.name() + "/Identity", {result});
        GE_TRY(InferNode(*copy));
        result = copy->out();
      }
      removal.TakeNames(*result.node, node);
      graph.ReplaceUses(before, result);
    }
    removal.Add(node);
  }
  const size_t branches = removal.Finish();
  if (branches != 0) GE_TRY(InferShapes(graph).status());
  return branches;
}

}  // namespace ge
