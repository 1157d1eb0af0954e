#pragma once

#include <cstddef>
#include <string_view>

namespace ge::wire {

// Bytes at the start of `text` that JSON text takes as they are: printable ASCII but quotes and
// backslashes.
size_t PlainPrefix(std::string_view text);

// Bytes of the UTF-8 sequence at the start of `text` (not empty): 1 to 4, or 0 when it is not
// valid.  Overlong forms and surrogates are not.
size_t Utf8SequenceBytes(std::string_view text);

}  // namespace ge::wire
