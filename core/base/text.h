#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ge {

// "a, b, c", with " and 7 more" in place of all after the first `limit`.
std::string Join(std::span<const std::string> items, std::string_view separator,
                 size_t limit = SIZE_MAX);

}  // namespace ge
