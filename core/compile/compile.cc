// The stages of a compile, from the mapped source to the OM file.
#include "api/compile.h"

#include "dump/dumper.h"
#include "frontend/onnx/importer.h"
#include "hooks/graph_passes.h"
#include "hooks/operators.h"
#include "om/writer.h"
#include "passes/pipeline.h"
#include "plan/plan.h"
#include "precision/lower.h"
#include "precision/warnings.h"
#include "report/record.h"

namespace ge::api {
namespace {

onnx::ImportOptions ImportOptionsOf(const CompileRequest& request, Progress& progress,
                                    hooks::Operators* operators) {
  onnx::ImportOptions options;
  options.graph_name = request.model_name + "_0";
  options.input_format = request.input_format;
  options.input_shapes = request.input_shapes;
  options.out_nodes = request.out_nodes;
  options.fold_floats = request.passes.fold_constants;
  options.keep_bytes = true;
  options.drop_dead_branches = request.passes.drop_dead_branches;
  options.fp16_inputs = request.precision.fp16_inputs;
  options.cancelled = request.cancelled;
  options.progress = &progress;
  options.operators = operators;
  return options;
}

om::ModelFacts ModelFactsOf(const CompileRequest& request) {
  om::ModelFacts facts;
  facts.name = request.model_name;
  facts.soc_version = request.soc_version;
  facts.framework = request.framework;
  facts.command_line = request.command_line;
  facts.recorded_options = request.recorded_options;
  facts.clip_weights = request.precision.clip_weights;
  return facts;
}

// What a graph pass may ask for.
std::vector<std::pair<std::string, std::string>> PassOptionsOf(const CompileRequest& request) {
  std::vector<std::pair<std::string, std::string>> options = request.recorded_options;
  options.emplace_back("ge.socVersion", request.soc_version);
  options.emplace_back("ge.framework", request.framework);
  return options;
}

Result<CompileResult> RunStages(const CompileRequest& request, CompileRecord& record) {
  Progress& progress = record.progress;
  progress.Begin(Stage::kImport);
  GE_ASSIGN(const GraphPasses user_passes, GraphPasses::Load(request.hooks));
  GE_ASSIGN(std::shared_ptr<const MappedFile> source,
            request.model_descriptor < 0
                ? MappedFile::Open(request.model_path)
                : MappedFile::Map(request.model_descriptor, request.model_path));
  GE_ASSIGN(const std::unique_ptr<hooks::Operators> operators,
            hooks::Operators::Open(request.hooks, request.operators, request.soc_version));
  GE_ASSIGN(onnx::ImportResult imported,
            onnx::Import(source, ImportOptionsOf(request, progress, operators.get())));
  Graph& graph = *imported.graph;
  om::ModelFacts facts = ModelFactsOf(request);
  Dumper dumper(request.dump, facts);
  GE_TRY(dumper.Dump("PreRunBegin", graph));

  progress.Begin(Stage::kPasses);
  const auto note_pass = [&](const Pass& pass, size_t places) {
    record.passes.push_back({pass.info, places, places});
    return Status::Ok();
  };
  const PipelineWatch watch = {request.cancelled, progress, note_pass};
  const auto run_passes = [&](PassPhase phase) {
    progress.Begin(Stage::kPasses);
    return RunPipeline(graph, phase, phase, request.passes, watch);
  };
  const auto options = PassOptionsOf(request);
  const auto run_user_passes = [&](std::string_view stage, std::string_view dump) {
    if (!user_passes.Has(stage)) return Status::Ok();
    GE_TRY(user_passes.Run(
        stage, graph, {request.passes, options, request.cancelled, record, &imported.warnings}));
    return dumper.Dump(dump, graph);
  };
  GE_TRY(run_user_passes("BeforeInferShape", "RunCustomPassBeforeInfershape"));
  GE_TRY(run_passes(PassPhase::kInferShapes));
  GE_TRY(dumper.Dump("AfterInfershape", graph));
  GE_TRY(run_user_passes("AfterInferShape", "RunCustomPass_AfterInferShape"));
  GE_TRY(run_passes(PassPhase::kOptimize));
  GE_TRY(run_user_passes("AfterBuiltinFusionPass", "RunCustomPassAfterBuiltinFusionPass"));
  GE_TRY(run_passes(PassPhase::kCleanUp));
  GE_TRY(dumper.Dump("PreRunAfterOptimizeOriginalGraph", graph));

  progress.Begin(Stage::kPrecision, graph.size());
  GE_ASSIGN(Lowered lowered, LowerPrecision(graph, request.precision, progress,
                                            operators ? &operators->stores() : nullptr));
  GE_TRY(dumper.Dump("AfterPrecisionRefine", graph));

  progress.Begin(Stage::kPasses);
  GE_TRY(run_user_passes("AfterOriginGraphOptimize", "RunCustomPassAfterOriginGraphOptimize"));
  GE_TRY(run_passes(PassPhase::kAfterPrecision));
  GE_TRY(dumper.Dump("PreRunAfterOptimizeGraphBeforeBuild", graph));

  if (operators != nullptr) {
    GE_TRY(operators->BuildKernels(graph));
    facts.kernels = operators->TakeKernels();
  }

  progress.Begin(Stage::kPlan, graph.size());
  ModelLayout layout = LayOut(graph, PlanMemory(graph, request.reuse_memory, request.node_order));

  GE_TRY(dumper.Dump("Build", layout));

  progress.Begin(Stage::kWrite);
  GE_ASSIGN(om::WrittenModel written,
            om::WriteModel(request.output_path, layout, facts, request.cancelled, progress));
  GE_TRY(dumper.Dump("PreRunAfterBuild", layout));

  std::vector<NarrowedConst>& constants = lowered.report.constants;
  constants.insert(constants.end(), written.losses.begin(), written.losses.end());
  CompileResult result = {request.output_path, std::move(imported.warnings),
                          lowered.report.lowered.size()};
  if (operators != nullptr) {
    result.warnings.insert(result.warnings.end(), operators->warnings().begin(),
                           operators->warnings().end());
  }
  for (const auto& more : {lowered.warnings, PrecisionWarnings(lowered.report)}) {
    result.warnings.insert(result.warnings.end(), more.begin(), more.end());
  }
  ForgetConstants(graph);
  record.graph = std::move(imported.graph);
  record.layout = std::move(layout);
  record.precision = std::move(lowered.report);
  record.written = std::move(written);
  return result;
}

}  // namespace

Result<CompileResult> Compile(const CompileRequest& request) {
  Result<CompileResult> result = RunStages(request, *request.record);
  request.record->progress.Stop();
  return result;
}

}  // namespace ge::api
