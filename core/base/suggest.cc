#include "base/suggest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>

namespace ge {
namespace {

constexpr size_t kLongestWord = 128;
constexpr size_t kShortestPart = 3;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// Optimal string alignment: inserted, removed, changed letters and swapped neighbours.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> older, old(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) old[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = old[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = std::min({old[j] + 1, now[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], older[j - 2] + 1);
      }
    }
    older = old;
    std::swap(old, now);
  }
  return old[b.size()];
}

}  // namespace

std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string lower = LowerCase(word);
  const size_t most = std::max<size_t>(word.size() / 3, 1);
  std::string_view nearest, holder;
  std::pair<size_t, size_t> least;  // distance, then difference in length
  for (const std::string_view candidate : candidates) {
    const std::string other = LowerCase(candidate);
    const size_t distance = Distance(lower, other);
    const auto [shorter, longer] = std::minmax({lower.size(), other.size()});
    const std::pair<size_t, size_t> score(distance, longer - shorter);
    // A word that shares no letter with the candidate is no misspelling of it.
    if (distance <= most && distance < longer && (nearest.empty() || score < least)) {
      least = score;
      nearest = candidate;
    }
    if (word.size() >= kShortestPart && other.find(lower) != std::string::npos &&
        (holder.empty() || candidate.size() < holder.size())) {
      holder = candidate;
    }
  }
  return nearest.empty() ? holder : nearest;
}

}  // namespace ge
