#pragma once

#include <cstdint>

namespace ge {

// The whole of ATC: prints what ATC prints, returns 0, -1 after a failure, or 130 after SIGINT. May
// be called again and again.  argv is not changed.
int32_t main_impl(int32_t argc, char* argv[]);

}  // namespace ge
