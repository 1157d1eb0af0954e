#include "aclop/write_model.h"

#include "aclop/model_attrs.h"
#include "hooks/operators.h"
#include "om/writer.h"
#include "passes/pipeline.h"
#include "precision/lower.h"
#include "precision/warnings.h"

namespace ge::aclop {

Status WriteModelOf(const OpDefinition& definition, Graph& graph, OpModelOptions options,
                    const std::string& path) {
  Progress progress;
  GE_TRY(RunPipeline(graph, PassPhase::kInferShapes, PassPhase::kCleanUp, options.passes,
                     {options.cancelled, progress, {}}));
  hooks::Operators* const operators = options.operators;
  GE_ASSIGN(Lowered lowered, LowerPrecision(graph, options.precision, progress,
                                            operators ? &operators->stores() : nullptr));
  if (operators != nullptr) {
    GE_TRY(operators->BuildKernels(graph));
    options.facts.kernels = operators->TakeKernels();
  }
  options.facts.attrs = ToModelAttrs(definition);
  options.facts.clip_weights = options.precision.clip_weights;
  const ModelLayout layout = LayOut(graph, PlanMemory(graph, true, NodeOrder::kStable));
  GE_ASSIGN(om::WrittenModel written,
            om::WriteModel(path, layout, options.facts, options.cancelled, progress));
  if (options.warnings == nullptr) return Status::Ok();
  std::vector<NarrowedConst>& constants = lowered.report.constants;
  constants.insert(constants.end(), written.losses.begin(), written.losses.end());
  for (const auto& more : {lowered.warnings, PrecisionWarnings(lowered.report)}) {
    options.warnings->insert(options.warnings->end(), more.begin(), more.end());
  }
  return Status::Ok();
}

}  // namespace ge::aclop
