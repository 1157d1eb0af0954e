#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ge {

// Part of a text, with the place it stands at.
struct Piece {
  std::string_view text;
  size_t at = 0;  // byte offset in the text it was cut from
};

std::string LowerCase(std::string_view text);  // ASCII letters only
Piece Trim(Piece piece);                       // blanks and tabs at both ends
bool IsDigits(std::string_view text);          // not empty, 0-9 only

// The pieces between separators: one more than there are separators.
std::vector<Piece> Split(Piece whole, char separator);
// The same, but one separator at the end adds no piece.
std::vector<Piece> SplitList(std::string_view text, char separator);

// A decimal number with an optional minus; nothing when it does not fit.  `text` must hold digits.
std::optional<int64_t> ParseInt64(std::string_view text);

// The last component of a path, without slashes at its end.
std::string BaseName(std::string_view path);

// `text` with every byte that is not part of valid UTF-8 replaced by '_'.
std::string ValidUtf8(std::string_view text);

// Two lines to put below a message: `text` and a caret line under `at`, `length`; each starts with
// a line break.  Long texts are cut around the place.
std::string Excerpt(std::string_view text, size_t at, size_t length);

}  // namespace ge
