#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ge::wire {

// Appends `text` in quotes, as Text() does.
void AppendQuoted(std::string& out, std::string_view text);

// Writes one JSON document piece by piece, indented by two spaces, without holding it in memory.
// Calls must nest properly: a key before every value in an object, none in an array.
//
// Text: bytes that are not valid UTF-8 are dropped.  The first failure of the sink is kept, what
// follows is discarded, and Finish() returns it.
class JsonWriter {
 public:
  using Sink = std::function<Status(std::span<const uint8_t>)>;
  explicit JsonWriter(Sink sink) : sink_(std::move(sink)) {}

  void BeginObject() { Begin('{'); }
  // An object that stands on one line, with all that is in it.
  void BeginRow();
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }

  void Key(std::string_view name);
  void Text(std::string_view text);
  // The bytes as a C string literal would show them (octal), in quotes.
  void EscapedBytes(std::string_view bytes);
  void Int(int64_t value);
  void Uint(uint64_t value);
  void Double(double value);  // null when not finite, which JSON cannot say
  void Bool(bool value);
  void Null();
  // A value that is JSON already.
  void Json(std::string_view value);

  bool failed() const { return !status_.ok(); }
  // Ends the document with a newline and flushes it.
  Status Finish();

 private:
  void Begin(char bracket);
  void End(char bracket);
  void BeforeValue();
  void NewLine();
  void Quoted(std::string_view text);
  void FlushWhenFull();
  void Flush();

  Sink sink_;
  std::string buffer_;
  std::vector<bool> has_items_;  // per open bracket
  bool after_key_ = false;
  size_t row_depth_ = 0;  // open brackets where a row began; 0: outside of one
  Status status_;
};

}  // namespace ge::wire
