#pragma once

#include <cstddef>
#include <string_view>

#include "base/utf8.h"

namespace ge::wire {

// Bytes at the start of `text` that JSON text takes as they are: printable ASCII but quotes and
// backslashes.
size_t PlainPrefix(std::string_view text);

}  // namespace ge::wire
