#pragma once

#include <cstdint>
#include <span>

#include "api/testing.h"

namespace ge {

inline constexpr uint64_t kArenaAlign = 512;

inline uint64_t AlignArena(uint64_t bytes) {
  return (bytes + kArenaAlign - 1) / kArenaAlign * kArenaAlign;
}

// The most aligned bytes that are claimed at one step: no arena is smaller.
uint64_t LowerBound(std::span<const Claim> claims);

// Sets the offset of every claim so that two claims whose steps overlap never share a byte, and
// returns the arena size in bytes; offsets and size are multiples of kArenaAlign.  Without `reuse`
// no two claims share a byte.  Depends on the claims and their order alone, so equal inputs give
// equal plans on every machine.
//
// O(n log n) in claims for one scan in execution order.  Where that needs more than LowerBound(),
// searches for a smaller arena follow (place.h); a few claims get the smallest there is.
uint64_t PlaceClaims(std::span<Claim> claims, bool reuse);

}  // namespace ge
