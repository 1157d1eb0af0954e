#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ge {

// The XXH64 digest, seed 0, as 16 hexadecimal digits: what `xxhsum -H64` prints.  For telling files
// apart, not against forgers.
std::string Xxh64(std::string_view bytes);

}  // namespace ge
