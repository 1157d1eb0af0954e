#pragma once

#include <string_view>
#include <vector>

#include "frontend/onnx/builder.h"

// What If, Loop and Scan share.
namespace ge::onnx {

std::vector<std::string_view> OutputNames(const Graph& graph);

// The scope of a graph inside a node, with its initializers.
Names ScopeOf(const Graph& graph, const Names& around);

// Values of the outputs of an imported graph, sequences only where `builder` is that of the node. A
// missing one is a failure; an empty list when one
// was found faulty before.
Result<std::vector<Value>> ResultsOf(OnnxOp& op, GraphBuilder& builder, const Graph& graph,
                                     Names& names);

}  // namespace ge::onnx
