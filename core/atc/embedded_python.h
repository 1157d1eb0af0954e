#pragma once

#include <cstddef>

namespace ge {

// For the native atc, which no Python has started: finds the interpreter that PATH has, opens its
// libpython, starts it and imports ge._hooks.  A HookLoader.
int LoadEmbeddedPython(char* reason, size_t bytes);

// Ends that interpreter, if it was started.
void EndEmbeddedPython();

}  // namespace ge
