// PlaceExactly: depth first over the orders of the claims by offset.
//
// In some smallest arena no claim can move down, so each lies on top of one that lives with it, or
// at 0: it follows from the order by offset, with `height` the end of what lies lowest at each
// step.
#include "plan/arena.h"
#include "plan/place.h"

namespace ge {
namespace {

// Larger sets are not tried; what is left open after so many placements is given up.
constexpr size_t kMostClaims = 24;
constexpr uint64_t kMostPlacements = 20'000;

class Exact {
 public:
  Exact(std::span<const Claim> claims, uint64_t bound, uint64_t best)
      : bound_(bound), best_(best), placed_(claims.size()) {
    // Only the steps at which claims begin matter: at each other one no more of them live.
    std::vector<uint32_t> steps;
    for (const Claim& claim : claims) steps.push_back(claim.first_step);
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    height_.resize(steps.size());
    missing_.resize(steps.size());
    for (const Claim& claim : claims) {
      const auto begin = std::lower_bound(steps.begin(), steps.end(), claim.first_step);
      const auto end = std::upper_bound(steps.begin(), steps.end(), claim.last_step);
      rows_.push_back({static_cast<size_t>(begin - steps.begin()),
                       static_cast<size_t>(end - steps.begin()), AlignArena(claim.bytes), 0});
      for (size_t i = rows_.back().begin; i < rows_.back().end; ++i) {
        missing_[i] += rows_.back().bytes;
      }
    }
  }

  void Run() { Extend(0, 0, 0); }

  std::vector<uint64_t> best_offsets;  // empty: none is smaller
  uint64_t best() const { return best_; }
  // Whether all orders were seen or ruled out.
  bool is_complete() const { return placements_ < kMostPlacements; }

 private:
  struct Row {
    size_t begin, end;  // steps
    uint64_t bytes, offset;
  };

  bool IsDone() const { return best_ == bound_ || placements_ >= kMostPlacements; }

  // Places one more claim at `offset` or above; `last` was placed before.
  void Extend(size_t count, uint64_t offset, size_t last) {
    if (count == rows_.size()) {
      best_ = *std::max_element(height_.begin(), height_.end());
      best_offsets.clear();
      for (const Row& row : rows_) best_offsets.push_back(row.offset);
      return;
    }
    for (size_t i = 0; i < height_.size(); ++i) {
      if (missing_[i] != 0 && std::max(height_[i], offset) + missing_[i] >= best_) return;
    }
    for (size_t i = 0; i < rows_.size() && !IsDone(); ++i) {
      if (placed_[i]) continue;
      Row& row = rows_[i];
      const auto begin = height_.begin() + static_cast<ptrdiff_t>(row.begin);
      const auto end = height_.begin() + static_cast<ptrdiff_t>(row.end);
      row.offset = *std::max_element(begin, end);
      // Claims at one offset are taken by index.
      if (row.offset < offset || (row.offset == offset && count != 0 && i < last)) continue;
      if (row.offset + row.bytes >= best_) continue;
      ++placements_;
      const std::vector<uint64_t> before(begin, end);
      std::fill(begin, end, row.offset + row.bytes);
      for (size_t step = row.begin; step < row.end; ++step) missing_[step] -= row.bytes;
      placed_[i] = true;
      Extend(count + 1, row.offset, i);
      placed_[i] = false;
      for (size_t step = row.begin; step < row.end; ++step) missing_[step] += row.bytes;
      std::copy(before.begin(), before.end(), begin);
    }
  }

  const uint64_t bound_;
  uint64_t best_;
  std::vector<bool> placed_;
  std::vector<Row> rows_;
  std::vector<uint64_t> height_, missing_;  // per step: end of what is placed, bytes of what is not
  uint64_t placements_ = 0;
};

}  // namespace

uint64_t PlaceExactly(std::span<Claim> claims, uint64_t bytes, uint64_t* bound) {
  if (claims.size() > kMostClaims) return bytes;
  Exact exact(claims, *bound, bytes);
  exact.Run();
  if (exact.is_complete()) *bound = exact.best();
  if (exact.best_offsets.empty()) return bytes;
  for (size_t i = 0; i < claims.size(); ++i) claims[i].offset = exact.best_offsets[i];
  return exact.best();
}

}  // namespace ge
