#include "options/text.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace ge {
namespace {

constexpr size_t kExcerptColumns = 88;

// Columns of a terminal that the character starting at `at` takes.
size_t ColumnsOf(std::string_view text, size_t at, size_t bytes) {
  if (bytes < 3) return 1;
  if (bytes == 4) return 2;
  const auto part = [&](size_t i) { return static_cast<uint32_t>(text[at + i]) & 0x3F; };
  const uint32_t code = (static_cast<uint32_t>(text[at]) & 0x0F) << 12 | part(1) << 6 | part(2);
  const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                    (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                    (code >= 0xFF00 && code <= 0xFF60);
  return wide ? 2 : 1;
}

size_t Columns(std::string_view text) {
  size_t columns = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = std::max<size_t>(Utf8SequenceBytes(text.substr(at)), 1);
    columns += ColumnsOf(text, at, bytes);
    at += bytes;
  }
  return columns;
}

size_t CharacterStart(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

Piece Trim(Piece piece) {
  const size_t first = piece.text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {piece.text.substr(0, 0), piece.at};
  const size_t last = piece.text.find_last_not_of(" \t");
  return {piece.text.substr(first, last - first + 1), piece.at + first};
}

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<Piece> Split(Piece whole, char separator) {
  std::vector<Piece> pieces;
  for (size_t begin = 0; begin <= whole.text.size();) {
    const size_t end = std::min(whole.text.find(separator, begin), whole.text.size());
    pieces.push_back({whole.text.substr(begin, end - begin), whole.at + begin});
    begin = end + 1;
  }
  return pieces;
}

std::vector<Piece> SplitList(std::string_view text, char separator) {
  if (text.ends_with(separator)) text.remove_suffix(1);
  return Split({text, 0}, separator);
}

std::optional<int64_t> ParseInt64(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string BaseName(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash != std::string_view::npos && path.size() > 1) path.remove_prefix(slash + 1);
  return std::string(path);
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = Utf8SequenceBytes(text.substr(at));
    if (bytes == 0) {
      valid += '_';
      ++at;
    } else {
      valid.append(text.substr(at, bytes));
      at += bytes;
    }
  }
  return valid;
}

std::string Excerpt(std::string_view text, size_t at, size_t length) {
  std::string_view before_mark, after_mark;
  size_t begin = 0;
  size_t end = text.size();
  if (text.size() > kExcerptColumns) {
    begin = CharacterStart(text, at > kExcerptColumns / 2 ? at - kExcerptColumns / 2 : 0);
    end = CharacterStart(text, std::min(begin + kExcerptColumns, text.size()));
    if (begin > 0) before_mark = "...";
    if (end < text.size()) after_mark = "...";
  }
  length = std::min(length, end > at ? end - at : 0);
  const size_t indent = before_mark.size() + Columns(text.substr(begin, at - begin));
  const size_t width = std::max<size_t>(Columns(text.substr(at, length)), 1);
  std::string shown(text.substr(begin, end - begin));
  for (char& c : shown) {
    if (static_cast<uint8_t>(c) < ' ') c = ' ';
  }
  std::string lines = "\n";
  lines.append(before_mark).append(shown).append(after_mark);
  return lines + "\n" + std::string(indent, ' ') + "^" + std::string(width - 1, '~');
}

}  // namespace ge
