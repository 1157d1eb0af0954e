#pragma once

#include <string_view>

#include "api/passes.h"
#include "base/status.h"
#include "ir/graph.h"

namespace ge {

// Rewrites one graph, without looking into the subgraphs of its nodes.  True when something
// changed.  A pass leaves the graph in topological order.
using PassFn = Result<bool> (*)(Graph& graph);

struct Pass {
  PassInfo info;
  PassFn fn;
};

// Each is described in the file named after it.
Result<bool> InferShapes(Graph& graph);
Result<bool> FoldConstants(Graph& graph);
Result<bool> SimplifyReshape(Graph& graph);
Result<bool> RemoveEmptyOperands(Graph& graph);
Result<bool> RemoveIdentity(Graph& graph);
Result<bool> ShareConstants(Graph& graph);
Result<bool> ShareResults(Graph& graph);
Result<bool> RemoveNoOps(Graph& graph);
Result<bool> MergeCasts(Graph& graph);
Result<bool> MergeSlices(Graph& graph);
Result<bool> FuseLstmCell(Graph& graph);
Result<bool> MergeTransposes(Graph& graph);
Result<bool> TransposeToView(Graph& graph);
Result<bool> MergeViews(Graph& graph);
Result<bool> AbsorbPadConv(Graph& graph);
Result<bool> AbsorbPadPool(Graph& graph);
Result<bool> FuseGelu(Graph& graph);
Result<bool> FuseSwish(Graph& graph);
Result<bool> FuseHardSwish(Graph& graph);
Result<bool> FuseLayerNorm(Graph& graph);
Result<bool> FuseRmsNorm(Graph& graph);
Result<bool> FuseSoftmax(Graph& graph);
Result<bool> FuseConvBias(Graph& graph);
Result<bool> FuseConvBatchNorm(Graph& graph);
Result<bool> FuseConvScale(Graph& graph);
Result<bool> SinkAxisMaps(Graph& graph);
Result<bool> FuseMatMulBias(Graph& graph);
Result<bool> FuseMatMulScale(Graph& graph);
Result<bool> AbsorbTranspose(Graph& graph);
Result<bool> RemoveDeadNodes(Graph& graph);
Result<bool> CopyLoopResults(Graph& graph);

}  // namespace ge
