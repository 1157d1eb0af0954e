#pragma once

#include <string_view>

namespace ge::aclop {

// What the linker calls this build of the library: another one when any of its code or tables is
// another.
std::string_view BuildId();

}  // namespace ge::aclop
