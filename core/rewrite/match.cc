#include "rewrite/match.h"

#include <algorithm>
#include <unordered_set>

#include "ops/attr_default.h"
#include "ops/op_impl.h"

namespace ge {
namespace {

bool IsData(const Node& node) {
  return node.type() == "Data";
}

bool IsPart(const Node& node) {
  return !IsData(node) && node.type() != "NetOutput";
}

// Optional inputs at the end may be left out or null.
size_t InputCount(const Node& node) {
  size_t count = node.input_count();
  while (count > 0 && !node.input(count - 1)) --count;
  return count;
}

bool HasDynamicOutputs(const Node& node) {
  const Table outputs = OpRow(node.type()).Find("outputs");
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].Find("kind").AsString() == "dynamic") return true;
  }
  return false;
}

bool SameConstants(const Node& part, const Node& node) {
  const TensorDesc &wanted = part.output(0), &seen = node.output(0);
  if (part.attrs().Find(kLiteral) != nullptr) {
    if (seen.shape.elements() != wanted.shape.elements()) return false;
  } else if (wanted.dtype != seen.dtype || wanted.shape != seen.shape) {
    return false;
  }
  const std::optional<std::vector<int64_t>> ints = ConstInts(const_cast<Node&>(node).out());
  const std::optional<std::vector<int64_t>> wanted_ints = ConstInts(const_cast<Node&>(part).out());
  if (ints && wanted_ints) return *ints == *wanted_ints;
  const auto doubles = ConstDoubles(const_cast<Node&>(node).out());
  const auto wanted_doubles = ConstDoubles(const_cast<Node&>(part).out());
  if (!doubles || !wanted_doubles) return false;
  if (seen.dtype == wanted.dtype) return *doubles == *wanted_doubles;
  // A literal: as exactly as the dtype of the graph can hold it.
  return std::ranges::equal(*doubles, *wanted_doubles, [&](double value, double expected) {
    return value == expected ||
           (seen.dtype == DataType::kFloat && value == static_cast<float>(expected));
  });
}

bool SameAttrs(const Node& part, const Node& node) {
  const Table attrs = OpRow(node.type()).Find("attrs");
  for (uint32_t i = 0; i < attrs.size(); ++i) {
    const std::string_view name = attrs.KeyAt(i);
    if (AttrOrDefault(part, name) != AttrOrDefault(node, name)) return false;
  }
  return true;
}

}  // namespace

Matcher::Matcher(const Graph& pattern, MatchRules rules) : pattern_(pattern), rules_(rules) {
  const Node* results = pattern.net_output();
  if (results == nullptr || results->input_count() == 0) {
    fault_ = "it has no output";
    return;
  }
  for (size_t i = 0; i < results->input_count(); ++i) {
    const std::string output = "output " + std::to_string(i);
    if (!results->input(i)) {
      fault_ = output + " is not set";
    } else if (!IsPart(*results->input(i).node)) {
      fault_ = output + " is one of its inputs";
    }
  }
  if (fault_.empty()) PlanSteps();
}

// Orders the nodes of the pattern so that each is a neighbour of one before it, where there is any.
void Matcher::PlanSteps() {
  std::vector<bool> planned(pattern_.size());
  std::vector<const Node*> queue;  // planned, or Data that a planned node reads
  const auto plan = [&](const Step& step) {
    planned[step.node->index()] = true;
    if (IsPart(*step.node)) steps_.push_back(step);
    queue.push_back(step.node);
  };
  const auto plan_neighbours = [&](const Node& node) {
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (input && !planned[input.node->index()]) {
        plan({input.node, &node, static_cast<int32_t>(i), std::nullopt});
      }
    }
    std::vector<Use> uses;
    for (size_t i = 0; i < node.output_count(); ++i) {
      uses.insert(uses.end(), node.uses(i).begin(), node.uses(i).end());
    }
    std::ranges::sort(uses, {},
                      [](const Use& use) { return std::pair(use.node->index(), use.input); });
    for (const Use& use : uses) {
      if (IsPart(*use.node) && !planned[use.node->index()]) {
        plan({use.node, nullptr, 0, use.input});
      }
    }
  };
  std::vector<const Node*> roots;
  for (size_t i = 0; i < pattern_.net_output()->input_count(); ++i) {
    roots.push_back(pattern_.net_output()->input(i).node);
  }
  for (const auto& node : pattern_.nodes()) roots.push_back(node.get());
  for (const Node* root : roots) {
    if (planned[root->index()] || !IsPart(*root)) continue;
    plan({root, nullptr, 0, std::nullopt});
    for (; !queue.empty();) {
      const Node* next = queue.front();
      queue.erase(queue.begin());
      plan_neighbours(*next);
    }
  }
  if (steps_.empty()) fault_ = "it has no operator";
}

std::vector<Node*> Matcher::Candidates(const Step& step) const {
  if (step.reader != nullptr) {
    const Value part = step.reader->input(static_cast<size_t>(step.reader_input));
    const Value value = bound_[step.reader->index()]->input(static_cast<size_t>(step.reader_input));
    if (!value || value.index != part.index) return {};
    return {value.node};
  }
  if (!step.own_input) {
    std::vector<Node*> all;
    for (const auto& node : graph_->nodes()) {
      if (node->type() == step.node->type()) all.push_back(node.get());
    }
    return all;
  }
  const Value value = ValueOf(step.node->input(static_cast<size_t>(*step.own_input)));
  if (!value) return {};
  std::vector<Node*> readers;
  for (const Use& use : value.node->uses(static_cast<size_t>(value.index))) {
    if (use.input == *step.own_input) readers.push_back(use.node);
  }
  std::ranges::sort(readers, {}, &Node::index);
  return readers;
}

Value Matcher::ValueOf(Value part) const {
  if (IsData(*part.node)) return data_[part.node->index()];
  Node* node = bound_[part.node->index()];
  if (node == nullptr || static_cast<size_t>(part.index) >= node->output_count()) return {};
  return node->out(part.index);
}

bool Matcher::Agree(const Node& part, const Node& node) const {
  if (part.type() != node.type() || !node.subgraphs().empty()) return false;
  if (part.is_const()) {
    const bool compares = rules_.const_values || part.attrs().Find(kLiteral) != nullptr;
    return !compares || SameConstants(part, node);
  }
  if (InputCount(part) != InputCount(node)) return false;
  for (size_t i = 0; i < InputCount(part); ++i) {
    if (static_cast<bool>(part.input(i)) != static_cast<bool>(node.input(i))) return false;
  }
  if (HasDynamicOutputs(part) && part.output_count() != node.output_count()) return false;
  return !rules_.attrs || SameAttrs(part, node);
}

// Binds a node and the values that it reads; what was bound on a failure is undone by Unbind.
bool Matcher::Bind(const Node& part, Node& node) {
  if (!Agree(part, node)) return false;
  if (!part.is_const()) {
    for (const auto& other : pattern_.nodes()) {
      if (bound_[other->index()] == &node) return false;
    }
  }
  bound_[part.index()] = &node;
  for (size_t i = 0; i < InputCount(part); ++i) {
    const Value wanted = part.input(i), seen = node.input(i);
    if (!wanted) continue;
    if (IsData(*wanted.node)) {
      Value& data = data_[wanted.node->index()];
      if (!data) {
        data = seen;
        touched_.push_back(wanted.node);
      } else if (data != seen) {
        return false;
      }
    } else if (const Node* producer = bound_[wanted.node->index()]) {
      if (seen.node != producer || seen.index != wanted.index) return false;
    }
  }
  // Nodes bound before that read this one.
  for (size_t i = 0; i < part.output_count(); ++i) {
    for (const Use& use : part.uses(i)) {
      const Node* reader = IsPart(*use.node) ? bound_[use.node->index()] : nullptr;
      if (reader == nullptr) continue;
      const Value read = reader->input(static_cast<size_t>(use.input));
      if (read.node != &node || read.index != static_cast<int32_t>(i)) return false;
    }
  }
  return true;
}

void Matcher::Unbind(size_t bound_values) {
  while (touched_.size() > bound_values) {
    data_[touched_.back()->index()] = {};
    touched_.pop_back();
  }
}

bool Matcher::IsClosed() const {
  std::unordered_set<const Node*> inside;
  for (const Step& step : steps_) {
    if (!step.node->is_const()) inside.insert(bound_[step.node->index()]);
  }
  for (const Node* data : touched_) {
    if (inside.contains(data_[data->index()].node))
      return false;  // what enters is not computed inside
  }
  for (const Step& step : steps_) {
    if (step.node->is_const()) continue;
    const Node& node = *bound_[step.node->index()];
    for (size_t i = 0; i < node.output_count(); ++i) {
      const bool known = i < step.node->output_count();
      const bool is_output = known && std::ranges::any_of(step.node->uses(i), [](const Use& use) {
                               return use.node->type() == "NetOutput";
                             });
      if (is_output) continue;
      // Readers inside were compared edge by edge only from the pattern's side: another edge
      // between the same nodes is a reader that the pattern does not have.
      const size_t wanted = known ? step.node->uses(i).size() : 0;
      if (node.uses(i).size() != wanted) return false;
      for (const Use& use : node.uses(i)) {
        if (!inside.contains(use.node)) return false;
      }
    }
  }
  return true;
}

bool Matcher::Fit(size_t index) {
  if (index == steps_.size()) return IsClosed();
  const Step& step = steps_[index];
  const size_t values = touched_.size();
  for (Node* candidate : Candidates(step)) {
    if (Bind(*step.node, *candidate) && Fit(index + 1)) return true;
    bound_[step.node->index()] = nullptr;
    Unbind(values);
  }
  return false;
}

Place Matcher::Found() const {
  Place place;
  for (const auto& node : pattern_.nodes()) {
    if (IsPart(*node)) place.nodes.push_back(bound_[node->index()]);
  }
  for (const Node* input : pattern_.InputNodes()) {
    const int64_t* index = input->attrs().Get<int64_t>("index");
    const size_t at = index == nullptr ? 0 : static_cast<size_t>(*index);
    if (place.inputs.size() <= at) place.inputs.resize(at + 1);
    if (input->uses(0).empty()) continue;
    const Use& use = input->uses(0).front();
    place.inputs[at] = {bound_[use.node->index()], static_cast<size_t>(use.input)};
  }
  for (size_t i = 0; i < pattern_.net_output()->input_count(); ++i) {
    place.outputs.push_back(ValueOf(pattern_.net_output()->input(i)));
  }
  return place;
}

std::vector<Place> Matcher::FindAll(const Graph& graph) {
  std::vector<Place> places;
  if (!fault_.empty()) return places;
  graph_ = &graph;
  const Node& first = *steps_.front().node;
  for (const auto& node : graph.nodes()) {
    if (node->type() != first.type()) continue;
    bound_.assign(pattern_.size(), nullptr);
    data_.assign(pattern_.size(), {});
    touched_.clear();
    if (Bind(first, *node) && Fit(1)) places.push_back(Found());
  }
  return places;
}

namespace {

// Whether all that is computed inside leaves through one node. What comes back from there would be
// read by what that node is computed from: a cycle that the graph has not.
bool HasOneWayOut(const std::vector<Node*>& nodes, const std::unordered_set<const Node*>& inside) {
  size_t ways = 0;
  for (const Node* node : nodes) {
    if (node->is_const()) continue;
    bool leaves = false;
    for (size_t i = 0; i < node->output_count() && !leaves; ++i) {
      leaves = std::ranges::any_of(node->uses(i),
                                   [&](const Use& use) { return !inside.contains(use.node); });
    }
    if (!leaves && !node->has_uses()) return false;
    ways += leaves ? 1 : 0;
  }
  return ways <= 1;
}

}  // namespace

bool ClosesCycle(const std::vector<Node*>& nodes) {
  const std::unordered_set<const Node*> inside(nodes.begin(), nodes.end());
  if (HasOneWayOut(nodes, inside)) return false;
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> open;
  const auto follow = [&](const Node& node, bool from_inside) {
    for (size_t i = 0; i < node.output_count(); ++i) {
      for (const Use& use : node.uses(i)) {
        if (inside.contains(use.node)) {
          if (!from_inside) return true;
        } else if (seen.insert(use.node).second) {
          open.push_back(use.node);
        }
      }
    }
    return false;
  };
  for (const Node* node : nodes) {
    // A constant is copied where others read it too.
    if (!node->is_const()) follow(*node, true);
  }
  while (!open.empty()) {
    const Node* next = open.back();
    open.pop_back();
    if (follow(*next, false)) return true;
  }
  return false;
}

}  // namespace ge
