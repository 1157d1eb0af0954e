// Checks of --precision_mode, --precision_mode_v2 and --modify_mixlist.

#include <algorithm>
#include <array>

#include "api/soc.h"
#include "options/checks.h"
#include "options/precision_flags.h"
#include "options/soc_name.h"

namespace ge {
namespace {

constexpr std::array<std::string_view, 3> kMixModes = {
    "allow_mix_precision", "allow_mix_precision_fp16", "allow_mix_precision_bf16"};
constexpr std::array<std::string_view, 2> kMixModesV2 = {"mixed_float16", "mixed_bfloat16"};

}  // namespace

void CheckPrecision(const Options& options, Findings* findings) {
  if (!IsGiven(options, &Options::precision_mode) ||
      !IsGiven(options, &Options::precision_mode_v2)) {
    return;
  }
  findings->Fail(ErrorId::kE10056,
                 {{"parameter1", "--precision_mode"}, {"parameter2", "--precision_mode_v2"}});
}

void CheckMixList(const Options& options, Findings* findings) {
  const std::string& file = TextOf(options, &Options::modify_mixlist);
  if (file.empty() || IsFaulty(options, &Options::precision_mode) ||
      IsFaulty(options, &Options::precision_mode_v2)) {
    return;
  }
  const std::string& mode = options.precision_mode;
  const std::string& mode_v2 = options.precision_mode_v2;
  const bool mixed =
      std::find(kMixModes.begin(), kMixModes.end(), mode) != kMixModes.end() ||
      std::find(kMixModesV2.begin(), kMixModesV2.end(), mode_v2) != kMixModesV2.end() ||
      mode_v2 == "mixed_hif8";
  std::string reason;
  if (mode.empty() && mode_v2.empty()) {
    reason =
        "it needs a mixed precision, but neither --precision_mode nor --precision_mode_v2 is set";
  } else if (!mixed && !mode.empty()) {
    reason = "it needs a mixed precision, which --precision_mode=" + mode + " is not";
  } else if (!mixed) {
    reason = "it needs a mixed precision, which --precision_mode_v2=" + mode_v2 + " is not";
  }
  if (!reason.empty()) {
    findings->Fail(ErrorId::kE10001,
                   {{"value", file}, {"parameter", "--modify_mixlist"}, {"reason", reason}});
  }
  if (const std::string errmsg = WhyUnreadable(file); !errmsg.empty()) {
    findings->Fail(ErrorId::kE21001,
                   {{"file", file}, {"parameter", "--modify_mixlist"}, {"errmsg", errmsg}});
  }
}

void CheckPrecisionFiles(const Options& options, Findings* findings) {
  const std::string& path = TextOf(options, &Options::customize_dtypes);
  if (const std::string reason = path.empty() ? "" : WhyUnreadable(path); !reason.empty()) {
    findings->Fail(ErrorId::kE20101,
                   {{"value", path}, {"parameter", "--customize_dtypes"}, {"reason", reason}});
  }
  ReadPrecisionFlags(options, &findings->faults);
}

void CheckPrecisionOfSoc(const Options& options, Findings* findings) {
  const std::optional<SocInfo> soc = api::FindSoc(options.soc_version);
  if (!soc) return;
  for (const auto field : {&Options::precision_mode, &Options::precision_mode_v2}) {
    const std::string& mode = TextOf(options, field);
    const bool wants_bf16 = mode == "allow_mix_precision_bf16" || mode == "allow_fp32_to_bf16" ||
                            mode == "mixed_bfloat16";
    const bool wants_hif8 = mode == "mixed_hif8" || mode == "cube_hif8";
    const std::string parameter = WithDashes(RowOf(field));
    if ((wants_bf16 && !soc->has_bf16) || (wants_hif8 && !soc->has_hif8)) {
      findings->Fail(ErrorId::kE20101,
                     {{"value", mode},
                      {"parameter", parameter},
                      {"reason", soc->name + " has no " + (wants_bf16 ? "bfloat16" : "hifloat8")}});
    } else if (wants_hif8) {
      findings->Warn(ErrorId::kW10001,
                     {{"parameter", parameter + "=" + mode},
                      {"reason", "the lists of " + soc->name +
                                     " have hifloat8 for no operator of a network; what it is "
                                     "wanted for becomes float16, or stays bfloat16"}});
    }
  }
}

}  // namespace ge
