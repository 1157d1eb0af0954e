#include "pyatc_wrapper.h"

#include <algorithm>

#include "api/hooks.h"
#include "atc/main_impl.h"

extern "C" __attribute__((visibility("default"))) int GeApiWrapper_Atc_Main(int argc, char** argv) {
  if (argc <= 0 || argv == nullptr) return 1;
  if (std::find(argv, argv + argc, nullptr) != argv + argc) return 1;
  return ge::main_impl(argc, argv);
}

extern "C" __attribute__((visibility("default"))) void GeApiWrapper_SetHookLoader(
    ge::HookLoader loader) {
  ge::api::SetHookLoader(loader);
}
