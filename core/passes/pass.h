#pragma once

#include <string_view>

#include "api/passes.h"
#include "base/status.h"
#include "ir/graph.h"

namespace ge {

// Rewrites one graph, without looking into the subgraphs of its nodes.  True when something
// changed.  A pass leaves the graph in topological order.
using PassFn = Result<size_t> (*)(Graph& graph);

// In the order in which they run.
enum class PassPhase : uint8_t {
  kInferShapes,
  kOptimize,
  kCleanUp,  // after everything that rewrites the network, before precision
  kAfterPrecision,
};

struct Pass {
  PassInfo info;
  PassFn fn;
  PassPhase phase = PassPhase::kOptimize;
};

// Each is described in the file named after it.
Result<size_t> InferShapes(Graph& graph);
Result<size_t> FuseQuantizedProduct(Graph& graph);
Result<size_t> FoldConstants(Graph& graph);
Result<size_t> SimplifyReshape(Graph& graph);
Result<size_t> RemoveDeadBranches(Graph& graph);
Result<size_t> RemoveEmptyOperands(Graph& graph);
Result<size_t> RemoveIdentity(Graph& graph);
Result<size_t> ShareConstants(Graph& graph);
Result<size_t> ShareResults(Graph& graph);
Result<size_t> RemoveNoOps(Graph& graph);
Result<size_t> MergeCasts(Graph& graph);
Result<size_t> MergeSlices(Graph& graph);
Result<size_t> FuseLstmCell(Graph& graph);
Result<size_t> MergeTransposes(Graph& graph);
Result<size_t> TransposeToView(Graph& graph);
Result<size_t> MergeViews(Graph& graph);
Result<size_t> AbsorbPadConv(Graph& graph);
Result<size_t> AbsorbPadPool(Graph& graph);
Result<size_t> FuseGelu(Graph& graph);
Result<size_t> FuseSwish(Graph& graph);
Result<size_t> FuseHardSwish(Graph& graph);
Result<size_t> FuseLayerNorm(Graph& graph);
Result<size_t> FuseRmsNorm(Graph& graph);
Result<size_t> FuseSoftmax(Graph& graph);
Result<size_t> FuseConvBias(Graph& graph);
Result<size_t> FuseConvBatchNorm(Graph& graph);
Result<size_t> FuseConvScale(Graph& graph);
Result<size_t> SinkAxisMaps(Graph& graph);
Result<size_t> FuseMatMulBias(Graph& graph);
Result<size_t> FuseMatMulScale(Graph& graph);
Result<size_t> FuseMaskedSoftmax(Graph& graph);
Result<size_t> AbsorbTranspose(Graph& graph);
Result<size_t> RemoveDeadNodes(Graph& graph);
Result<size_t> CopyLoopResults(Graph& graph);
Result<size_t> FuseActivation(Graph& graph);

}  // namespace ge
