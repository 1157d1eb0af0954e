#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ge {

// Tensor layouts with the numbers of the public API.
enum class Format : int32_t {
  kNCHW = 0,
  kNHWC = 1,
  kND = 2,
  kNC1HWC0 = 3,
  kFractalZ = 4,
  kNHWC1C0 = 6,
  kCHWN = 14,
  kHWCN = 16,
  kNDHWC = 27,
  kFractalNZ = 29,
  kNCDHW = 30,
  kDHWCN = 31,
  kReserved = 40,
};

std::string_view FormatName(Format format);
std::optional<Format> FindFormat(std::string_view name);  // exact, upper-case names

}  // namespace ge
