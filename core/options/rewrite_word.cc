#include "options/rewrite_word.h"

#include <algorithm>

namespace ge {
namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool HasTwoLettersAt(std::string_view word, size_t at) {
  return word.size() >= at + 2 && IsLetter(word[at]) && IsLetter(word[at + 1]);
}

}  // namespace

std::string RewriteWord(std::string_view word) {
  std::string rewritten(word);
  if (word.starts_with('-') && HasTwoLettersAt(word, 1)) rewritten.insert(0, "-");
  if (rewritten.starts_with("--") && HasTwoLettersAt(rewritten, 2)) {
    const auto name_end = std::find(rewritten.begin(), rewritten.end(), '=');
    std::replace(rewritten.begin() + 4, name_end, '-', '_');
  }
  return rewritten;
}

}  // namespace ge
