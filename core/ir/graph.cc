#include "ir/graph.h"

#include <algorithm>

namespace ge {

std::optional<int64_t> BytesOf(const TensorDesc& desc) {
  const std::optional<int64_t> elements = desc.shape.elements();
  return elements ? BytesOf(desc.dtype, *elements) : std::nullopt;
}

const TensorDesc& Value::desc() const {
  return node->output(static_cast<size_t>(index));
}

void Node::Unlink(size_t index) {
  Input& input = inputs_[index];
  if (input.producer == nullptr) return;
  SmallVector<Use, 1>& uses = input.producer->outputs_[input.index].uses;
  // The last use takes the freed place, so that unlinking costs the same for any fan-out.
  uses[input.use] = uses.back();
  uses[input.use].node->inputs_[uses[input.use].input].use = input.use;
  uses.pop_back();
  input.producer = nullptr;
}

void Node::SetInput(size_t index, Value value) {
  Unlink(index);
  inputs_[index] = {value.node, value.index, 0};
  if (!value) return;
  SmallVector<Use, 1>& uses = value.node->outputs_[value.index].uses;
  inputs_[index].use = static_cast<uint32_t>(uses.size());
  uses.push_back({this, static_cast<int32_t>(index)});
}

void Node::AddInput(Value value) {
  inputs_.push_back({});
  SetInput(inputs_.size() - 1, value);
}

void Node::RemoveInput(size_t index) {
  for (; index + 1 < inputs_.size(); ++index) SetInput(index, inputs_[index + 1].value());
  Unlink(index);
  inputs_.pop_back();
}

bool Node::has_uses() const {
  return std::any_of(outputs_.begin(), outputs_.end(),
                     [](const Output& output) { return !output.uses.empty(); });
}

void Node::BecomeConst(Buffer value) {
  for (size_t i = 0; i < inputs_.size(); ++i) Unlink(i);
  inputs_.clear();
  attrs_ = {};
  type_ = "Const";
  value_ = std::move(value);
}

void Node::ConvertWhenWritten(DataType dtype) {
  value_dtype_ = value_dtype();
  output(0).dtype = dtype;
}

std::vector<std::string> Node::source_names() const {
  return sources_.empty() ? std::vector<std::string>{name_} : sources_;
}

void Node::AddSourceName(std::string name) {
  constexpr size_t kLong = 64;
  if (sources_.size() < kLong) {
    if (std::find(sources_.begin(), sources_.end(), name) != sources_.end()) return;
  } else {
    if (source_set_ == nullptr) {
      source_set_ =
          std::make_unique<std::unordered_set<std::string>>(sources_.begin(), sources_.end());
    }
    if (!source_set_->insert(name).second) return;
  }
  sources_.push_back(std::move(name));
}

void Node::AddSubgraph(std::unique_ptr<Graph> graph) {
  subgraphs_.push_back(std::move(graph));
}

void Graph::Reserve(size_t nodes) {
  nodes_.reserve(nodes);
  by_name_.Reserve(nodes);
}

std::string Graph::UniqueName(std::string_view name) {
  if (!by_name_.Contains(name)) return std::string(name);
  uint32_t& suffix = next_suffix_[std::string(name)];
  std::string candidate;
  do {
    candidate = std::string(name) + "_" + std::to_string(++suffix);
  } while (by_name_.Contains(candidate));
  return candidate;
}

Node* Graph::Add(std::string_view type, std::string_view name, const std::vector<Value>& inputs,
                 size_t outputs) {
  std::unique_ptr<Node> node(new Node());
  node->graph_ = this;
  node->type_ = type;
  node->name_ = UniqueName(name);
  node->outputs_.resize(outputs);
  node->index_ = static_cast<uint32_t>(nodes_.size());
  for (const Value& input : inputs) node->AddInput(input);
  Node* added = node.get();
  nodes_.push_back(std::move(node));
  by_name_.Insert(added->name_, added);
  if (added->type_ == "NetOutput") net_output_ = added;
  return added;
}

Node* Graph::AddConst(std::string_view name, TensorDesc desc, Buffer value) {
  Node* node = Add("Const", name, {});
  node->output(0) = std::move(desc);
  node->SetValue(std::move(value));
  return node;
}

Node* Graph::Adopt(Node& node, const std::vector<Value>& inputs) {
  Node* added = Add(node.type_, node.name_, inputs, node.outputs_.size());
  for (size_t i = 0; i < node.outputs_.size(); ++i) {
    added->outputs_[i].desc = node.outputs_[i].desc;
  }
  added->attrs_ = node.attrs_;
  added->value_ = std::move(node.value_);
  added->value_dtype_ = node.value_dtype_;
  added->subgraphs_ = std::move(node.subgraphs_);
  if (!node.sources_.empty() || added->name_ != node.name_) added->sources_ = node.source_names();
  return added;
}

Node* Graph::Find(std::string_view name) const {
  Node* const* found = by_name_.Find(name);
  return found == nullptr ? nullptr : *found;
}

std::vector<Node*> Graph::InputNodes() const {
  std::vector<Node*> inputs;
  for (const auto& node : nodes_) {
    if (node->type() == "Data") inputs.push_back(node.get());
  }
  const auto index_of = [](const Node* node) {
    const int64_t* index = node->attrs().Get<int64_t>("index");
    return index == nullptr ? 0 : *index;
  };
  std::stable_sort(inputs.begin(), inputs.end(),
                   [&](const Node* a, const Node* b) { return index_of(a) < index_of(b); });
  return inputs;
}

void Graph::ReplaceUses(Value from, Value to) {
  if (from == to) return;
  const SmallVector<Use, 1>& uses = from.node->outputs_[from.index].uses;
  while (!uses.empty()) {
    const Use use = uses.back();
    use.node->SetInput(static_cast<size_t>(use.input), to);
  }
}

void Graph::Remove(const std::vector<bool>& dead) {
  for (const auto& node : nodes_) {
    if (!dead[node->index_]) continue;
    for (size_t i = 0; i < node->inputs_.size(); ++i) node->Unlink(i);
    by_name_.Erase(node->name_);
    if (node.get() == net_output_) net_output_ = nullptr;
  }
  std::erase_if(nodes_, [&](const auto& node) { return dead[node->index_]; });
  for (size_t i = 0; i < nodes_.size(); ++i) nodes_[i]->index_ = static_cast<uint32_t>(i);
}

bool Graph::SortTopologically() {
  // Depth first over producers, started in the present order: nodes that are in order stay where
  // they are, a producer that stands too late moves to just before its first reader.
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(nodes_.size(), kNew);
  std::vector<uint32_t> order;
  order.reserve(nodes_.size());
  std::vector<std::pair<Node*, size_t>> stack;
  for (const auto& root : nodes_) {
    if (root.get() == net_output_ || state[root->index_] == kDone) continue;
    stack.emplace_back(root.get(), 0);
    state[root->index_] = kOpen;
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == node->inputs_.size()) {
        state[node->index_] = kDone;
        order.push_back(node->index_);
        stack.pop_back();
        continue;
      }
      Node* producer = node->inputs_[next++].producer;
      if (producer == nullptr || state[producer->index_] == kDone) continue;
      if (state[producer->index_] == kOpen) return false;
      state[producer->index_] = kOpen;
      stack.emplace_back(producer, 0);
    }
  }
  if (net_output_ != nullptr) order.push_back(net_output_->index_);
  std::vector<std::unique_ptr<Node>> sorted;
  sorted.reserve(nodes_.size());
  for (const uint32_t index : order) sorted.push_back(std::move(nodes_[index]));
  nodes_ = std::move(sorted);
  for (size_t i = 0; i < nodes_.size(); ++i) nodes_[i]->index_ = static_cast<uint32_t>(i);
  return true;
}

std::string Verify(const Graph& graph) {
  for (size_t i = 0; i < graph.size(); ++i) {
    const Node& node = *graph.nodes()[i];
    if (node.index() != i) return node.name() + ": index does not match its position";
    if (graph.Find(node.name()) != &node) return node.name() + ": name is not unique";
    for (size_t port = 0; port < node.input_count(); ++port) {
      const Value value = node.input(port);
      if (!value) continue;
      const std::string where = node.name() + " input " + std::to_string(port);
      if (&value.node->graph() != &graph) return where + ": producer is in another graph";
      if (value.node->index() >= i) return where + ": producer does not stand before its reader";
      if (static_cast<size_t>(value.index) >= value.node->output_count()) {
        return where + ": producer has no such output";
      }
      const std::span<const Use> uses = value.node->uses(static_cast<size_t>(value.index));
      const auto matches = std::count_if(uses.begin(), uses.end(), [&](const Use& use) {
        return use.node == &node && use.input == static_cast<int32_t>(port);
      });
      if (matches != 1) return where + ": not in the producer's list of uses";
    }
    for (const auto& subgraph : node.subgraphs()) {
      if (std::string fault = Verify(*subgraph); !fault.empty()) return fault;
    }
  }
  if (graph.net_output() == nullptr) return graph.name() + ": no NetOutput";
  if (graph.net_output() != graph.nodes().back().get())
    return graph.name() + ": NetOutput is not last";
  return "";
}

}  // namespace ge
