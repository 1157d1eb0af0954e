#include "base/suggest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

namespace ge {
namespace {

constexpr size_t kLongestWord = 128;

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
  std::string_view nearest;
  if (word.empty() || word.size() > kLongestWord) return nearest;
  const std::string lower = LowerCase(word);
  size_t least = std::max<size_t>(word.size() / 3, 1) + 1;
  for (const std::string_view candidate : candidates) {
    const size_t distance = Distance(lower, LowerCase(candidate));
    // A word that shares no letter with the candidate is no misspelling of it.
    if (distance < least && distance < std::max(word.size(), candidate.size())) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace ge
