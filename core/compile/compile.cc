// The stages of a compile, from the mapped source to the OM file.
#include "api/compile.h"

#include "frontend/onnx/importer.h"
#include "om/writer.h"
#include "passes/pipeline.h"
#include "plan/plan.h"
#include "precision/lower.h"
#include "precision/warnings.h"

namespace ge::api {

Result<CompileResult> Compile(const CompileRequest& request) {
  GE_ASSIGN(std::shared_ptr<const MappedFile> source,
            request.model_descriptor < 0
                ? MappedFile::Open(request.model_path)
                : MappedFile::Map(request.model_descriptor, request.model_path));

  onnx::ImportOptions options;
  options.graph_name = request.model_name + "_0";
  options.input_format = request.input_format;
  options.input_shapes = request.input_shapes;
  options.out_nodes = request.out_nodes;
  options.fold_floats = request.passes.fold_constants;
  options.drop_dead_branches = request.passes.drop_dead_branches;
  options.fp16_inputs = request.precision.fp16_inputs;
  options.cancelled = request.cancelled;
  GE_ASSIGN(onnx::ImportResult imported, onnx::Import(source, options));
  Graph& graph = *imported.graph;

  GE_TRY(RunPipeline(graph, request.passes, request.cancelled));
  GE_ASSIGN(Lowered lowered, LowerPrecision(graph, request.precision));

  const ModelLayout layout =
      LayOut(graph, PlanMemory(graph, request.reuse_memory, request.node_order));
  om::ModelFacts facts;
  facts.name = request.model_name;
  facts.soc_version = request.soc_version;
  facts.framework = request.framework;
  facts.command_line = request.command_line;
  facts.recorded_options = request.recorded_options;
  facts.clip_weights = request.precision.clip_weights;
  GE_ASSIGN(const std::vector<NarrowedConst> losses,
            om::WriteModel(request.output_path, layout, facts, request.cancelled));

  CompileResult result = {request.output_path, std::move(imported.warnings),
                          std::move(lowered.report)};
  std::vector<NarrowedConst>& constants = result.precision.constants;
  constants.insert(constants.end(), losses.begin(), losses.end());
  for (const auto& more : {lowered.warnings, PrecisionWarnings(result.precision)}) {
    result.warnings.insert(result.warnings.end(), more.begin(), more.end());
  }
  return result;
}

}  // namespace ge::api
