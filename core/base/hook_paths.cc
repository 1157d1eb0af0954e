#include "base/hook_paths.h"

#include <cstdlib>

namespace ge {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The folder of operator packages: named itself, or that of the installation.
std::string OperatorRoot() {
  std::string root = Variable("ASCEND_OPP_PATH");
  if (!root.empty()) return root;
  const std::string home = Variable("ASCEND_HOME_PATH");
  return home.empty() ? "" : home + "/opp";
}

}  // namespace

HookPaths ReadHookPaths() {
  HookPaths paths;
  paths.passes = Variable("ASCEND_GE_PY_PASS_PATH");
  paths.custom_operators = Variable("ASCEND_CUSTOM_OPP_PATH");
  paths.operators = OperatorRoot();
  paths.work = Variable("ASCEND_WORK_PATH");
  paths.keeps_kernels = Variable("ASCEND_OP_COMPILE_SAVE_KERNEL_META") == "1" ||
                        !Variable("NPU_COLLECT_PATH").empty();
  return paths;
}

}  // namespace ge
