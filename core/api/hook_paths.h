#pragma once

#include <string>

namespace ge {

// What the environment and the program say of the user's Python; all of it may be empty.
struct HookPaths {
  std::string passes;            // ASCEND_GE_PY_PASS_PATH
  bool own_passes = false;       // the program itself has registered graph passes
  std::string custom_operators;  // ASCEND_CUSTOM_OPP_PATH: vendor folders with colons between
  std::string operators;         // ASCEND_OPP_PATH, or opp of ASCEND_HOME_PATH
  bool registered = false;       // the program itself has registered something with ge.hooks
  std::string work;              // ASCEND_WORK_PATH: where files go that no flag has a folder for
  bool keeps_kernels = false;    // ASCEND_OP_COMPILE_SAVE_KERNEL_META, NPU_COLLECT_PATH
};

// How operators in Python are compiled, as flags have it.
struct OperatorOptions {
  std::string impl_mode, impl_types;  // --op_select_implmode, --optypelist_for_implmode
  std::string mode_file;              // --op_precision_mode
  bool keeps_kernels = false;         // --op_debug_level is not 0
  std::string debug_folder;           // --debug_dir
};

}  // namespace ge
