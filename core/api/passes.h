#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/export.h"

namespace ge {

// What switches a pass off.
enum class PassKind : uint8_t {
  kRequired,         // nothing
  kConstantFolding,  // --oo_constant_folding=false
  kOptimization,     // --oo_level=O1
  kFusion,           // --oo_level=O1, and ALL in the GraphFusion part of a fusion switch file
  kBasicFusion,      // only ALL
  kDeadBranches,     // --oo_dead_code_elimination=false
};

struct PassInfo {
  std::string_view name;      // "FuseConvBatchNorm"
  std::string_view atc_name;  // what ATC calls it: "ConvBatchnormFusionPass"; may be empty
  PassKind kind = PassKind::kRequired;
};

// Which passes run.  A name here beats all_fusions, which beats the rest; of two equal names the
// last counts.  Names of passes that do not exist, and of required ones, have no effect.
struct PassSwitches {
  bool optimize = true;            // false: --oo_level=O1
  bool fold_constants = true;      // false: only what shapes may depend on is folded
  bool drop_dead_branches = true;  // false: an If with a constant condition stays
  std::optional<bool> all_fusions;
  std::vector<std::pair<std::string, bool>> named;  // by one of the two names of a pass
};

namespace api {

// In the order they run; one that runs twice is there twice.
GE_API std::vector<PassInfo> AllPasses();

// Whether ATC has a graph fusion rule or a graph pass (a UB fusion rule) of this name.
GE_API bool IsGraphRule(std::string_view name);
GE_API bool IsUbRule(std::string_view name);
// All of the first kind, and the names of our own passes.
GE_API std::vector<std::string_view> GraphRules();

}  // namespace api
}  // namespace ge
