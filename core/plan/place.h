#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "api/testing.h"

// Searches for an arena that is smaller than that of the offsets the claims have, of `bytes`.  They
// set the offsets and return the size when they find one, else `bytes`.  They stop after a number
// of operations, never after a time.
namespace ge {

// Goes through all orders; gives up on larger sets.  Raises `bound`, which no arena can go below,
// to the size that is found when no arena is smaller.
uint64_t PlaceExactly(std::span<Claim> claims, uint64_t bytes, uint64_t* bound);

// Places the claims one by one, each as low as it gets, in many orders.
uint64_t PlaceBySearch(std::span<Claim> claims, uint64_t bytes, uint64_t bound);

// Indices of the claims; equal ones stay in order.
std::vector<uint32_t> OrderOf(std::span<const Claim> claims, auto less) {
  std::vector<uint32_t> order(claims.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return less(claims[a], claims[b]); });
  return order;
}

}  // namespace ge
