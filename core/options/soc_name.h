#pragma once

#include <string>
#include <string_view>

#include "api/soc.h"

namespace ge {

// The SoCs of a family as "[a] [b]"; empty when there is no such family.
std::string MembersOf(std::string_view family);

}  // namespace ge
