#pragma once

#include "api/hook_paths.h"

namespace ge {

// As the environment says.
HookPaths ReadHookPaths();

}  // namespace ge
