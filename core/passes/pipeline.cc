#include "passes/pipeline.h"

#include <string>

namespace ge {
namespace {

// A pass that depends on its place says why.
constexpr Pass kPipeline[] = {
    {"InferShapes", InferShapes},
    // After shapes: a result is folded only when its size is known.
    {"FoldConstants", FoldConstants},
    {"RemoveEmptyOperands", RemoveEmptyOperands},
    // After folding and RemoveEmptyOperands, which leave constants and single operands behind.
    {"RemoveIdentity", RemoveIdentity},
    // Bias first and last: sums stand between a convolution and its norm, and behind its scale.
    {"FuseConvBias", FuseConvBias},
    {"FuseConvBatchNorm", FuseConvBatchNorm},
    {"FuseConvScale", FuseConvScale},
    {"FuseConvBias", FuseConvBias},
    {"AbsorbTranspose", AbsorbTranspose},
    // The others leave nodes without readers.
    {"RemoveDeadNodes", RemoveDeadNodes},
    // Last: nothing may make a result of a loop a view again.
    {"CopyLoopResults", CopyLoopResults},
};

Status CheckAfter([[maybe_unused]] const Pass& pass, [[maybe_unused]] const Graph& graph) {
#ifdef GE_DEVELOPER
  if (const std::string fault = Verify(graph); !fault.empty()) {
    return Error(ErrorId::kE19999,
                 {{"reason", "after pass " + std::string(pass.name) + ": " + fault}});
  }
#endif
  return Status::Ok();
}

}  // namespace

std::span<const Pass> Pipeline() {
  return kPipeline;
}

const Pass* FindPass(std::string_view name) {
  for (const Pass& pass : kPipeline) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

Result<bool> RunPass(const Pass& pass, Graph& graph) {
  bool changed = false;
  for (const auto& node : graph.nodes()) {
    for (const auto& subgraph : node->subgraphs()) {
      GE_ASSIGN(const bool inner, RunPass(pass, *subgraph));
      changed |= inner;
    }
  }
  GE_ASSIGN(const bool outer, pass.fn(graph));
  GE_TRY(CheckAfter(pass, graph));
  return changed || outer;
}

Status RunPipeline(Graph& graph, const std::atomic<bool>* cancelled) {
  for (const Pass& pass : kPipeline) {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) {
      return Status(
          Problem{.id = ErrorId::kInterrupted, .message = "", .cause = "", .solution = ""});
    }
    GE_ASSIGN([[maybe_unused]] const bool changed, RunPass(pass, graph));
  }
  return Status::Ok();
}

}  // namespace ge
