#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/passes.h"
#include "base/status.h"

// The texts that turn passes on and off by name.
namespace ge {

struct NamedSwitches {
  std::optional<bool> all;
  std::vector<std::pair<std::string, bool>> named;
};

struct FusionSwitchFile {
  NamedSwitches graph;
  Status faults;  // of the flag --fusion_switch_file
};

// Reads a fusion switch file: JSON {"Switch": {"GraphFusion": {RULE: "on" | "off", ...},
// "UBFusion": {...}}}, or lines RULE:on and RULE:off.  UB rules are checked; there are none here.
FusionSwitchFile ReadFusionSwitchFile(const std::string& path);

struct OptimizationSwitch {
  NamedSwitches graph;
  std::vector<std::string> skipped;  // what is wrong with each item that has no effect
};

// Reads the text of --optimization_switch: PASS:on and PASS:off joined with ';'.
OptimizationSwitch ParseOptimizationSwitch(std::string_view text);

}  // namespace ge
