#include "passes/chain.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// The one input that is no constant without axes; -1 when there are several, or none, or when the
// operator does not work element by element.
int ChainInput(const Node& node) {
  const OpImpl* impl = FindOpImpl(node.type());
  if (impl == nullptr || impl->pointwise != Pointwise::kBroadcast) return -1;
  int found = -1;
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (!input || (input.node->is_const() && input.desc().shape.has_rank(0))) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

}  // namespace

Chain ChainAbove(Value value) {
  constexpr size_t kLongest = 64;
  Chain chain;
  while (chain.nodes.size() < kLongest && OnlyReader(value) != nullptr) {
    const int input = ChainInput(*value.node);
    if (input < 0) break;
    chain.nodes.push_back(value.node);
    value = value.node->input(static_cast<size_t>(input));
  }
  std::reverse(chain.nodes.begin(), chain.nodes.end());
  chain.source = value;
  return chain;
}

Status Reroute(const Chain& chain, Value source) {
  if (chain.nodes.empty()) return Status::Ok();
  Node& first = *chain.nodes.front();
  first.SetInput(static_cast<size_t>(ChainInput(first)), source);
  for (Node* node : chain.nodes) GE_TRY(InferNode(*node));
  return Status::Ok();
}

}  // namespace ge
