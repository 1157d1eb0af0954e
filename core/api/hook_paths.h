#pragma once

#include <string>

namespace ge {

// Where the user's Python is looked for; all of it may be empty.
struct HookPaths {
  std::string passes;            // ASCEND_GE_PY_PASS_PATH
  bool own_passes = false;       // the program itself has registered graph passes
  std::string custom_operators;  // ASCEND_CUSTOM_OPP_PATH: vendor folders with colons between
  std::string operators;         // ASCEND_OPP_PATH: a folder with vendors/ in it
};

}  // namespace ge
