#include "passes/pipeline.h"

#include <algorithm>
#include <string>

namespace ge {
namespace {

using enum PassKind;

// A pass that depends on its place says why.
constexpr Pass kPipeline[] = {
    {{"InferShapes", "InferShapePass", kRequired}, InferShapes, PassPhase::kInferShapes},
    // Before folding, which would make float32 of weights.
    {{"FuseQuantizedProduct", "", kFusion}, FuseQuantizedProduct},
    // After shapes: a result is folded only when its size is known.
    {{"FoldConstants", "ConstantFoldingPass", kConstantFolding}, FoldConstants},
    {{"SimplifyReshape", "", kOptimization}, SimplifyReshape},
    // Again: SimplifyReshape makes more sizes known.
    {{"FoldConstants", "ConstantFoldingPass", kConstantFolding}, FoldConstants},
    {{"RemoveDeadBranches", "CondRemovePass", kDeadBranches}, RemoveDeadBranches},
    // Again: what a branch reads is known now.
    {{"FoldConstants", "ConstantFoldingPass", kConstantFolding}, FoldConstants},
    {{"RemoveEmptyOperands", "", kOptimization}, RemoveEmptyOperands},
    // After folding and RemoveEmptyOperands, which leave constants and single operands behind.
    {{"RemoveIdentity", "IdentityPass", kOptimization}, RemoveIdentity},
    {{"RemoveNoOps", "NoUseReshapeRemovePass", kOptimization}, RemoveNoOps},
    {{"ShareConstants", "ConstantFuseSamePass", kOptimization}, ShareConstants},
    // After ShareConstants, and before patterns, in which a value has one node.
    {{"ShareResults", "CommonSubexpressionEliminationPass", kOptimization}, ShareResults},
    {{"MergeCasts", "CastRemovePass", kOptimization}, MergeCasts},
    {{"MergeSlices", "", kOptimization}, MergeSlices},
    // Before passes that merge views, some of which it puts around.
    {{"FuseLstmCell", "", kFusion}, FuseLstmCell},
    {{"MergeTransposes", "TransOpSymmetryEliminationPass", kOptimization}, MergeTransposes},
    // After MergeTransposes, which does not look through views, and before MergeViews.
    {{"TransposeToView", "Dim1TransposeToSqueezePass", kOptimization}, TransposeToView},
    {{"MergeViews", "ReshapeRemovePass", kOptimization}, MergeViews},
    {{"AbsorbPadConv", "PadConv2dFusionPass", kFusion}, AbsorbPadConv},
    {{"AbsorbPadPool", "PadMaxPoolFusionPass", kFusion}, AbsorbPadPool},
    {{"FuseGelu", "", kFusion}, FuseGelu},
    {{"FuseSwish", "", kFusion}, FuseSwish},
    {{"FuseHardSwish", "", kFusion}, FuseHardSwish},
    {{"FuseLayerNorm", "LayerNormONNXFusionPass", kFusion}, FuseLayerNorm},
    // After FuseLayerNorm, whose pattern holds this one.
    {{"FuseRmsNorm", "", kFusion}, FuseRmsNorm},
    {{"FuseSoftmax", "", kFusion}, FuseSoftmax},
    // Bias first and last: sums stand between a convolution and its norm, and behind its scale.
    {{"FuseConvBias", "AABiasaddConvFusion", kBasicFusion}, FuseConvBias},
    {{"FuseConvBatchNorm", "ConvBatchnormFusionPass", kFusion}, FuseConvBatchNorm},
    {{"FuseConvScale", "ConvScaleFusionPass", kFusion}, FuseConvScale},
    {{"FuseConvBias", "AABiasaddConvFusion", kBasicFusion}, FuseConvBias},
    // After convolutions took over what stands behind their views.
    {{"SinkAxisMaps", "", kOptimization}, SinkAxisMaps},
    {{"FuseMatMulBias", "MatMulBiasAddFusionPass", kFusion}, FuseMatMulBias},
    // After FuseMatMulBias: a bias has to be scaled with its product.
    {{"FuseMatMulScale", "", kFusion}, FuseMatMulScale},
    // After FuseMatMulScale: weights hold a factor for nothing.
    {{"FuseMaskedSoftmax", "", kFusion}, FuseMaskedSoftmax},
    {{"AbsorbTranspose", "BatchMatMulTransposeFusionPass", kFusion}, AbsorbTranspose},
    // The others leave nodes without readers.
    {{"RemoveDeadNodes", "", kRequired}, RemoveDeadNodes, PassPhase::kCleanUp},
    // Last before precision: nothing may make a result of a loop a view again.
    {{"CopyLoopResults", "", kRequired}, CopyLoopResults, PassPhase::kCleanUp},
    // Last of all: no other pass, and no choice of a dtype, knows an activation that is held.
    {{"FuseActivation", "", kFusion}, FuseActivation, PassPhase::kAfterPrecision},
};

Status CheckAfter([[maybe_unused]] const Pass& pass, [[maybe_unused]] const Graph& graph) {
#ifdef GE_DEVELOPER
  if (const std::string fault = Verify(graph); !fault.empty()) {
    return Error(ErrorId::kE19999,
                 {{"reason", "after pass " + std::string(pass.info.name) + ": " + fault}});
  }
#endif
  return Status::Ok();
}

}  // namespace

bool IsSwitchedOn(const PassInfo& pass, const PassSwitches& switches) {
  if (pass.kind == kRequired) return true;
  for (auto row = switches.named.rbegin(); row != switches.named.rend(); ++row) {
    if (row->first == pass.name || row->first == pass.atc_name) return row->second;
  }
  const bool is_fusion = pass.kind == kFusion || pass.kind == kBasicFusion;
  if (is_fusion && switches.all_fusions) return *switches.all_fusions;
  if (pass.kind == kConstantFolding) return switches.fold_constants;
  if (pass.kind == kDeadBranches) return switches.drop_dead_branches;
  return pass.kind == kBasicFusion || switches.optimize;
}

std::span<const Pass> Pipeline() {
  return kPipeline;
}

const Pass* FindPass(std::string_view name) {
  for (const Pass& pass : kPipeline) {
    if (pass.info.name == name) return &pass;
  }
  return nullptr;
}

Result<size_t> RunPass(const Pass& pass, Graph& graph) {
  size_t places = 0;
  for (const auto& node : graph.nodes()) {
    for (const auto& subgraph : node->subgraphs()) {
      GE_ASSIGN(const size_t inner, RunPass(pass, *subgraph));
      places += inner;
    }
  }
  GE_ASSIGN(const size_t outer, pass.fn(graph));
  GE_TRY(CheckAfter(pass, graph));
  return places + outer;
}

Status RunPipeline(Graph& graph, PassPhase first, PassPhase last, const PassSwitches& switches,
                   const PipelineWatch& watch) {
  const auto is_wanted = [&](const Pass& pass) {
    return pass.phase >= first && pass.phase <= last;
  };
  // All phases count as one stage; the total comes last, since it makes the count be shown.
  const auto is_done = [&](const Pass& pass) { return pass.phase < first; };
  watch.progress.SetDone(static_cast<uint64_t>(std::ranges::count_if(kPipeline, is_done)));
  watch.progress.SetTotal(std::size(kPipeline));
  for (const Pass& pass : kPipeline) {
    if (!is_wanted(pass)) continue;
    if (watch.cancelled != nullptr && watch.cancelled->load(std::memory_order_relaxed)) {
      return Status(
          Problem{.id = ErrorId::kInterrupted, .message = "", .cause = "", .solution = ""});
    }
    if (IsSwitchedOn(pass.info, switches)) {
      GE_ASSIGN(const size_t places, RunPass(pass, graph));
      if (watch.after_pass) GE_TRY(watch.after_pass(pass, places));
    }
    watch.progress.Advance();
  }
  return Status::Ok();
}

}  // namespace ge
