#pragma once

#include <string>
#include <string_view>

namespace ge {

// What ATC does to every word before it parses them, values that are words of their own included:
// `-model` becomes `--model`, and dashes inside a flag name (`--soc-version=x`) become underscores.
std::string RewriteWord(std::string_view word);

}  // namespace ge
