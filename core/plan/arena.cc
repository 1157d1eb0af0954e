#include "plan/arena.h"

#include <algorithm>
#include <map>
#include <queue>
#include <vector>

#include "plan/place.h"

namespace ge {
namespace {

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
  for (const uint32_t index : OrderOf(claims, begins_first)) {
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

}  // namespace

uint64_t LowerBound(std::span<const Claim> claims) {
  uint32_t steps = 0;
  for (const Claim& claim : claims) steps = std::max(steps, claim.last_step + 1);
  std::vector<uint64_t> begun(steps, 0), ended(steps, 0);  // bytes, by step
  for (const Claim& claim : claims) {
    begun[claim.first_step] += AlignArena(claim.bytes);
    ended[claim.last_step] += AlignArena(claim.bytes);
  }
  uint64_t live = 0, most = 0;
  for (uint32_t step = 0; step < steps; ++step) {
    most = std::max(most, live += begun[step]);
    live -= ended[step];
  }
  return most;
}

uint64_t PlaceClaims(std::span<Claim> claims, bool reuse) {
  if (!reuse) return PlaceOneByOne(claims);
  uint64_t bound = LowerBound(claims);
  uint64_t best = PlaceInOrder(claims);
  if (best > bound) best = PlaceExactly(claims, best, &bound);
  if (best > bound) best = PlaceBySearch(claims, best, bound);
  return best;
}

}  // namespace ge
