#include "plan/order.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <tuple>

#include "plan/arena.h"
#include "plan/storage.h"

namespace ge {
namespace {

// Readers of all outputs of a node, each once, by index.
std::vector<uint32_t> ReadersOf(const Node& node) {
  std::vector<uint32_t> readers;
  for (size_t i = 0; i < node.output_count(); ++i) {
    for (const Use& use : node.uses(i)) readers.push_back(use.node->index());
  }
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  return readers;
}

// Counts down the inputs that nodes wait for.
class Waiting {
 public:
  explicit Waiting(const Graph& graph) : graph_(graph), missing_(graph.size(), 0) {
    for (const auto& node : graph.nodes()) {
      for (const uint32_t reader : ReadersOf(*node)) ++missing_[reader];
    }
  }

  // Nodes that read nothing.
  std::vector<uint32_t> Sources() const {
    std::vector<uint32_t> sources;
    for (const auto& node : graph_.nodes()) {
      const bool waits = missing_[node->index()] != 0 || node.get() == graph_.net_output();
      if (!waits) sources.push_back(node->index());
    }
    return sources;
  }

  // The nodes that `index` was the last input of, by index.
  std::vector<uint32_t> Release(uint32_t index) {
    std::vector<uint32_t> ready;
    for (const uint32_t reader : ReadersOf(*graph_.nodes()[index])) {
      const bool is_last = graph_.nodes()[reader].get() == graph_.net_output();
      if (--missing_[reader] == 0 && !is_last) ready.push_back(reader);
    }
    return ready;
  }

 private:
  const Graph& graph_;
  std::vector<uint32_t> missing_;
};

std::vector<uint32_t> BreadthFirst(const Graph& graph) {
  Waiting waiting(graph);
  std::vector<uint32_t> order = waiting.Sources();
  for (size_t i = 0; i < order.size(); ++i) {
    const std::vector<uint32_t> ready = waiting.Release(order[i]);
    order.insert(order.end(), ready.begin(), ready.end());
  }
  return order;
}

std::vector<uint32_t> DepthFirst(const Graph& graph) {
  Waiting waiting(graph);
  std::vector<uint32_t> order;
  std::vector<uint32_t> stack = waiting.Sources();
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    const uint32_t index = stack.back();
    stack.pop_back();
    order.push_back(index);
    const std::vector<uint32_t> ready = waiting.Release(index);
    stack.insert(stack.end(), ready.rbegin(), ready.rend());
  }
  return order;
}

std::vector<uint32_t> ReverseDepthFirst(const Graph& graph) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(graph.size(), false);
  std::vector<std::pair<const Node*, size_t>> stack;
  const auto visit = [&](const Node* root) {
    if (seen[root->index()]) return;
    seen[root->index()] = true;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == node->input_count()) {
        order.push_back(node->index());
        stack.pop_back();
        continue;
      }
      const Node* producer = node->input(next++).node;
      if (producer == nullptr || seen[producer->index()]) continue;
      seen[producer->index()] = true;
      stack.emplace_back(producer, 0);
    }
  };
  const Node& results = *graph.net_output();
  for (size_t i = 0; i < results.input_count(); ++i) visit(results.input(i).node);
  for (const auto& node : graph.nodes()) {  // what no output needs, such as inputs
    if (node.get() != &results) visit(node.get());
  }
  return order;
}

// Takes the ready node that adds the least to the memory in use.
class LeastMemory {
 public:
  explicit LeastMemory(const Graph& graph)
      : graph_(graph),
        waiting_(graph),
        added_(graph.size(), 0),
        since_(graph.size(), 0),
        taken_(graph.size(), false) {
    for (const auto& node : graph.nodes()) {
      for (size_t i = 0; i < node->output_count(); ++i) NoteOutput(*node, i);
      for (const size_t root : RootsReadBy(*node)) readers_[root].push_back(node->index());
    }
    for (const auto& readers : readers_) left_.push_back(readers.size());
    for (size_t root = 0; root < readers_.size(); ++root) {
      if (left_[root] == 1) added_[readers_[root][0]] -= bytes_[root];
    }
  }

  std::vector<uint32_t> Run() {
    const std::vector<uint32_t> sources = waiting_.Sources();
    for (const uint32_t index : sources) {
      const Node& node = *graph_.nodes()[index];
      if (node.is_const() || node.type() == "Data") {
        Take(index);
      } else {
        AddReady(index);
      }
    }
    while (!ready_.empty()) {
      const uint32_t index = std::get<2>(*ready_.begin());
      ready_.erase(ready_.begin());
      Take(index);
    }
    return std::move(order_);
  }

 private:
  using Rank = std::tuple<int64_t, int64_t, uint32_t>;  // bytes added, age, index

  Rank RankOf(uint32_t index) const {
    return {added_[index], -static_cast<int64_t>(since_[index]), index};
  }

  // Gives the output a root: its own memory, or what it views.
  void NoteOutput(const Node& node, size_t output) {
    if (output == 0) root_of_.resize(node.index() + 1);
    std::vector<size_t>& roots = root_of_[node.index()];
    if (const std::optional<Storage> viewed = ViewedBy(node, output, true)) {
      roots.push_back(
          root_of_[viewed->root.node->index()][static_cast<size_t>(viewed->root.index)]);
      return;
    }
    const std::optional<int64_t> bytes =
        node.is_const() ? std::optional<int64_t>(0) : BytesOf(node.output(output));
    bytes_.push_back(static_cast<int64_t>(AlignArena(static_cast<uint64_t>(bytes.value_or(0)))));
    roots.push_back(readers_.size());
    readers_.emplace_back();
    added_[node.index()] += bytes_.back();
  }

  std::vector<size_t> RootsReadBy(const Node& node) const {
    std::vector<size_t> roots;
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (input) roots.push_back(root_of_[input.node->index()][static_cast<size_t>(input.index)]);
    }
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    return roots;
  }

  void AddReady(uint32_t index) {
    since_[index] = static_cast<uint32_t>(order_.size());
    ready_.insert(RankOf(index));
  }

  void Take(uint32_t index) {
    order_.push_back(index);
    taken_[index] = true;
    for (const size_t root : RootsReadBy(*graph_.nodes()[index])) {
      if (--left_[root] == 1) NoteLastReader(root);
    }
    for (const uint32_t reader : waiting_.Release(index)) AddReady(reader);
  }

  // The one reader that is left frees the memory.
  void NoteLastReader(size_t root) {
    const uint32_t reader = *std::find_if(readers_[root].begin(), readers_[root].end(),
                                          [&](uint32_t index) { return !taken_[index]; });
    const bool is_ready = ready_.erase(RankOf(reader)) != 0;
    added_[reader] -= bytes_[root];
    if (is_ready) ready_.insert(RankOf(reader));
  }

  const Graph& graph_;
  Waiting waiting_;
  std::vector<std::vector<size_t>> root_of_;    // per node and output
  std::vector<int64_t> bytes_;                  // per root
  std::vector<std::vector<uint32_t>> readers_;  // per root
  std::vector<size_t> left_;                    // per root: readers that have not run
  std::vector<int64_t> added_;                  // per node: bytes that running it adds
  std::vector<uint32_t> since_;                 // per node: when it became ready
  std::vector<bool> taken_;
  std::set<Rank> ready_;
  std::vector<uint32_t> order_;
};

std::vector<uint32_t> PresentOrder(const Graph& graph) {
  std::vector<uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

}  // namespace

std::vector<uint32_t> OrderOfNodes(const Graph& graph, NodeOrder order) {
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
  indices.push_back(graph.net_output()->index());
  return indices;
}

}  // namespace ge
