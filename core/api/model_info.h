#pragma once

#include <string>

#include "api/export.h"
#include "base/status.h"

namespace ge::api {

// --mode=1 on an OM: writes its first MODEL_DEF as JSON (../docs/om-format.md) to `json_path`.
GE_API Status ConvertOmToJson(const std::string& om_path, const std::string& json_path);

// --mode=1 --framework=5: writes an ONNX model as JSON.
GE_API Status ConvertOnnxToJson(const std::string& model_path, const std::string& json_path);

// --mode=6 and --display_model_info=1: the text between and including the two banners, each line
// ended by a newline.
GE_API Result<std::string> ModelInfoText(const std::string& om_path);

}  // namespace ge::api
