#include "api/model_info.h"
#include "atc/run.h"
#include "options/paths.h"

namespace ge {

Status RunConvert(const Options& options, const RunContext& context) {
  OutputFolders folders;
  if (const std::string reason = folders.Create(options.json); !reason.empty()) {
    return Error(ErrorId::kE10001,
                 {{"value", options.json}, {"parameter", "--json"}, {"reason", reason}});
  }
  context.log->Write(LogLevel::kInfo, "writing " + options.om + " as " + options.json);
  const bool is_onnx = options.framework == 5;
  return is_onnx ? api::ConvertOnnxToJson(options.om, options.json, context.cancelled)
                 : api::ConvertOmToJson(options.om, options.json, context.cancelled);
}

}  // namespace ge
