// The order of ATC's checks.  The first fault is the headline of the error block, so the place of a
// step in these lists is part of what users see.

#include "options/checks.h"

#include <span>

namespace ge {
namespace {

constexpr Check kAlways[] = {
    CheckInputFile<&Options::raw_ge_options>,
    CheckAutoTune,
    CheckDeterministic,
};

constexpr Check kSingleOpSteps[] = {
    CheckSingleOpConflicts,
    CheckRequired<&Options::output>,
    CheckRequired<&Options::soc_version>,
    CheckSingleOpOutput,
    CheckImplMode,
    CheckInputFile<&Options::op_precision_mode>,
    CheckChoice<&Options::is_weight_clip>,
    CheckPrecision,
    CheckMixList,
    CheckChoice<&Options::allow_hf32>,
    CheckSoc,
    CheckVirtualType,
    CheckCoreCount,
    CheckPrecisionOfSoc,
    CheckPrecisionFiles,
    CheckChoice<&Options::enable_small_channel>,
    CheckFusionSwitches,
    CheckSingleOpFile,
};

constexpr Check kPairing[] = {
    CheckConvertFramework,
    CheckWeight,
    CheckFramework,
    CheckNanoPairing,
};

constexpr Check kModelSteps[] = {
    CheckInputFormat,
    CheckRequired<&Options::soc_version>,
    CheckOutput,
    CheckRequired<&Options::model>,
    CheckInputFile<&Options::model>,
    CheckImplMode,
    CheckInputFile<&Options::op_precision_mode>,
    CheckChoice<&Options::is_weight_clip>,
    CheckPrecision,
    CheckMixList,
    CheckShapes,
    CheckGears,
    CheckAippGears,
    CheckInputFile<&Options::cal_conf>,
    CheckInputFile<&Options::op_name_map>,
    CheckInputFile<&Options::insert_op_conf>,
    CheckWeightCompression,
    CheckInputFile<&Options::keep_dtype>,
    CheckOutputFile<&Options::check_report>,
    CheckChoice<&Options::save_original_model>,
    CheckChoice<&Options::enable_single_stream>,
    CheckChoice<&Options::ac_parallel_enable>,
    CheckChoice<&Options::tiling_schedule_optimize>,
    CheckDisplayInfo,
    CheckOm2Flags,
    CheckHostEnvironment,
    CheckChoice<&Options::allow_hf32>,
    CheckChoice<&Options::quant_dumpable>,
    CheckAttrCompression,
    CheckStaticOpsLimit,
    // What ATC finds when it reads the graph.
    CheckOutNodes,
    CheckOutputType,
    CheckLayoutLists,
    CheckChoice<&Options::oo_level>,
    CheckChoice<&Options::oo_constant_folding>,
    CheckChoice<&Options::oo_dead_code_elimination>,
    CheckChoice<&Options::topo_sorting_mode>,
    CheckChoice<&Options::export_compile_stat>,
    CheckStreams,
    // What its operator engine finds.
    CheckSoc,
    CheckVirtualType,
    CheckCoreCount,
    CheckPrecisionOfSoc,
    CheckPrecisionFiles,
    CheckChoice<&Options::enable_small_channel>,
    CheckFusionSwitches,
    CheckDebugConfig,
    CheckDeprecated,
};

constexpr Check kConvertSteps[] = {
    CheckNotEmpty<&Options::om>,
    CheckNotEmpty<&Options::json>,
    CheckInputFile<&Options::om>,
    CheckOutputFile<&Options::json>,
};

constexpr Check kShowSteps[] = {
    CheckNotEmpty<&Options::om>,
    CheckInputFile<&Options::om>,
    CheckShowFramework,
};

}  // namespace

Findings CheckOptions(const Options& options) {
  Findings findings;
  const auto run = [&](std::span<const Check> steps) {
    for (const Check step : steps) step(options, &findings);
  };
  run(kAlways);
  if (IsFaulty(options, &Options::mode)) return findings;  // nothing else can be told
  if (!options.singleop.empty()) {
    run(kSingleOpSteps);
  } else {
    run(kPairing);
    if ((ModeBit(options.mode) & kModelModes) != 0) run(kModelSteps);
    if (options.mode == 5) CheckDumpedGraphName(options, &findings);
    if (options.mode == 1 || options.mode == 5) run(kConvertSteps);
    if (options.mode == 6) run(kShowSteps);
  }
  CheckSupported(options, &findings);
  return findings;
}

}  // namespace ge
