// ShareResults: nodes with equal types, attributes and inputs become one, the first of them
// (common subexpressions).
//
// The first takes over the source names.  Left alone: operators that draw random numbers, that have
// subgraphs or no inputs, and nodes that both give an output of the graph, since outputs are
// buffers of their own.
#include <algorithm>
#include <functional>

#include "ops/op_impl.h"
#include "passes/first_of_equal.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

bool MayShare(const Node& node) {
  if (node.input_count() == 0 || !node.subgraphs().empty() || !node.has_uses()) return false;
  const OpImpl* impl = FindOpImpl(node.type());
  return impl != nullptr && !impl->random;
}

// Of type and inputs; nodes that only differ in attributes are few.
size_t HashOf(const Node& node) {
  size_t hash = std::hash<std::string>()(node.type());
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    const size_t place = input ? input.node->index() * 8 + static_cast<size_t>(input.index) : 7;
    hash = hash * 0x9e3779b97f4a7c15 + place;
  }
  return hash;
}

bool AreEqual(const Node& a, const Node& b) {
  if (a.type() != b.type() || a.input_count() != b.input_count() ||
      a.output_count() != b.output_count()) {
    return false;
  }
  for (size_t i = 0; i < a.input_count(); ++i) {
    if (a.input(i) != b.input(i)) return false;
  }
  for (size_t i = 0; i < a.output_count(); ++i) {
    if (a.output(i) != b.output(i)) return false;
  }
  return std::equal(a.attrs().begin(), a.attrs().end(), b.attrs().begin(), b.attrs().end());
}

bool BothAreOutputs(Node& a, Node& b) {
  for (size_t i = 0; i < a.output_count(); ++i) {
    const int32_t port = static_cast<int32_t>(i);
    if (IsGraphOutput(a.out(port)) && IsGraphOutput(b.out(port))) return true;
  }
  return false;
}

}  // namespace

Result<size_t> ShareResults(Graph& graph) {
  Removal removal(graph);
  FirstOfEqual<AreEqual> kept(graph.size());
  for (const auto& node : graph.nodes()) {
    if (!MayShare(*node)) continue;
    Node* first = kept.Find(*node, HashOf(*node));
    if (first == nullptr || BothAreOutputs(*first, *node)) continue;
    removal.TakeNames(*first, *node);
    for (size_t i = 0; i < node->output_count(); ++i) {
      const int32_t port = static_cast<int32_t>(i);
      graph.ReplaceUses(node->out(port), first->out(port));
    }
    removal.Add(*node);
  }
  return removal.Finish();
}

}  // namespace ge
