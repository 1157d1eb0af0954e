#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

// Finding the places of a graph that look like a pattern, which is a graph too: its Data nodes
// stand for any value.
namespace ge {

// An attribute of pattern and replacement constants that were written as plain numbers.  In a
// pattern they stand for that number alone, in a replacement their dtype follows the tensor that
// they are combined with.
inline constexpr std::string_view kLiteral = "_ge_literal";

struct MatchRules {
  bool const_values = false;  // constants must have the values of the pattern's
  bool attrs = false;         // attributes of the prototype must be equal, defaults included
};

// A part of a graph that another graph can take the place of.
struct Place {
  // What is taken out, one per node of the pattern in its order, Data left out; a constant may be
  // there several times.
  std::vector<Node*> nodes;
  // Who reads the values that enter, by the index of the pattern's Data node: an input of one of
  // `nodes`.  No node where nothing reads it.
  struct Port {
    Node* node = nullptr;
    size_t input = 0;

    Value value() const { return node == nullptr ? Value{} : node->input(input); }
    auto operator<=>(const Port&) const = default;
  };
  std::vector<Port> inputs;
  // Values of `nodes` that others read.
  std::vector<Value> outputs;
};

// A pattern that can be matched, and what its nodes are bound to.
class Matcher {
 public:
  // The pattern has a NetOutput, is sorted, and must outlive this object.
  Matcher(const Graph& pattern, MatchRules rules);

  // Why nothing can match: "it has no output".  Empty when it can.
  const std::string& fault() const { return fault_; }

  // For each node of `graph` that can be the first output of the pattern, in order, the first way
  // in which the pattern fits there.  Places may overlap.  A node stands for one node of the
  // pattern, a constant for several.  A value that the pattern does not give as an output has no
  // readers beside the pattern's.
  std::vector<Place> FindAll(const Graph& graph);

 private:
  struct Step {
    const Node* node;
    // What leads to candidates: the producer of this input of a bound node...
    const Node* reader = nullptr;
    int32_t reader_input = 0;
    // ... or a reader, at this input of `node`, of the same value; without either, any node.
    std::optional<int32_t> own_input;
  };

  void PlanSteps();
  std::vector<Node*> Candidates(const Step& step) const;
  bool Fit(size_t step);
  bool Bind(const Node& part, Node& node);
  void Unbind(size_t bound_values);
  bool Agree(const Node& part, const Node& node) const;
  bool IsClosed() const;
  Place Found() const;
  Value ValueOf(Value part) const;

  const Graph& pattern_;
  MatchRules rules_;
  std::string fault_;
  std::vector<Step> steps_;
  const Graph* graph_ = nullptr;      // that is searched
  std::vector<Node*> bound_;          // by index of the pattern's node
  std::vector<Value> data_;           // by index of the pattern's Data node in nodes()
  std::vector<const Node*> touched_;  // Data nodes in the order in which they were bound
};

// Whether some value that leaves `nodes` comes back into them: one node in their place would have
// to run before itself.
bool ClosesCycle(const std::vector<Node*>& nodes);

}  // namespace ge
