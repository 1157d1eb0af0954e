// Which nodes of an ONNX scope are needed, and in which order.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "frontend/onnx/builder.h"

namespace ge::onnx {
namespace {

void CollectReads(const Graph& graph, std::vector<std::string_view>& reads) {
  for (const Node& node : graph.nodes) {
    reads.insert(reads.end(), node.inputs.begin(), node.inputs.end());
    CollectOuterReads(node, reads);
  }
  for (const ValueInfo& output : graph.outputs) reads.push_back(output.name);
}

// The needed nodes of a scope whose nodes stand in order, as the standard wants it; nullopt when
// they do not.  One walk from the end, with the names that are still looked for: few at a time,
// where a map of all producers would be as large as the model.
std::optional<std::vector<size_t>> NeededInOrder(const std::vector<Node>& nodes,
                                                 const std::vector<std::string_view>& wanted) {
  std::unordered_set<std::string_view> looked_for(wanted.begin(), wanted.end());
  std::vector<size_t> order;
  std::vector<std::string_view> reads;
  for (size_t i = nodes.size(); i-- > 0;) {
    bool needed = false;
    for (const std::string_view output : nodes[i].outputs) {
      needed |= looked_for.erase(output) != 0 && !output.empty();
    }
    if (!needed) continue;
    order.push_back(i);
    looked_for.insert(nodes[i].inputs.begin(), nodes[i].inputs.end());
    reads.clear();
    CollectOuterReads(nodes[i], reads);
    looked_for.insert(reads.begin(), reads.end());
  }
  // What is left must come from outside.
  looked_for.erase(std::string_view());
  for (const Node& node : nodes) {
    for (const std::string_view output : node.outputs) {
      if (looked_for.contains(output)) return std::nullopt;
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

void CollectOuterReads(const Node& node, std::vector<std::string_view>& reads) {
  // Names the inner graph defines itself are collected too: a name can stand for one tensor only,
  // so the worst an inner name can do is to keep an unneeded node.
  for (const Attribute& attribute : node.attributes) {
    if (attribute.graph != nullptr) CollectReads(*attribute.graph, reads);
  }
}

Result<std::vector<size_t>> NeededNodes(const std::vector<Node>& nodes,
                                        const std::vector<std::string_view>& wanted) {
  if (std::optional<std::vector<size_t>> order = NeededInOrder(nodes, wanted)) {
    return std::move(*order);
  }
  std::unordered_map<std::string_view, size_t> producer;
  producer.reserve(nodes.size());
  for (const Node& node : nodes) {
    for (const std::string_view output : node.outputs) {
      if (!output.empty()) producer.emplace(output, node.position);
    }
  }
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(nodes.size(), kNew);
  std::vector<size_t> order;
  struct Frame {
    size_t node;
    std::vector<std::string_view> reads;
    size_t next = 0;
  };
  std::vector<Frame> stack;
  const auto open = [&](std::string_view name) {
    const auto found = producer.find(name);
    if (found == producer.end() || state[found->second] == kDone) return true;
    const Node& node = nodes[found->second];
    if (state[found->second] == kOpen) return false;
    state[found->second] = kOpen;
    Frame frame{found->second, node.inputs, 0};
    CollectOuterReads(node, frame.reads);
    stack.push_back(std::move(frame));
    return true;
  };
  for (const std::string_view name : wanted) {
    open(name);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == frame.reads.size()) {
        state[frame.node] = kDone;
        order.push_back(frame.node);
        stack.pop_back();
        continue;
      }
      const std::string_view read = frame.reads[frame.next++];
      if (!open(read)) {
        const Node& node = nodes[stack.back().node];
        return Error(ErrorId::kE10041,
                     {{"parameter", "--model"},
                      {"value", "the ONNX model"},
                      {"reason", "node [" + std::string(node.name) + "] of type " +
                                     std::string(node.op_type) + " depends on its own output [" +
                                     std::string(read) + "]"}});
      }
    }
  }
  return order;
}

}  // namespace ge::onnx
