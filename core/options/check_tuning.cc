// Checks of the tuning and debug flags that say more than a list of words.

#include <fstream>

#include "options/checks.h"
#include "options/fusion_switch.h"
#include "options/text.h"

namespace ge {
namespace {

void Refuse(std::string Options::*field, const Options& options, std::string_view reason,
            Findings* findings) {
  findings->Fail(
      ErrorId::kE10001,
      {{"value", options.*field}, {"parameter", WithDashes(RowOf(field))}, {"reason", reason}});
}

}  // namespace

void CheckAutoTune(const Options& options, Findings* findings) {
  if (options.auto_tune_mode.empty()) return;
  Refuse(&Options::auto_tune_mode, options, RowOf(&Options::auto_tune_mode).note, findings);
}

void CheckDeterministic(const Options& options, Findings* findings) {
  if (!IsGiven(options, &Options::deterministic_level) ||
      IsFaulty(options, &Options::deterministic_level) ||
      IsFaulty(options, &Options::deterministic)) {
    return;
  }
  if ((options.deterministic == "0") == (options.deterministic_level == "0")) return;
  Refuse(&Options::deterministic_level, options,
         "--deterministic (ge.deterministic) and --deterministic_level (ge.deterministicLevel) "
         "must both be 0 or both not be 0; --deterministic is " +
             options.deterministic,
         findings);
}

void CheckImplMode(const Options& options, Findings* findings) {
  if (TextOf(options, &Options::optypelist_for_implmode).empty() ||
      !options.op_select_implmode.empty() || IsFaulty(options, &Options::op_select_implmode)) {
    return;
  }
  Refuse(&Options::optypelist_for_implmode, options, "it needs --op_select_implmode", findings);
}

void CheckWeightCompression(const Options& options, Findings* findings) {
  CheckInputFile<&Options::compress_weight_conf>(options, findings);
  CheckChoice<&Options::enable_compress_weight>(options, findings);
  if (options.enable_compress_weight != "true" || options.compress_weight_conf.empty()) return;
  findings->Fail(ErrorId::kE10047, {{"parameter0", "--enable_compress_weight"},
                                    {"parameter1", "--compress_weight_conf"}});
}

void CheckAttrCompression(const Options& options, Findings* findings) {
  const Flag& flag = RowOf(&Options::enable_attr_compression);
  const std::string value = LowerCase(options.enable_attr_compression);
  if (!IsAccepted(flag, value)) findings->faults.Add(NotAccepted(flag, value));
}

void CheckStaticOpsLimit(const Options& options, Findings* findings) {
  const std::string& text = TextOf(options, &Options::static_model_ops_lower_limit);
  if (text.empty() || text == "-1" || (IsDigits(text) && ParseInt64(text))) return;
  Refuse(&Options::static_model_ops_lower_limit, options,
         "it is a whole number of at most 63 bits, or -1", findings);
}

void CheckStreams(const Options& options, Findings* findings) {
  if (options.enable_single_stream != "true" ||
      TextOf(options, &Options::multi_stream_parallel_mode).empty()) {
    return;
  }
  findings->Fail(ErrorId::kE10056, {{"parameter1", "--enable_single_stream"},
                                    {"parameter2", "--multi_stream_parallel_mode"}});
}

void CheckFusionSwitches(const Options& options, Findings* findings) {
  if (const std::string& path = TextOf(options, &Options::fusion_switch_file); !path.empty()) {
    findings->faults.Add(ReadFusionSwitchFile(path).faults);
  }
  const std::string& text = TextOf(options, &Options::optimization_switch);
  for (const std::string& reason : ParseOptimizationSwitch(text).skipped) {
    findings->Warn(ErrorId::kW10001, {{"parameter", "--optimization_switch"}, {"reason", reason}});
  }
}

// Lines `name=value`; # starts a comment.
void CheckDebugConfig(const Options& options, Findings* findings) {
  const std::string& path = TextOf(options, &Options::op_debug_config);
  if (path.empty()) return;
  if (const std::string reason = WhyUnreadable(path); !reason.empty()) {
    findings->Fail(ErrorId::kE20101,
                   {{"value", path}, {"parameter", "--op_debug_config"}, {"reason", reason}});
    return;
  }
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::string_view text = Trim({std::string_view(line).substr(0, line.find('#')), 0}).text;
    const size_t equals = text.find('=');
    if (text.empty() || (equals != std::string_view::npos && equals + 1 < text.size())) continue;
    findings->Fail(
        ErrorId::kE20003,
        {{"value", text}, {"parameter", "--op_debug_config"}, {"reason", "a line is name=value"}});
  }
}

void CheckDeprecated(const Options& options, Findings* findings) {
  if (!IsGiven(options, &Options::shape_generalized_build_mode)) return;
  findings->notes.push_back("[WARNING][GE] --shape_generalized_build_mode is deprecated.");
}

}  // namespace ge
