#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace ge {

// A bool of a file or of a caller may be any byte; one that is not 0 is true.  The project's own
// are 0 and 1.

inline bool AreBools(std::span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte <= 1; });
}

inline void CopyBools(uint8_t* to, std::span<const uint8_t> bytes) {
  std::transform(bytes.begin(), bytes.end(), to, [](uint8_t byte) { return byte != 0; });
}

}  // namespace ge
