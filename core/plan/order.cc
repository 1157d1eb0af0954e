#include "plan/order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "plan/arena.h"

namespace ge {
namespace {

using Role = FlatGraph::Role;

// Counts down the inputs that nodes wait for.
class Waiting {
 public:
  explicit Waiting(const FlatGraph& graph) : graph_(graph), missing_(graph.nodes(), 0) {
    for (uint32_t node = 0; node < graph.nodes(); ++node) {
      for (const uint32_t input : graph.inputs[node]) missing_[node] += input != kNoOutput;
    }
  }

  // Nodes that read nothing.
  std::vector<uint32_t> Sources() const {
    std::vector<uint32_t> sources;
    for (uint32_t node = 0; node < graph_.nodes(); ++node) {
      if (missing_[node] == 0 && !IsLast(node)) sources.push_back(node);
    }
    return sources;
  }

  // The nodes that `node` was the last input of, by index.
  const std::vector<uint32_t>& Release(uint32_t node) {
    ready_.clear();
    const uint32_t end = graph_.first_output[node + 1];
    for (uint32_t output = graph_.first_output[node]; output < end; ++output) {
      for (const uint32_t reader : graph_.readers[output]) {
        if (--missing_[reader] == 0 && !IsLast(reader)) ready_.push_back(reader);
      }
    }
    std::sort(ready_.begin(), ready_.end());
    return ready_;
  }

 private:
  bool IsLast(uint32_t node) const { return graph_.roles[node] == Role::kNetOutput; }

  const FlatGraph& graph_;
  std::vector<uint32_t> missing_;
  std::vector<uint32_t> ready_;
};

std::vector<uint32_t> BreadthFirst(const FlatGraph& graph) {
  Waiting waiting(graph);
  std::vector<uint32_t> order = waiting.Sources();
  for (size_t i = 0; i < order.size(); ++i) {
    const std::vector<uint32_t>& ready = waiting.Release(order[i]);
    order.insert(order.end(), ready.begin(), ready.end());
  }
  return order;
}

std::vector<uint32_t> DepthFirst(const FlatGraph& graph) {
  Waiting waiting(graph);
  std::vector<uint32_t> order;
  std::vector<uint32_t> stack = waiting.Sources();
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    const uint32_t node = stack.back();
    stack.pop_back();
    order.push_back(node);
    const std::vector<uint32_t>& ready = waiting.Release(node);
    stack.insert(stack.end(), ready.rbegin(), ready.rend());
  }
  return order;
}

std::vector<uint32_t> ReverseDepthFirst(const FlatGraph& graph) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(graph.nodes(), false);
  std::vector<std::pair<uint32_t, size_t>> stack;  // node, its next input
  const auto visit = [&](uint32_t root) {
    if (seen[root]) return;
    seen[root] = true;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      const std::span<const uint32_t> inputs = graph.inputs[node];
      if (next == inputs.size()) {
        order.push_back(node);
        stack.pop_back();
        continue;
      }
      const uint32_t input = inputs[next++];
      if (input == kNoOutput || seen[graph.producers[input]]) continue;
      seen[graph.producers[input]] = true;
      stack.emplace_back(graph.producers[input], 0);
    }
  };
  const auto last = static_cast<uint32_t>(graph.nodes() - 1);
  for (const uint32_t input : graph.inputs[last]) {
    if (input != kNoOutput) visit(graph.producers[input]);
  }
  for (uint32_t node = 0; node < last; ++node) visit(node);  // what no output needs, as inputs
  return order;
}

// Takes the ready node that adds the least to the memory in use.
class LeastMemory {
 public:
  explicit LeastMemory(const FlatGraph& graph)
      : graph_(graph),
        waiting_(graph),
        roots_read_(RootsRead(graph)),
        readers_(roots_read_.Inverse(graph.outputs())),
        bytes_(graph.outputs(), 0),
        left_(graph.outputs(), 0),
        added_(graph.nodes(), 0),
        since_(graph.nodes(), 0),
        taken_(graph.nodes(), false) {
    for (uint32_t output = 0; output < graph.outputs(); ++output) {
      const uint32_t producer = graph.producers[output];
      const bool owns_memory = graph.with_parts[output].output == output &&
                               graph.roles[producer] != Role::kConst &&
                               graph.bytes[output] != kUnknownBytes;
      if (owns_memory) {
        bytes_[output] =
            static_cast<int64_t>(AlignArena(static_cast<uint64_t>(graph.bytes[output])));
      }
      added_[producer] += bytes_[output];
      left_[output] = static_cast<uint32_t>(readers_[output].size());
      if (left_[output] == 1) added_[readers_[output][0]] -= bytes_[output];
    }
  }

  std::vector<uint32_t> Run() {
    for (const uint32_t node : waiting_.Sources()) {
      if (graph_.roles[node] == Role::kOperator) {
        AddReady(node);
      } else {
        Take(node);
      }
    }
    while (!ready_.empty()) {
      const uint32_t node = std::get<2>(*ready_.begin());
      ready_.erase(ready_.begin());
      Take(node);
    }
    return std::move(order_);
  }

 private:
  using Rank = std::tuple<int64_t, int64_t, uint32_t>;  // bytes added, age, node

  // Of each node the outputs in whose memory its inputs are, each once.
  static Rows RootsRead(const FlatGraph& graph) {
    Rows rows;
    std::vector<uint32_t> roots;
    for (uint32_t node = 0; node < graph.nodes(); ++node) {
      roots.clear();
      for (const uint32_t input : graph.inputs[node]) {
        if (input != kNoOutput) roots.push_back(graph.with_parts[input].output);
      }
      std::sort(roots.begin(), roots.end());
      roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
      for (const uint32_t root : roots) rows.Add(root);
      rows.EndRow();
    }
    return rows;
  }

  Rank RankOf(uint32_t node) const {
    return {added_[node], -static_cast<int64_t>(since_[node]), node};
  }

  void AddReady(uint32_t node) {
    since_[node] = static_cast<uint32_t>(order_.size());
    ready_.insert(RankOf(node));
  }

  void Take(uint32_t node) {
    order_.push_back(node);
    taken_[node] = true;
    for (const uint32_t root : roots_read_[node]) {
      if (--left_[root] == 1) NoteLastReader(root);
    }
    for (const uint32_t reader : waiting_.Release(node)) AddReady(reader);
  }

  // The one reader that is left frees the memory.
  void NoteLastReader(uint32_t root) {
    const uint32_t reader =
        *std::ranges::find_if(readers_[root], [&](uint32_t node) { return !taken_[node]; });
    const bool is_ready = ready_.erase(RankOf(reader)) != 0;
    added_[reader] -= bytes_[root];
    if (is_ready) ready_.insert(RankOf(reader));
  }

  const FlatGraph& graph_;
  Waiting waiting_;
  const Rows roots_read_;
  const Rows readers_;           // of the memory of an output
  std::vector<int64_t> bytes_;   // that an output adds: 0 when its memory is that of another
  std::vector<uint32_t> left_;   // per output: readers that have not run
  std::vector<int64_t> added_;   // per node: bytes that running it adds
  std::vector<uint32_t> since_;  // per node: when it became ready
  std::vector<bool> taken_;
  std::set<Rank> ready_;
  std::vector<uint32_t> order_;
};

std::vector<uint32_t> PresentOrder(const FlatGraph& graph) {
  std::vector<uint32_t> order(graph.nodes());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

}  // namespace

std::vector<uint32_t> OrderOfNodes(const FlatGraph& graph, NodeOrder order) {
  std::vector<uint32_t> indices;
  switch (order) {
    case NodeOrder::kLeastMemory:
      indices = LeastMemory(graph).Run();
      break;
    case NodeOrder::kBreadthFirst:
      indices = BreadthFirst(graph);
      break;
    case NodeOrder::kDepthFirst:
      indices = DepthFirst(graph);
      break;
    case NodeOrder::kReverseDepthFirst:
      indices = ReverseDepthFirst(graph);
      break;
    case NodeOrder::kStable:
      return PresentOrder(graph);
  }
  indices.push_back(static_cast<uint32_t>(graph.nodes() - 1));  // NetOutput
  return indices;
}

}  // namespace ge
