#pragma once

#include <cstdint>
#include <string_view>

namespace ge {

// How users start this program, told from argv[0]: "atc", "pyatc" or "python3 -m ge.pyatc".
std::string_view UsageName(int32_t argc, const char* const argv[]);

}  // namespace ge
