#pragma once

#include <string>

#include "api/export.h"
#include "api/hook_paths.h"
#include "base/status.h"

namespace ge::api {

// What the operator stores of these paths hold for a family of SoCs ("Ascend310P"), in the order of
// their types: {"operators": [{"type", "file", "folder", "module", "function", "priority"}],
// "warnings": [text]}.  All faults of all information files at once.
GE_API Status OperatorStoresAsJson(const HookPaths& paths, const std::string& soc_family,
                                   std::string* json);

}  // namespace ge::api
