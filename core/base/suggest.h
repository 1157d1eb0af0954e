#pragma once

#include <string_view>
#include <vector>

namespace ge {

// The candidate that `word` was most likely meant to be, or an empty view when none is near: a
// third of its letters may differ, where swapped neighbours count as one difference and letter case
// as none.  Failing that, the shortest candidate that holds the word (of 3 letters or more).
std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ge
