#include <optional>
#include <string_view>

#include "api/precision.h"

namespace ge::api {
namespace {

struct ModeWord {
  std::string_view word;
  PrecisionMode mode;
};
constexpr ModeWord kModes[] = {
    {"force_fp16", PrecisionMode::kForceFp16},
    {"force_fp32", PrecisionMode::kCubeFp16InFp32Out},
    {"cube_fp16in_fp32out", PrecisionMode::kCubeFp16InFp32Out},
    {"allow_mix_precision", PrecisionMode::kMixFp16},
    {"allow_mix_precision_fp16", PrecisionMode::kMixFp16},
    {"allow_mix_precision_bf16", PrecisionMode::kMixBf16},
    {"allow_fp32_to_fp16", PrecisionMode::kAllowFp32ToFp16},
    {"allow_fp32_to_bf16", PrecisionMode::kAllowFp32ToBf16},
    {"must_keep_origin_dtype", PrecisionMode::kOrigin},
    {"fp16", PrecisionMode::kForceFp16},
    {"origin", PrecisionMode::kOrigin},
    {"mixed_float16", PrecisionMode::kMixFp16},
    {"mixed_bfloat16", PrecisionMode::kMixBf16},
    {"mixed_hif8", PrecisionMode::kMixHif8},
    {"cube_hif8", PrecisionMode::kCubeHif8},
};

}  // namespace

std::optional<PrecisionMode> FindPrecisionMode(std::string_view word) {
  for (const ModeWord& row : kModes) {
    if (word == row.word) return row.mode;
  }
  return std::nullopt;
}

}  // namespace ge::api
