// Checks of --mode, --framework, --singleop and what goes with them.

#include <unistd.h>

#include <algorithm>
#include <array>

#include "options/checks.h"
#include "options/text.h"

namespace ge {
namespace {

constexpr int32_t kCaffe = 0, kMindSpore = 1, kTensorFlow = 3, kOnnx = 5;

constexpr std::array<std::string_view, 3> kNanoSocs = {"Ascend035", "Ascend035A", "Ascend035B"};

std::string_view FrameworkName(int32_t framework) {
  switch (framework) {
    case kCaffe:
      return "Caffe";
    case kTensorFlow:
      return "TensorFlow";
    case kOnnx:
      return "ONNX";
    default:
      return "MindSpore";
  }
}

// Layouts that ATC takes for a framework; for one that is not known, those it takes for any.
std::string_view LayoutsOf(int32_t framework) {
  switch (framework) {
    case kCaffe:
      return "NCHW|ND";
    case kTensorFlow:
      return "NCHW|NHWC|ND|NCDHW|NDHWC";
    case kOnnx:
      return "NCHW|ND|NCDHW";
    default:
      return "ND|NCHW|NHWC|CHWN|NC1HWC0|NHWC1C0|NCDHW|NDHWC";
  }
}

bool IsBuildMode(int32_t mode) {
  return (ModeBit(mode) & kBuildModes) != 0;
}

// Flags that OM2 does not take, even with their default value.
constexpr FlagField kNotForOm2[] = {
    &Options::input_hint_shape,
    &Options::om,
    &Options::singleop,
    &Options::check_report,
    &Options::json,
    &Options::virtual_type,
    &Options::op_name_map,
    &Options::quant_dumpable,
    &Options::ac_parallel_enable,
    &Options::tiling_schedule_optimize,
    &Options::dump_mode,
    &Options::display_model_info,
    &Options::status_check,
    &Options::save_original_model,
    &Options::compress_weight_conf,
    &Options::enable_compress_weight,
    &Options::enable_attr_compression,
    &Options::h2d_overlapped_with_compute,
    &Options::cluster_config,
    &Options::hccl_sub_comm_config,
    &Options::input_shape_range,
    &Options::static_model_ops_lower_limit,
};

}  // namespace

void CheckConvertFramework(const Options& options, Findings* findings) {
  if (options.mode != 1 || options.framework != kMindSpore) return;
  findings->Fail(ErrorId::kE10001,
                 {{"value", "1"},
                  {"parameter", "--framework"},
                  {"reason", "with --mode=1 accepted are [0] [3] [5], or no --framework"}});
}

void CheckWeight(const Options& options, Findings* findings) {
  CheckInputFile<&Options::weight>(options, findings);
  const bool unused = options.framework == kTensorFlow || options.framework == kOnnx;
  if (unused && IsBuildMode(options.mode) && !options.weight.empty()) {
    findings->Warn(ErrorId::kW10001, {{"parameter", "--weight"},
                                      {"reason", std::string(FrameworkName(options.framework)) +
                                                     " models hold their weights themselves"}});
  }
}

void CheckFramework(const Options& options, Findings* findings) {
  if (!IsBuildMode(options.mode) || IsFaulty(options, &Options::framework)) return;
  if (!IsGiven(options, &Options::framework)) {
    findings->Fail(ErrorId::kE10007,
                   {{"parameter", "--framework"},
                    {"fault", "is missing"},
                    {"support", "[0] (Caffe) [1] (MindSpore) [3] (TensorFlow) [5] (ONNX)"}});
  } else if (options.framework == kCaffe && options.weight.empty() &&
             !IsFaulty(options, &Options::weight)) {
    findings->Fail(ErrorId::kE10008, {});
  }
}

void CheckNanoPairing(const Options& options, Findings* findings) {
  if (IsFaulty(options, &Options::soc_version)) return;
  const std::string& soc = options.soc_version;
  const bool nano_soc = std::find(kNanoSocs.begin(), kNanoSocs.end(), soc) != kNanoSocs.end();
  if (options.mode == 30 && !nano_soc) {
    findings->Fail(ErrorId::kE10055, {{"reason",
                                       "--mode=30 needs --soc_version to be one of [Ascend035] "
                                       "[Ascend035A] [Ascend035B], not [" +
                                           soc + "]."}});
  } else if (options.mode != 30 && nano_soc) {
    findings->Fail(ErrorId::kE10055,
                   {{"reason", "--soc_version=" + soc + " needs --mode=30, not --mode=" +
                                   std::to_string(options.mode) + "."}});
  }
}

void CheckInputFormat(const Options& options, Findings* findings) {
  const std::string& layout = TextOf(options, &Options::input_format);
  if (layout.empty()) return;
  const std::string_view accepted = LayoutsOf(options.framework);
  const std::vector<std::string_view> layouts = SplitChoices(accepted);
  if (std::find(layouts.begin(), layouts.end(), layout) != layouts.end()) return;
  const std::string hint = DidYouMean(layout, layouts);
  if (options.framework == kMindSpore || options.framework == -1) {
    findings->Fail(ErrorId::kE10061, {{"value", layout},
                                      {"parameter", "--input_format"},
                                      {"expected_value", AcceptedText(accepted)},
                                      {"hint", hint}});
  } else {
    findings->Fail(ErrorId::kE10001,
                   {{"value", layout},
                    {"parameter", "--input_format"},
                    {"reason", "for " + std::string(FrameworkName(options.framework)) +
                                   " accepted are " + AcceptedText(accepted) + hint}});
  }
}

void CheckDumpedGraphName(const Options& options, Findings* findings) {
  const std::string& om = TextOf(options, &Options::om);
  if (om.empty() || om.substr(om.rfind('.') + 1) == "txt") return;
  findings->Fail(ErrorId::kE10001,
                 {{"value", om},
                  {"parameter", "--om"},
                  {"reason", "a dumped graph is a file whose name ends in .txt"}});
}

void CheckShowFramework(const Options& options, Findings* findings) {
  if (!IsGiven(options, &Options::framework)) return;
  findings->Fail(ErrorId::kE10057, {{"parameter0", "--mode=6"}, {"parameter1", "--framework"}});
}

void CheckDisplayInfo(const Options& options, Findings* findings) {
  if (options.mode != 30 || options.display_model_info != "1") return;
  findings->Fail(ErrorId::kE10001, {{"value", "1"},
                                    {"parameter", "--display_model_info"},
                                    {"reason", "with --mode=30 there is nothing to show"}});
}

void CheckOm2Flags(const Options& options, Findings* findings) {
  if (options.mode != 7) return;
  for (const FlagField field : kNotForOm2) {
    if (!IsGiven(options, field)) continue;
    const Flag& flag = RowOf(field);
    findings->Fail(ErrorId::kE10001, {{"value", ValueText(options, flag)},
                                      {"parameter", flag.name},
                                      {"reason", "--mode=7 does not take this flag"}});
  }
}

void CheckHostEnvironment(const Options& options, Findings* findings) {
  const std::string& os = options.host_env_os;
  const std::string& cpu = options.host_env_cpu;
  if (options.mode != 7) {
    CheckChoice<&Options::host_env_os>(options, findings);
    CheckChoice<&Options::host_env_cpu>(options, findings);
    if (IsGiven(options, &Options::host_env_os) || IsGiven(options, &Options::host_env_cpu)) {
      findings->notes.push_back(
          "--host_env_os and --host_env_cpu have no effect: the model holds no host code.");
    }
  } else if (os != "linux" || (cpu != kBuildCpu && cpu != "aarch64" && cpu != "arm64")) {
    findings->Fail(ErrorId::kE10001,
                   {{"value", os + " " + cpu},
                    {"parameter", "--host_env_os --host_env_cpu"},
                    {"reason", "--mode=7 compiles host code for linux on this CPU or on aarch64"}});
  }
}

void CheckSingleOpConflicts(const Options& options, Findings* findings) {
  const auto refuse = [&](FlagField field) {
    const Flag& flag = RowOf(field);
    findings->Fail(ErrorId::kE10001, {{"value", ValueText(options, flag)},
                                      {"parameter", WithDashes(flag)},
                                      {"reason", "--singleop does not go with it"}});
  };
  if (IsGiven(options, &Options::framework)) refuse(&Options::framework);
  if (!options.insert_op_conf.empty()) refuse(&Options::insert_op_conf);
  if (options.display_model_info == "1") refuse(&Options::display_model_info);
  if (options.mode != 0) refuse(&Options::mode);
}

// With single operators it is the folder of the results.
void CheckSingleOpOutput(const Options& options, Findings* findings) {
  const std::string& folder = TextOf(options, &Options::output);
  if (folder.size() > kLongestOutput) {
    findings->Fail(ErrorId::kE10021,
                   {{"parameter", "--output"}, {"size", std::to_string(kLongestOutput)}});
  } else if (const std::string reason = folder.empty() ? "" : WhyUnwritableFolder(folder);
             !reason.empty()) {
    findings->Fail(ErrorId::kE10001,
                   {{"value", folder}, {"parameter", "--output"}, {"reason", reason}});
  }
}

void CheckSingleOpFile(const Options& options, Findings* findings) {
  const std::string& path = TextOf(options, &Options::singleop);
  const std::string reason = path.empty() ? "" : WhyUnreadable(path);
  if (reason.empty()) return;
  if (::access(path.c_str(), F_OK) == 0 && ::access(path.c_str(), R_OK) != 0) {
    findings->Fail(ErrorId::kE10024, {{"value", path}, {"errmsg", reason}});
  } else {
    findings->Fail(ErrorId::kE10023, {{"value", path}, {"reason", reason}});
  }
}

}  // namespace ge
