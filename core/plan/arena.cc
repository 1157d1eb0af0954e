#include "plan/arena.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <vector>

namespace ge {
namespace {

// Sets beyond this are placed by the scan alone: 4096^2 comparisons take about 20 ms.
constexpr size_t kMostForLargestFirst = 4096;

std::vector<uint32_t> Order(std::span<const Claim> claims, auto less) {
  std::vector<uint32_t> order(claims.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return less(claims[a], claims[b]); });
  return order;
}

uint64_t PlaceOneByOne(std::span<Claim> claims) {
  uint64_t top = 0;
  for (Claim& claim : claims) {
    claim.offset = top;
    top += AlignArena(claim.bytes);
  }
  return top;
}

// Walks the claims as they begin and gives each the tightest hole that is free then.
uint64_t PlaceInOrder(std::span<Claim> claims) {
  std::map<uint64_t, uint64_t> holes;            // offset -> bytes
  std::multimap<uint64_t, uint64_t> by_size;     // bytes -> offset
  using Ending = std::pair<uint32_t, uint32_t>;  // last step, claim
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> live;
  uint64_t top = 0;
  const auto erase_hole = [&](std::map<uint64_t, uint64_t>::iterator hole) {
    const auto range = by_size.equal_range(hole->second);
    for (auto it = range.first; it != range.second; ++it) {
      if (it->second == hole->first) {
        by_size.erase(it);
        break;
      }
    }
    holes.erase(hole);
  };
  const auto add_hole = [&](uint64_t offset, uint64_t bytes) {
    if (bytes == 0) return;
    auto next = holes.lower_bound(offset);
    if (next != holes.end() && offset + bytes == next->first) {
      bytes += next->second;
      erase_hole(next);
    }
    auto before = holes.lower_bound(offset);
    if (before != holes.begin() && std::prev(before)->first + std::prev(before)->second == offset) {
      --before;
      offset = before->first;
      bytes += before->second;
      erase_hole(before);
    }
    holes.emplace(offset, bytes);
    by_size.emplace(bytes, offset);
  };
  const auto begins_first = [](const Claim& a, const Claim& b) {
    return a.first_step != b.first_step ? a.first_step < b.first_step : a.bytes > b.bytes;
  };
  for (const uint32_t index : Order(claims, begins_first)) {
    Claim& claim = claims[index];
    while (!live.empty() && live.top().first < claim.first_step) {
      const Claim& ended = claims[live.top().second];
      add_hole(ended.offset, AlignArena(ended.bytes));
      live.pop();
    }
    const uint64_t bytes = AlignArena(claim.bytes);
    const auto fit = by_size.lower_bound(bytes);
    if (fit != by_size.end()) {
      claim.offset = fit->second;
      const uint64_t rest = fit->first - bytes;
      erase_hole(holes.find(claim.offset));
      add_hole(claim.offset + bytes, rest);
    } else {
      claim.offset = top;
      if (!holes.empty() && std::prev(holes.end())->first + std::prev(holes.end())->second == top) {
        claim.offset = std::prev(holes.end())->first;  // the last hole grows
        erase_hole(std::prev(holes.end()));
      }
      top = claim.offset + bytes;
    }
    live.emplace(claim.last_step, index);
  }
  return top;
}

// Places the largest first, each in the lowest gap between those that are live with it.
uint64_t PlaceLargestFirst(std::span<Claim> claims) {
  const auto larger = [](const Claim& a, const Claim& b) { return a.bytes > b.bytes; };
  std::vector<uint32_t> placed;  // by offset
  uint64_t top = 0;
  for (const uint32_t index : Order(claims, larger)) {
    Claim& claim = claims[index];
    const uint64_t bytes = AlignArena(claim.bytes);
    uint64_t offset = 0;
    for (const uint32_t other_index : placed) {
      const Claim& other = claims[other_index];
      if (other.last_step < claim.first_step || claim.last_step < other.first_step) continue;
      if (other.offset >= offset + bytes) break;
      offset = std::max(offset, other.offset + AlignArena(other.bytes));
    }
    claim.offset = offset;
    top = std::max(top, offset + bytes);
    placed.insert(std::upper_bound(
                      placed.begin(), placed.end(), offset,
                      [&](uint64_t value, uint32_t other) { return value < claims[other].offset; }),
                  index);
  }
  return top;
}

}  // namespace

uint64_t PlaceClaims(std::span<Claim> claims, bool reuse) {
  if (!reuse) return PlaceOneByOne(claims);
  const uint64_t in_order = PlaceInOrder(claims);
  if (claims.size() > kMostForLargestFirst) return in_order;
  std::vector<Claim> other(claims.begin(), claims.end());
  const uint64_t largest_first = PlaceLargestFirst(other);
  if (largest_first >= in_order) return in_order;
  std::copy(other.begin(), other.end(), claims.begin());
  return largest_first;
}

}  // namespace ge
