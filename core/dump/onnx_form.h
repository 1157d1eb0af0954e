#pragma once

#include <string>

#include "api/dump.h"
#include "ir/graph.h"

namespace ge {

// A graph of GE operators in the form of an onnx.ModelProto, serialized, as ATC dumps it: types are
// "ge:Conv2D", tensors "node:0", descriptors attributes such as "input_desc_shape:0", branches
// attributes "subgraph:0".  With DumpRequest::Detail::kFull a Const has its bytes.
std::string OnnxForm(const Graph& graph, DumpRequest::Detail detail);

}  // namespace ge
