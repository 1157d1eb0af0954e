// CopyLoopResults: in the body of a While, a result that is another state (or a view of it)
// becomes   state -> TensorMove -> result.
//
// The results of a body are copied to the states one after the other, so a result must not lie in
// the memory of a state that is overwritten before it is read.
#include "ops/op_impl.h"
#include "ops/parts.h"
#include "passes/pass.h"

namespace ge {
namespace {

// What `value` may be a view of; null when it has memory of its own.
Value ViewedBy(Value value) {
  const OpImpl* impl = FindOpImpl(value.node->type());
  if (impl != nullptr && impl->view && value.index == 0) return value.node->input(0);
  const std::optional<Part> part = PartOf(*value.node, static_cast<size_t>(value.index));
  return part ? value.node->input(part->input) : Value{};
}

// The Data node whose memory `value` is, or nullptr.
const Node* StateOf(Value value) {
  while (value && value.node->type() != "Data") value = ViewedBy(value);
  return value.node;
}

size_t IsolateResults(Graph& body) {
  size_t changes = 0;
  Node& results = *body.net_output();
  for (size_t i = 0; i < results.input_count(); ++i) {
    const Value result = results.input(i);
    const Node* state = StateOf(result);
    if (state == nullptr) continue;
    const int64_t* port = state->attrs().Get<int64_t>("_parent_node_index");
    if (port != nullptr && *port == static_cast<int64_t>(i)) continue;
    Node* copy = body.Add("TensorMove", result.node->name() + "/TensorMove", {result});
    copy->output(0) = result.desc();
    results.SetInput(i, copy->out());
    ++changes;
  }
  if (changes != 0) body.SortTopologically();
  return changes;
}

}  // namespace

Result<size_t> CopyLoopResults(Graph& graph) {
  size_t changes = 0;
  for (const auto& node : graph.nodes()) {
    if (node->type() == "While") changes += IsolateResults(*node->subgraphs()[1]);
  }
  return changes;
}

}  // namespace ge
