#include "base/format.h"

#include <array>
#include <utility>

namespace ge {
namespace {

using enum Format;

constexpr std::array<std::pair<Format, std::string_view>, 13> kNames = {{
    {kNCHW, "NCHW"},
    {kNHWC, "NHWC"},
    {kND, "ND"},
    {kNC1HWC0, "NC1HWC0"},
    {kFractalZ, "FRACTAL_Z"},
    {kNHWC1C0, "NHWC1C0"},
    {kCHWN, "CHWN"},
    {kHWCN, "HWCN"},
    {kNDHWC, "NDHWC"},
    {kFractalNZ, "FRACTAL_NZ"},
    {kNCDHW, "NCDHW"},
    {kDHWCN, "DHWCN"},
    {kReserved, "RESERVED"},
}};

}  // namespace

std::string_view FormatName(Format format) {
  for (const auto& [value, name] : kNames) {
    if (value == format) return name;
  }
  return "RESERVED";
}

std::optional<Format> FindFormat(std::string_view name) {
  for (const auto& [value, text] : kNames) {
    if (text == name) return value;
  }
  return std::nullopt;
}

}  // namespace ge
