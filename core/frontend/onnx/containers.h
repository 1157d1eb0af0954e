#pragma once

#include <deque>
#include <vector>

#include "frontend/onnx/model.h"
#include "ir/graph.h"

namespace ge::onnx {

// Sequences of tensors and optionals without an element.  GE has no such values: they exist while a
// model is imported, as values that no GE node reads or produces, and are gone when the graph is
// done.  An optional with an element is the element.
class Containers {
 public:
  // Null when the sequences of the model have grown beyond all that models need.
  Value Sequence(std::vector<Value> elements);
  Value EmptyOptional();

  bool Holds(Value value) const { return value && &value.node->graph() == &graph_; }
  // The elements of a sequence; nullptr for any other value.
  const std::vector<Value>* Elements(Value value) const;

 private:
  ge::Graph graph_{"containers"};  // a node stands for each; its index is that into sequences_
  std::deque<std::vector<Value>> sequences_;
  size_t elements_ = 0;
};

// Whether an operator is defined for sequences or optionals.
bool TakesContainers(const Node& node);

}  // namespace ge::onnx
