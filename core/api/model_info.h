#pragma once

#include <atomic>
#include <string>

#include "api/export.h"
#include "base/status.h"

namespace ge::api {

// Both conversions write `json_path` completely or not at all.  They poll `cancelled` (may be
// null) and fail with ErrorId::kInterrupted when it is set.

// --mode=1 on an OM: writes its first MODEL_DEF as JSON (docs/om-format.md).
GE_API Status ConvertOmToJson(const std::string& om_path, const std::string& json_path,
                              const std::atomic<bool>* cancelled = nullptr);

// --mode=1 --framework=5: writes the graph of an ONNX model as JSON, weights included.
GE_API Status ConvertOnnxToJson(const std::string& model_path, const std::string& json_path,
                                const std::atomic<bool>* cancelled = nullptr);

// --mode=6 and --display_model_info=1: the text between and including the two banners, each line
// ended by a newline.
GE_API Result<std::string> ModelInfoText(const std::string& om_path);

}  // namespace ge::api
