#pragma once

#include <optional>
#include <string_view>

#include "api/soc.h"

namespace ge {

// The SoC of this name; Ascend910 stands for Ascend910A, as in ATC.
std::optional<SocInfo> FindSoc(std::string_view name);

}  // namespace ge
