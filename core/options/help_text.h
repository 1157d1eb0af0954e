#pragma once

#include <string>
#include <string_view>

namespace ge {

// What --help prints: usage, examples, and every flag that is not hidden, by group.
std::string HelpText(std::string_view usage_name);

}  // namespace ge
