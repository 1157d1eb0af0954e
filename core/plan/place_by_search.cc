// PlaceBySearch: an order of the claims decides their places, since each goes as low as those
// before it let it.  The best of some sorted orders is changed again and again: a claim that ends
// above the rest moves to an earlier place.  A change that makes the arena larger is taken back.
#include "plan/arena.h"
#include "plan/place.h"

namespace ge {
namespace {

// Pairs of claims that overlap in time: beyond that a set is left alone.  A look at all of them
// takes twice as many, so that fewer orders than there are to begin with could be tried.
constexpr size_t kMostPairs = size_t{1} << 18;
// Looks at a claim that is placed already, over all orders: about ten milliseconds.
constexpr uint64_t kMostLooks = uint64_t{1} << 20;
constexpr int kMostOrders = 2000;

// How many pairs of claims overlap in time.
size_t CountPairs(std::span<const Claim> claims) {
  std::vector<uint32_t> begins, ends;
  for (const Claim& claim : claims) {
    begins.push_back(claim.first_step);
    ends.push_back(claim.last_step);
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  size_t pairs = 0, ended = 0;
  for (size_t begun = 0; begun < begins.size(); ++begun) {
    while (ends[ended] < begins[begun]) ++ended;
    pairs += begun - ended;
  }
  return pairs;
}

// For each claim those that overlap it in time; empty when they are too many.
std::vector<std::vector<uint32_t>> FindNeighbours(std::span<const Claim> claims) {
  if (CountPairs(claims) > kMostPairs) return {};
  std::vector<std::vector<uint32_t>> neighbours(claims.size());
  std::vector<uint32_t> live;
  const auto begins_first = [](const Claim& a, const Claim& b) {
    return a.first_step < b.first_step;
  };
  for (const uint32_t index : OrderOf(claims, begins_first)) {
    const uint32_t step = claims[index].first_step;
    std::erase_if(live, [&](uint32_t other) { return claims[other].last_step < step; });
    for (const uint32_t other : live) {
      neighbours[index].push_back(other);
      neighbours[other].push_back(index);
    }
    live.push_back(index);
  }
  return neighbours;
}

class Search {
 public:
  Search(std::span<const Claim> claims, uint64_t bound)
      : claims_(claims),
        bound_(bound),
        neighbours_(FindNeighbours(claims)),
        offsets_(claims.size()),
        rank_(claims.size()) {}

  bool possible() const { return neighbours_.size() == claims_.size(); }

  // Leaves the best offsets in `best_offsets`.
  uint64_t Run() {
    const auto bytes = [](const Claim& c) { return static_cast<double>(c.bytes); };
    const auto steps = [](const Claim& c) { return 1.0 + c.last_step - c.first_step; };
    Try(OrderOf(claims_, [&](auto& a, auto& b) { return a.bytes > b.bytes; }));
    Try(OrderOf(claims_,
                [&](auto& a, auto& b) { return bytes(a) * steps(a) > bytes(b) * steps(b); }));
    Try(OrderOf(claims_, [&](auto& a, auto& b) { return steps(a) > steps(b); }));
    Try(OrderOf(claims_, [&](auto& a, auto& b) { return a.first_step < b.first_step; }));
    Try(OrderOf(claims_, [&](auto& a, auto& b) { return a.last_step > b.last_step; }));
    for (int i = 0; i < kMostOrders && best_ > bound_ && looks_ < kMostLooks; ++i) {
      std::vector<uint32_t> order = order_;
      Promote(order);
      Try(std::move(order));
    }
    return best_;
  }

  std::vector<uint64_t> best_offsets;

 private:
  uint64_t EndOf(uint32_t claim) const {
    return offsets_[claim] + AlignArena(claims_[claim].bytes);
  }

  // Knuth's 64-bit generator: the same numbers on every machine.
  size_t Random(size_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % below;
  }

  void Try(std::vector<uint32_t> order) {
    const uint64_t top = Place(order);
    if (top > best_) return;
    if (top < best_) best_offsets = offsets_;
    best_ = top;
    order_ = std::move(order);
    highest_.clear();
    for (const uint32_t index : order_) {
      if (EndOf(index) > bound_) highest_.push_back(index);
    }
  }

  // Each claim at the lowest offset that those before it leave.
  uint64_t Place(std::span<const uint32_t> order) {
    for (uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
    uint64_t top = 0;
    std::vector<std::pair<uint64_t, uint64_t>> taken;
    for (uint32_t i = 0; i < order.size(); ++i) {
      const uint32_t index = order[i];
      taken.clear();
      for (const uint32_t other : neighbours_[index]) {
        if (rank_[other] < i) taken.emplace_back(offsets_[other], EndOf(other));
      }
      looks_ += neighbours_[index].size() + 1;
      std::sort(taken.begin(), taken.end());
      const uint64_t bytes = AlignArena(claims_[index].bytes);
      uint64_t offset = 0;
      for (const auto& [begin, end] : taken) {
        if (begin >= offset + bytes) break;
        offset = std::max(offset, end);
      }
      offsets_[index] = offset;
      top = std::max(top, offset + bytes);
      if (top > best_) return top;
    }
    return top;
  }

  // Moves a claim that ends above the bound, or one beside it, to an earlier place.
  void Promote(std::vector<uint32_t>& order) {
    uint32_t index = highest_[Random(highest_.size())];
    const std::vector<uint32_t>& beside = neighbours_[index];
    if (!beside.empty() && Random(2) == 0) index = beside[Random(beside.size())];
    const auto at = std::find(order.begin(), order.end(), index);
    const auto to =
        order.begin() + static_cast<ptrdiff_t>(Random(static_cast<size_t>(at - order.begin()) + 1));
    std::rotate(to, at, at + 1);
  }

  const std::span<const Claim> claims_;
  const uint64_t bound_;
  const std::vector<std::vector<uint32_t>> neighbours_;
  std::vector<uint64_t> offsets_;
  std::vector<uint32_t> rank_;
  std::vector<uint32_t> order_;    // the best one
  std::vector<uint32_t> highest_;  // claims that end above the bound in it
  uint64_t best_ = UINT64_MAX;
  uint64_t looks_ = 0;
  uint64_t state_ = 1;
};

}  // namespace

uint64_t PlaceBySearch(std::span<Claim> claims, uint64_t bytes, uint64_t bound) {
  Search search(claims, bound);
  if (!search.possible()) return bytes;
  const uint64_t found = search.Run();
  if (found >= bytes) return bytes;
  for (size_t i = 0; i < claims.size(); ++i) claims[i].offset = search.best_offsets[i];
  return found;
}

}  // namespace ge
