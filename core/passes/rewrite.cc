#include "passes/rewrite.h"

#include <algorithm>
#include <unordered_set>

namespace ge {

bool IsGraphOutput(Value value) {
  const Node* results = value.node->graph().net_output();
  const std::span<const Use> uses = value.node->uses(static_cast<size_t>(value.index));
  if (results == nullptr || uses.size() <= results->input_count()) {
    return std::any_of(uses.begin(), uses.end(),
                       [&](const Use& use) { return use.node == results; });
  }
  for (size_t i = 0; i < results->input_count(); ++i) {
    if (results->input(i) == value) return true;
  }
  return false;
}

bool LooksLike(const Node& node, Value x) {
  const TensorDesc &y_desc = node.output(0), &x_desc = x.desc();
  return y_desc.dtype == x_desc.dtype && y_desc.shape == x_desc.shape &&
         !x_desc.shape.unknown_rank();
}

bool MayBypass(Value y, Value x) {
  const bool has_no_buffer = x.node->type() == "Data" || x.node->is_const();
  return !IsGraphOutput(y) || !(has_no_buffer || IsGraphOutput(x));
}

Node* OnlyReader(Value value) {
  const std::span<const Use> uses = value.node->uses(static_cast<size_t>(value.index));
  return uses.size() == 1 && uses[0].node->type() != "NetOutput" ? uses[0].node : nullptr;
}

void Removal::Add(Node& node) {
  ++calls_;
  std::vector<Node*> unread = {&node};
  while (!unread.empty()) {
    Node& next = *unread.back();
    unread.pop_back();
    dead_.resize(graph_.size());
    dead_[next.index()] = true;
    for (size_t i = 0; i < next.input_count(); ++i) {
      Node* producer = next.input(i).node;
      next.SetInput(i, {});
      if (producer != nullptr && !producer->has_uses() && producer->type() != "Data") {
        unread.push_back(producer);
      }
    }
  }
}

void Removal::Bypass(Node& node, Value value) {
  if (value.node->type() != "Data" && !value.node->is_const()) TakeNames(*value.node, node);
  graph_.ReplaceUses(node.out(), value);
  Add(node);
}

void Removal::GiveNames(Node& to) const {
  std::unordered_set<const Node*> seen = {&to};
  std::vector<const Node*> open = {&to};
  while (!open.empty()) {
    const Node& node = *open.back();
    open.pop_back();
    for (std::string& name : node.source_names()) to.AddSourceName(std::move(name));
    const auto taken = taken_.find(&node);
    if (taken == taken_.end()) continue;
    for (auto from = taken->second.rbegin(); from != taken->second.rend(); ++from) {
      if (seen.insert(*from).second) open.push_back(*from);
    }
  }
}

size_t Removal::Finish() {
  for (const auto& node : graph_.nodes()) {
    if (!Has(*node) && taken_.contains(node.get())) GiveNames(*node);
  }
  if (calls_ == 0) return 0;
  dead_.resize(graph_.size());
  graph_.Remove(dead_);
  graph_.SortTopologically();
  return calls_;
}

void SetConst(Node& node, size_t index, std::string_view name, TensorDesc desc, Buffer value) {
  const Value before = node.input(index);
  if (before && before.node->is_const() && before.node->uses(0).size() == 1) {
    before.node->output(0) = std::move(desc);
    before.node->SetValue(std::move(value));
    return;
  }
  while (node.input_count() <= index) node.AddInput({});
  node.SetInput(index, node.graph().AddConst(name, std::move(desc), std::move(value))->out());
}

Value AddIntList(Graph& graph, std::string_view name, std::span<const int64_t> list) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(list.data());
  const TensorDesc desc = {.dtype = DataType::kInt64,
                           .format = Format::kND,
                           .shape = Shape{static_cast<int64_t>(list.size())}};
  return graph
      .AddConst(name, desc, Buffer::Own(std::vector<uint8_t>(bytes, bytes + list.size_bytes())))
      ->out();
}

}  // namespace ge
