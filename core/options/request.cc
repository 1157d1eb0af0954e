#include "options/request.h"

#include <algorithm>

#include "options/flag_table.h"
#include "options/fusion_switch.h"
#include "options/input_shape.h"
#include "options/out_nodes.h"
#include "options/precision_flags.h"
#include "options/text.h"

namespace ge {
namespace {

// What ATC calls a model whose output has no name before its suffix.
constexpr std::string_view kNamelessModel = "domi_default";

std::string StoredValue(const Options& options, const Flag& flag) {
  const std::string value = ValueText(options, flag);
  const std::string stored = flag.kind == Kind::kText ? value : BaseName(value);
  return ValidUtf8(stored);
}

// The last component of the path without its last suffix.
std::string ModelName(const std::string& output) {
  const std::string name = BaseName(output);
  const std::string stem = name.substr(0, name.rfind('.'));
  return stem.empty() ? std::string(kNamelessModel) : ValidUtf8(stem);
}

std::vector<std::pair<std::string, std::string>> RecordedOptions(const Options& options) {
  std::vector<std::pair<std::string, std::string>> recorded;
  for (size_t i = 0; i < kFlags.size(); ++i) {
    const Flag& flag = kFlags[i];
    const bool stored = flag.effect == Effect::kRecorded && options.given[i] &&
                        (flag.modes & ModeBit(options)) != 0;
    if (!stored) continue;
    std::string value = StoredValue(options, flag);
    // The one recorded flag whose letter case is free.
    if (flag.name == "enable_attr_compression") value = LowerCase(value);
    recorded.emplace_back(flag.ge_option, std::move(value));
  }
  std::sort(recorded.begin(), recorded.end());
  return recorded;
}

PassSwitches PassSwitchesOf(const Options& options) {
  PassSwitches switches;
  switches.optimize = options.oo_level != "O1";
  switches.fold_constants = options.oo_constant_folding != "false";
  switches.drop_dead_branches = options.oo_dead_code_elimination != "false";
  if (!options.fusion_switch_file.empty()) {
    NamedSwitches file = ReadFusionSwitchFile(options.fusion_switch_file).graph;
    switches.all_fusions = file.all;
    switches.named = std::move(file.named);
  }
  for (auto& named : ParseOptimizationSwitch(options.optimization_switch).graph.named) {
    switches.named.push_back(std::move(named));
  }
  return switches;
}

// Checked before; empty: our own choice.
NodeOrder FindNodeOrder(std::string_view mode) {
  if (mode == "0") return NodeOrder::kBreadthFirst;
  if (mode == "1") return NodeOrder::kDepthFirst;
  if (mode == "2") return NodeOrder::kReverseDepthFirst;
  if (mode == "3") return NodeOrder::kStable;
  return NodeOrder::kLeastMemory;
}

// Flags about nodes and outputs of a network say nothing about single operators, whose data types
// are kept without a flag.
PrecisionRequest OpPrecision(const Options& options) {
  Status faults;  // none: the options are checked
  PrecisionRequest flags = ReadPrecisionFlags(options, &faults);
  PrecisionRequest precision;
  precision.mode = options.precision_mode.empty() && options.precision_mode_v2.empty()
                       ? PrecisionMode::kOrigin
                       : flags.mode;
  precision.soc_family = std::move(flags.soc_family);
  precision.mix_edits = std::move(flags.mix_edits);
  precision.custom = std::move(flags.custom);
  precision.clip_weights = flags.clip_weights;
  return precision;
}

OperatorOptions OperatorOptionsOf(const Options& options) {
  OperatorOptions operators;
  operators.impl_mode = options.op_select_implmode;
  operators.impl_types = options.optypelist_for_implmode;
  operators.mode_file = options.op_precision_mode;
  operators.keeps_kernels = options.op_debug_level != 0;
  operators.debug_folder = options.debug_dir;
  return operators;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> CanonicalFlags(const Options& options) {
  std::vector<std::pair<std::string, std::string>> flags;
  for (size_t i = 0; i < kFlags.size(); ++i) {
    // A model from the cache is that of a run without it.
    const bool is_of_cache = kFlags[i].name.starts_with("op_compiler_cache_");
    if (options.given[i] && !is_of_cache)
      flags.emplace_back(kFlags[i].name, StoredValue(options, kFlags[i]));
  }
  return flags;
}

std::string CanonicalCommandLine(const Options& options) {
  std::string line = "atc";
  for (const auto& [name, value] : CanonicalFlags(options)) line += " --" + name + "=" + value;
  return line;
}

CompileRequest MakeCompileRequest(const Options& options) {
  CompileRequest request;
  request.model_path = options.model;
  request.output_path = options.output + ".om";
  request.model_name = ModelName(options.output);
  request.soc_version = options.soc_version;
  request.command_line = CanonicalCommandLine(options);
  request.input_format = FindFormat(options.input_format).value_or(Format::kNCHW);
  request.input_shapes = ParseInputShape(options.input_shape, ShapeUse::kPlain).shapes;
  request.out_nodes = ParseOutNodes(options.out_nodes).nodes;
  request.passes = PassSwitchesOf(options);
  Status faults;  // none: the options are checked
  request.precision = ReadPrecisionFlags(options, &faults);
  request.reuse_memory = options.disable_reuse_memory == 0;
  request.node_order = FindNodeOrder(options.topo_sorting_mode);
  request.recorded_options = RecordedOptions(options);
  request.operators = OperatorOptionsOf(options);
  return request;
}

SingleOpsRequest MakeSingleOpsRequest(const Options& options) {
  SingleOpsRequest request;
  request.json_path = options.singleop;
  request.output_folder = options.output;
  request.soc_version = options.soc_version;
  request.command_line = CanonicalCommandLine(options);
  request.passes.named = ParseOptimizationSwitch(options.optimization_switch).graph.named;
  request.precision = OpPrecision(options);
  request.recorded_options = RecordedOptions(options);
  request.cache_mode = options.op_compiler_cache_mode;
  request.cache_folder = options.op_compiler_cache_dir;
  request.debug_level = std::to_string(options.op_debug_level);
  request.operators = OperatorOptionsOf(options);
  return request;
}

}  // namespace ge
