#include "base/format.h"

#include <array>
#include <utility>

namespace ge {
namespace {

using enum Format;

constexpr std::array<std::pair<Format, std::string_view>, 21> kNames = {{
    {kNCHW, "NCHW"},
    {kNHWC, "NHWC"},
    {kND, "ND"},
    {kNC1HWC0, "NC1HWC0"},
    {kFractalZ, "FRACTAL_Z"},
    {kNHWC1C0, "NHWC1C0"},
    {kNC1HWC0C04, "NC1HWC0_C04"},
    {kCHWN, "CHWN"},
    {kHWCN, "HWCN"},
    {kNDHWC, "NDHWC"},
    {kFractalNZ, "FRACTAL_NZ"},
    {kNCDHW, "NCDHW"},
    {kDHWCN, "DHWCN"},
    {kNDC1HWC0, "NDC1HWC0"},
    {kFractalZ3D, "FRACTAL_Z_3D"},
    {kReserved, "RESERVED"},
    {kFractalNZC0x16, "FRACTAL_NZ_C0_16"},
    {kFractalNZC0x32, "FRACTAL_NZ_C0_32"},
    {kFractalNZC0x2, "FRACTAL_NZ_C0_2"},
    {kFractalNZC0x4, "FRACTAL_NZ_C0_4"},
    {kFractalNZC0x8, "FRACTAL_NZ_C0_8"},
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
