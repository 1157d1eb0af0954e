#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"

// Making sure that a rewrite by somebody else left a graph that the compile can go on with.
namespace ge {

// What the outputs of a graph and of its subgraphs were before.
struct Signature {
  struct Output {
    TensorDesc desc;
    bool own_buffer;  // it is computed by a node, and no other output is the same value
  };
  std::unordered_map<const Graph*, std::vector<Output>> outputs;  // only looked up
};
Signature SignatureOf(const Graph& graph);

// Sorts the graph and its subgraphs, takes out what nobody reads, infers all shapes again, and
// gives outputs that were values of their own, and are not any more, a copy.  A text that is
// returned says what is wrong: a cycle, a missing input, an output or an input of a node of another
// dtype or shape.
std::string CheckRewritten(Graph& graph, const Signature& before);

}  // namespace ge
