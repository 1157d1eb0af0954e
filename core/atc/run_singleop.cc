#include "api/single_ops.h"
#include "atc/run.h"
#include "base/hook_paths.h"
#include "options/paths.h"
#include "options/request.h"

namespace ge {

Status RunSingleOps(const Options& options, const RunContext& context) {
  SingleOpsRequest request = MakeSingleOpsRequest(options);
  request.cancelled = context.cancelled;
  request.hooks = ReadHookPaths();
  context.log->Write(LogLevel::kInfo, "compiling the operators of " + request.json_path + " for " +
                                          request.soc_version);
  OutputFolders folders;
  if (const std::string reason = folders.Create(request.output_folder + "/x"); !reason.empty()) {
    return Error(ErrorId::kE10001,
                 {{"value", options.output}, {"parameter", "--output"}, {"reason", reason}});
  }
  SingleOpsResult result;
  Status status = api::CompileSingleOps(request, &result);
  for (const std::string& path : result.om_paths) {
    context.log->Write(LogLevel::kInfo, "wrote " + path);
  }
  context.warnings->insert(context.warnings->end(), result.warnings.begin(), result.warnings.end());
  return status;
}

}  // namespace ge
