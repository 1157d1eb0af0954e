#include <unistd.h>

#include "api/compile.h"
#include "atc/fusion_result.h"
#include "atc/progress_line.h"
#include "atc/run.h"
#include "base/hook_paths.h"
#include "options/paths.h"
#include "options/request.h"

namespace ge {
namespace {

void LogRequest(const CompileRequest& request, const Log& log) {
  log.Write(LogLevel::kInfo, "compiling " + request.model_path + " for " + request.soc_version);
  log.Write(LogLevel::kDebug, "command line: " + request.command_line);
  for (const NamedShape& input : request.input_shapes) {
    log.Write(LogLevel::kDebug, "input " + input.name + ": " + input.shape.ToString());
  }
  for (const auto& [name, value] : request.recorded_options) {
    log.Write(LogLevel::kDebug, "recorded: " + name + "=" + value);
  }
}

Result<CompileResult> CompileInView(const CompileRequest& request) {
  const ProgressLine line(api::ProgressOf(*request.record));
  return api::Compile(request);
}

}  // namespace

Status RunCompile(const Options& options, const RunContext& context) {
  CompileRequest request = MakeCompileRequest(options);
  request.cancelled = context.cancelled;
  request.record = context.record;
  request.dump = *context.dump;
  request.hooks = ReadHookPaths();
  LogRequest(request, *context.log);
  OutputFolders folders;
  if (const std::string reason = folders.Create(request.output_path); !reason.empty()) {
    return Error(ErrorId::kE10001,
                 {{"value", options.output}, {"parameter", "--output"}, {"reason", reason}});
  }
  OutputFolders dump_folders;
  if (request.dump.detail != DumpRequest::Detail::kNone) {
    const std::string reason = dump_folders.Create(request.dump.folder + "/x");
    if (!reason.empty())
      return Error(ErrorId::kE13000, {{"path", request.dump.folder}, {"errmsg", reason}});
  }
  FusionResult fusions;
  GE_TRY(fusions.Open(options, *context.log));
  GE_ASSIGN(const CompileResult result, CompileInView(request));
  context.log->Write(LogLevel::kInfo, "wrote " + result.om_path);
  context.log->Write(LogLevel::kInfo, std::to_string(result.lowered_nodes) +
                                          " nodes compute in a narrower type than in the network");
  context.warnings->insert(context.warnings->end(), result.warnings.begin(), result.warnings.end());
  Status status = fusions.AfterCompile(*request.record);
  if (options.display_model_info == "1" && status.ok()) status = RunShow(result.om_path);
  if (status.ok()) status = fusions.AtExit(*request.record);
  if (!status.ok()) ::unlink(result.om_path.c_str());  // a failed run leaves no model behind
  return status;
}

}  // namespace ge
