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
  kNC1HWC0C04 = 12,
  kCHWN = 14,
  kHWCN = 16,
  kNDHWC = 27,
  kFractalNZ = 29,
  kNCDHW = 30,
  kDHWCN = 31,
  kNDC1HWC0 = 32,
  kFractalZ3D = 33,
  kReserved = 40,
  kFractalNZC0x16 = 50,
  kFractalNZC0x32 = 51,
  kFractalNZC0x2 = 52,
  kFractalNZC0x4 = 53,
  kFractalNZC0x8 = 54,
};

std::string_view FormatName(Format format);
std::optional<Format> FindFormat(std::string_view name);  // exact, upper-case names

}  // namespace ge
