// The last check: whatever a flag asks for and this program does not do is refused, never ignored.

#include <algorithm>

#include "options/checks.h"
#include "options/input_shape.h"
#include "options/shape_flags.h"

namespace ge {
namespace {

// Whether this program does what the value asks for.
bool IsHonoured(const Flag& flag, const std::string& value) {
  const std::vector<std::string_view> built = SplitChoices(flag.built);
  if (flag.effect == Effect::kRecorded || value.empty() || value == DefaultText(flag) ||
      std::find(built.begin(), built.end(), value) != built.end()) {
    return true;
  }
  return flag.effect == Effect::kWorks && flag.built.empty();
}

void CheckFlag(const Options& options, const Flag& flag, Findings* findings) {
  const std::string value = ValueText(options, flag);
  if (IsHonoured(flag, value)) return;
  const std::string_view verdict =
      flag.effect == Effect::kRefused ? " is refused" : " is not supported yet";
  const std::string note = flag.note.empty() ? "" : ": " + std::string(flag.note);
  findings->Fail(ErrorId::kE10055,
                 {{"reason", WithDashes(flag) + "=" + value + std::string(verdict) + note + "."}});
}

}  // namespace

void CheckSupported(const Options& options, Findings* findings) {
  const Modes mode = ModeBit(options);
  const std::string run =
      mode == kSingleOp ? "--singleop" : "--mode=" + std::to_string(options.mode);
  for (size_t i = 0; i < kFlags.size(); ++i) {
    const Flag& flag = kFlags[i];
    const bool reported = options.faulty[i] || flag.field == FlagField(&Options::auto_tune_mode);
    if (!options.given[i] || reported) continue;
    if ((flag.modes & mode) != 0) {
      CheckFlag(options, flag, findings);
    } else {
      findings->Warn(ErrorId::kW10001,
                     {{"parameter", WithDashes(flag)}, {"reason", run + " does not use it"}});
    }
  }
}

}  // namespace ge
