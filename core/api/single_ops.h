#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "api/export.h"
#include "api/hook_paths.h"
#include "api/passes.h"
#include "api/precision.h"
#include "base/status.h"

namespace ge {

// Single operators that a JSON file describes (docs/single-operators.md), to be compiled into a
// model each.
struct SingleOpsRequest {
  std::string json_path;
  std::string output_folder;  // there already
  std::string soc_version;    // checked
  std::string command_line;   // canonical form, stored in the models
  PassSwitches passes;
  PrecisionRequest precision;
  std::vector<std::pair<std::string, std::string>> recorded_options;
  // As the flags --op_compiler_cache_mode, --op_compiler_cache_dir and --op_debug_level have them.
  std::string cache_mode, cache_folder, debug_level;
  HookPaths hooks;
  OperatorOptions operators;
  const std::atomic<bool>* cancelled = nullptr;  // see CompileRequest
};

struct SingleOpsResult {
  std::vector<std::string> om_paths;  // that were written, in the order of the file
  std::vector<Problem> warnings;
};

namespace api {

// Compiles all operators of the file.  One that fails leaves the models of the others; the Status
// holds what is wrong with all that failed.  A file with faults and an interrupted run leave no
// model.  `result` is filled in either case.
GE_API Status CompileSingleOps(const SingleOpsRequest& request, SingleOpsResult* result);

}  // namespace api
}  // namespace ge
