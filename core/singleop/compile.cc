// The file of --singleop -> operators -> the graph of one node each -> models.
#include <unistd.h>

#include <algorithm>

#include "aclop/write_model.h"
#include "api/single_ops.h"
#include "hooks/operators.h"
#include "singleop/cache.h"
#include "singleop/reader.h"

namespace ge::api {

using singleop::SingleOp;

namespace {

bool IsFor(const CustomDtypes& custom, const SingleOp& op) {
  return custom.name == (custom.is_type ? op.definition.type : op.node_name);
}

// Only what the flags say of this operator: that others are not in its graph is no fault.
PrecisionRequest PrecisionOf(const SingleOp& op, const PrecisionRequest& all) {
  PrecisionRequest precision = all;
  std::erase_if(precision.custom, [&](const CustomDtypes& custom) { return !IsFor(custom, op); });
  return precision;
}

void WarnOfUnused(const std::vector<SingleOp>& ops, const SingleOpsRequest& request,
                  std::vector<Problem>& warnings) {
  for (const CustomDtypes& custom : request.precision.custom) {
    if (std::any_of(ops.begin(), ops.end(),
                    [&](const SingleOp& op) { return IsFor(custom, op); })) {
      continue;
    }
    warnings.push_back(MakeProblem(
        ErrorId::kW10001,
        {{"parameter", "--customize_dtypes"},
         {"reason", "no operator has the " + std::string(custom.is_type ? "type" : "name") + " [" +
                        custom.name + "]"}}));
  }
}

Status CompileOne(const SingleOp& op, const SingleOpsRequest& request, const std::string& path,
                  singleop::ModelCache& cache, hooks::Operators* operators,
                  std::vector<Problem>* warnings) {
  const PrecisionRequest precision = PrecisionOf(op, request.precision);
  // Files of an operator in Python may change.
  const bool cached =
      operators == nullptr || operators->stores().Find(op.definition.type) == nullptr;
  if (cached) {
    GE_ASSIGN(const bool taken, cache.Take(op, precision, path));
    if (taken) return Status::Ok();
  }
  aclop::OpGraphOptions graph_options;
  graph_options.names_inputs = true;
  graph_options.node_name = op.node_name;
  graph_options.operators = operators;
  GE_ASSIGN(const aclop::OpGraph graph, aclop::BuildOpGraph(op.definition, graph_options));
  GE_TRY(aclop::CheckOutputs(op.definition, op.node_name, graph.results));
  aclop::OpModelOptions options;
  options.facts.name = op.file_name.substr(0, op.file_name.rfind('.'));
  options.facts.soc_version = request.soc_version;
  options.facts.command_line = request.command_line;
  options.facts.recorded_options = request.recorded_options;
  options.passes = request.passes;
  options.precision = precision;
  options.cancelled = request.cancelled;
  options.warnings = warnings;
  options.operators = operators;
  GE_TRY(aclop::WriteModelOf(op.definition, *graph.graph, std::move(options), path));
  // A model from the cache would come without them.
  if (cached && warnings->empty()) cache.Keep(op, precision, path, warnings);
  return Status::Ok();
}

// The problem with the place in the file that it is about.
Problem At(const std::string& where, Problem problem) {
  if (problem.id != ErrorId::kInterrupted) problem.message = where + ": " + problem.message;
  return problem;
}

bool IsCancelled(const SingleOpsRequest& request) {
  return request.cancelled != nullptr && *request.cancelled;
}

Status Interrupted(SingleOpsResult* result) {
  for (const std::string& path : result->om_paths) ::unlink(path.c_str());
  result->om_paths.clear();
  return Status(Problem{ErrorId::kInterrupted, "", "", ""});
}

}  // namespace

Status CompileSingleOps(const SingleOpsRequest& request, SingleOpsResult* result) {
  GE_ASSIGN(singleop::SingleOps read, singleop::ReadSingleOps(request.json_path));
  result->warnings = std::move(read.warnings);
  WarnOfUnused(read.ops, request, result->warnings);
  GE_ASSIGN(const std::unique_ptr<hooks::Operators> operators,
            hooks::Operators::Open(request.hooks, request.operators, request.soc_version));
  Status faults;
  singleop::ModelCache cache(request);
  for (const SingleOp& op : read.ops) {
    const std::string path = request.output_folder + "/" + op.file_name;
    std::vector<Problem> warnings;
    const Status status = CompileOne(op, request, path, cache, operators.get(), &warnings);
    if (status.ok()) result->om_paths.push_back(path);
    if (IsCancelled(request)) return Interrupted(result);
    for (const Problem& warning : warnings) result->warnings.push_back(At(op.where, warning));
    for (const Problem& problem : status.problems()) faults.Add(Status(At(op.where, problem)));
  }
  return faults;
}

}  // namespace ge::api
