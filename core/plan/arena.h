#pragma once

#include <cstdint>
#include <span>

#include "api/testing.h"

namespace ge {

inline constexpr uint64_t kArenaAlign = 512;

inline uint64_t AlignArena(uint64_t bytes) {
  return (bytes + kArenaAlign - 1) / kArenaAlign * kArenaAlign;
}

// Sets the offset of every claim so that two claims whose steps overlap never share a byte, and
// returns the arena size in bytes; offsets and size are multiples of kArenaAlign.  Without `reuse`
// no two claims share a byte.  Depends on the claims and their order alone, so equal inputs give
// equal plans on every machine.
//
// O(n log n) in claims for one scan in execution order; small sets are also placed largest first
// (O(n^2)), which is usually tighter, and the smaller arena wins.
uint64_t PlaceClaims(std::span<Claim> claims, bool reuse);

}  // namespace ge
