#pragma once

#include <string>

#include "options/check_value.h"
#include "options/findings.h"
#include "options/flag_table.h"
#include "options/paths.h"

namespace ge {

// Checks all options, in ATC's order; nothing is created or changed.
Findings CheckOptions(const Options& options);

// One step of CheckOptions.  Steps leave flags alone that are already reported (Options::faulty).
using Check = void (*)(const Options& options, Findings* findings);

// The value of a text flag, or nothing when it is unset, empty or already reported.
inline const std::string& TextOf(const Options& options, std::string Options::*field) {
  static const std::string kNothing;
  return IsFaulty(options, field) ? kNothing : options.*field;
}

// The value is one of the flag's closed list.
template <auto kField>
void CheckChoice(const Options& options, Findings* findings) {
  const Flag& flag = RowOf(kField);
  const std::string value = ValueText(options, flag);
  if (!IsGiven(options, kField) || IsFaulty(options, kField) || IsAccepted(flag, value)) return;
  findings->faults.Add(NotAccepted(flag, value));
}

template <auto kField>
void CheckRequired(const Options& options, Findings* findings) {
  if (!(options.*kField).empty() || IsFaulty(options, kField)) return;
  findings->Fail(ErrorId::kE10054, {{"parameter", WithDashes(RowOf(kField))}});
}

// As CheckRequired, with the code that modes 1, 5 and 6 have for it.
template <auto kField>
void CheckNotEmpty(const Options& options, Findings* findings) {
  if (!(options.*kField).empty() || IsFaulty(options, kField)) return;
  findings->Fail(ErrorId::kE10004, {{"parameter", WithDashes(RowOf(kField))}});
}

template <auto kField>
void CheckInputFile(const Options& options, Findings* findings) {
  const std::string& path = TextOf(options, kField);
  const std::string reason = path.empty() ? "" : WhyUnreadable(path);
  if (reason.empty()) return;
  findings->Fail(ErrorId::kE10001,
                 {{"value", path}, {"parameter", WithDashes(RowOf(kField))}, {"reason", reason}});
}

// The default of --check_report is a file in the current folder, where nothing is written unless a
// flag asks for it.
template <auto kField>
void CheckOutputFile(const Options& options, Findings* findings) {
  if (!IsGiven(options, kField)) return;
  const std::string& path = TextOf(options, kField);
  const std::string reason = path.empty() ? "" : WhyUnwritable(path);
  if (reason.empty()) return;
  findings->Fail(ErrorId::kE10001,
                 {{"value", path}, {"parameter", WithDashes(RowOf(kField))}, {"reason", reason}});
}

// check_mode.cc: modes, frameworks, input layout, single operators
void CheckConvertFramework(const Options& options, Findings* findings);
void CheckWeight(const Options& options, Findings* findings);
void CheckFramework(const Options& options, Findings* findings);
void CheckNanoPairing(const Options& options, Findings* findings);
void CheckInputFormat(const Options& options, Findings* findings);
void CheckDumpedGraphName(const Options& options, Findings* findings);
void CheckShowFramework(const Options& options, Findings* findings);
void CheckDisplayInfo(const Options& options, Findings* findings);
void CheckOm2Flags(const Options& options, Findings* findings);
void CheckHostEnvironment(const Options& options, Findings* findings);
void CheckSingleOpConflicts(const Options& options, Findings* findings);
void CheckSingleOpOutput(const Options& options, Findings* findings);
void CheckSingleOpFile(const Options& options, Findings* findings);

// check_output.cc
void CheckOutput(const Options& options, Findings* findings);
void CheckOutNodes(const Options& options, Findings* findings);
void CheckOutputType(const Options& options, Findings* findings);
void CheckLayoutLists(const Options& options, Findings* findings);

// check_shapes.cc, check_gears.cc
void CheckShapes(const Options& options, Findings* findings);
void CheckGears(const Options& options, Findings* findings);
void CheckAippGears(const Options& options, Findings* findings);

// check_precision.cc
void CheckPrecision(const Options& options, Findings* findings);
void CheckMixList(const Options& options, Findings* findings);
void CheckPrecisionFiles(const Options& options, Findings* findings);
void CheckPrecisionOfSoc(const Options& options, Findings* findings);

// check_tuning.cc
void CheckAutoTune(const Options& options, Findings* findings);
void CheckDeterministic(const Options& options, Findings* findings);
void CheckImplMode(const Options& options, Findings* findings);
void CheckWeightCompression(const Options& options, Findings* findings);
void CheckAttrCompression(const Options& options, Findings* findings);
void CheckStaticOpsLimit(const Options& options, Findings* findings);
void CheckStreams(const Options& options, Findings* findings);
void CheckFusionSwitches(const Options& options, Findings* findings);
void CheckDebugConfig(const Options& options, Findings* findings);
void CheckDeprecated(const Options& options, Findings* findings);

// check_target.cc
void CheckSoc(const Options& options, Findings* findings);
void CheckVirtualType(const Options& options, Findings* findings);
void CheckCoreCount(const Options& options, Findings* findings);

// check_supported.cc: last of all
void CheckSupported(const Options& options, Findings* findings);

}  // namespace ge
