#include "plan/flat_graph.h"

#include <optional>

#include "plan/storage.h"

namespace ge {
namespace {

FlatGraph::Role RoleOf(const Graph& graph, const Node& node) {
  if (&node == graph.net_output()) return FlatGraph::Role::kNetOutput;
  if (node.is_const()) return FlatGraph::Role::kConst;
  return node.type() == "Data" ? FlatGraph::Role::kData : FlatGraph::Role::kOperator;
}

}  // namespace

Rows Rows::Inverse(size_t count) const {
  Rows inverse;
  inverse.ends_.assign(count + 1, 0);
  for (const uint32_t value : values_) {
    if (value < count) ++inverse.ends_[value + 1];
  }
  for (size_t i = 0; i < count; ++i) inverse.ends_[i + 1] += inverse.ends_[i];
  inverse.values_.resize(inverse.ends_[count]);
  std::vector<uint32_t> next(inverse.ends_.begin(), inverse.ends_.end() - 1);
  for (uint32_t row = 0; row < size(); ++row) {
    for (const uint32_t value : (*this)[row]) {
      if (value < count) inverse.values_[next[value]++] = row;
    }
  }
  return inverse;
}

FlatGraph::FlatGraph(const Graph& graph) {
  first_output.push_back(0);
  const auto add_root = [&](std::vector<Root>& roots, const std::optional<Storage>& viewed) {
    if (!viewed) {
      roots.push_back({static_cast<uint32_t>(roots.size())});
      return;
    }
    const Root& root = roots[OutputOf(viewed->root)];
    roots.push_back({root.output, root.offset + viewed->offset});
  };
  for (const auto& node : graph.nodes()) {
    roles.push_back(RoleOf(graph, *node));
    for (size_t i = 0; i < node->input_count(); ++i) {
      const Value input = node->input(i);
      inputs.Add(input ? OutputOf(input) : kNoOutput);
      if (MayOverwrite(*node, i)) overwritable.Add(static_cast<uint32_t>(i));
    }
    inputs.EndRow();
    overwritable.EndRow();
    for (size_t i = 0; i < node->output_count(); ++i) {
      const std::optional<Storage> viewed = ViewedBy(*node, i, false);
      const std::optional<Storage> part = viewed ? viewed : ViewedBy(*node, i, true);
      has_parts |= part && !viewed;
      add_root(whole, viewed);
      add_root(with_parts, part);
      bytes.push_back(BytesOf(node->output(i)).value_or(kUnknownBytes));
      producers.push_back(node->index());
    }
    first_output.push_back(static_cast<uint32_t>(bytes.size()));
  }
  readers = inputs.Inverse(bytes.size());
}

}  // namespace ge
