#pragma once

#include <string_view>

#include "base/status.h"
#include "ir/graph.h"

namespace ge {

// Rewrites one graph, without looking into the subgraphs of its nodes.  True when something
// changed.  A pass leaves the graph in topological order.
using PassFn = Result<bool> (*)(Graph& graph);

struct Pass {
  std::string_view name;
  PassFn fn;
};

// Each is described in the file named after it.
Result<bool> InferShapes(Graph& graph);
Result<bool> FoldConstants(Graph& graph);
Result<bool> RemoveEmptyOperands(Graph& graph);
Result<bool> RemoveIdentity(Graph& graph);
Result<bool> FuseConvBias(Graph& graph);
Result<bool> FuseConvBatchNorm(Graph& graph);
Result<bool> FuseConvScale(Graph& graph);
Result<bool> AbsorbTranspose(Graph& graph);
Result<bool> RemoveDeadNodes(Graph& graph);
Result<bool> CopyLoopResults(Graph& graph);

}  // namespace ge
