#pragma once

#include <cstddef>
#include <string_view>

namespace ge {

// Bytes of the UTF-8 sequence at the start of `text` (not empty): 1 to 4, or 0 when it is not
// valid.  Overlong forms and surrogates are not.
size_t Utf8SequenceBytes(std::string_view text);

}  // namespace ge
