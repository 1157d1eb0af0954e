#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/soc.h"

namespace ge {

// The SoC of this name; Ascend910 stands for Ascend910A, as in ATC.
std::optional<SocInfo> FindSoc(std::string_view name);

// The SoCs of a family as "[a] [b]"; empty when there is no such family.
std::string MembersOf(std::string_view family);

}  // namespace ge
