#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ge::singleop {

struct Word {
  std::string_view word;
  int32_t number;
};

inline constexpr int32_t kUndefinedType = 28, kReservedFormat = 40;  // both: no tensor

// What [type] of a tensor may be, with the numbers of data types; [undefined] is not among them.
extern const std::span<const Word> kTypeWords;
// What formats may be; [reserved] is not among them.
extern const std::span<const Word> kFormatWords;

// In any letter case.
std::optional<int32_t> FindWord(std::span<const Word> words, std::string_view text);
// " (did you mean [float16]?)", or "; accepted are " with all words.
std::string HintFor(const std::vector<std::string_view>& words, std::string_view text);
std::string HintFor(std::span<const Word> words, std::string_view text);

}  // namespace ge::singleop
