#pragma once

#include <memory>

#include "aclop/key.h"
#include "base/status.h"
#include "ir/graph.h"

namespace ge::hooks {
class Operators;
}

namespace ge::aclop {

// The graph of one operator.
struct OpGraph {
  std::unique_ptr<Graph> graph;  // Data and Const nodes, what computes the operator, NetOutput
  std::vector<Value> results;    // per output
  // Per Data node, by its index: which input of the definition it is.
  std::vector<size_t> data_inputs;
};

struct OpGraphOptions {
  // Leave dims of variable inputs open, so that the operator runs with any.
  bool generalize = false;
  bool checks_outputs = true;
  // Data nodes have the names of their descriptions, where these have one.
  bool names_inputs = false;
  std::string node_name;                  // "Add1"
  hooks::Operators* operators = nullptr;  // of the user, in Python; may be null
};

// Checks the definition against the prototype of its type, all ports and attributes at once, and
// infers shapes.  Failures are about the operator by its node name: E14001, and E10501 for types.
Result<OpGraph> BuildOpGraph(const OpDefinition& definition, const OpGraphOptions& options);

// Whether what was inferred for an output is what the definition says, where it says something.
Status CheckOutputs(const OpDefinition& definition, const std::string& node_name,
                    const std::vector<Value>& results);

}  // namespace ge::aclop
