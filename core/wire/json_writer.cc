#include "wire/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "wire/utf8.h"

namespace ge::wire {
namespace {

constexpr size_t kFlushBytes = 1 << 16;
constexpr size_t kTextSlice = 1 << 14;  // input bytes between two looks at the buffer

template <typename T>
void AppendNumber(std::string& out, T value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

// What JSON writes for a character below 0x20, a quote or a backslash.
void AppendEscape(std::string& out, char character) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (character) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += kHex[static_cast<uint8_t>(character) >> 4];
      out += kHex[character & 15];
  }
}

// Appends some `limit` bytes of `text`, or all, as JSON text has them; what is left of it.
std::string_view AppendEscaped(std::string& out, std::string_view text, size_t limit = SIZE_MAX) {
  const size_t end = out.size() + std::min(limit, text.size());
  while (!text.empty() && out.size() <= end) {
    const size_t plain = PlainPrefix(text.substr(0, limit));
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty() || plain == limit) break;
    const size_t sequence = Utf8SequenceBytes(text);
    if (sequence == 1) {
      AppendEscape(out, text.front());
    } else {
      out.append(text.substr(0, sequence));  // nothing when it is not valid
    }
    text.remove_prefix(sequence == 0 ? 1 : sequence);
  }
  return text;
}

// The C escape of a byte as JSON text, where the backslashes are doubled.
struct ByteEscape {
  char text[7] = {};
  uint8_t size = 0;
};

std::array<ByteEscape, 256> MakeByteEscapes() {
  std::array<ByteEscape, 256> escapes;
  for (int byte = 0; byte < 256; ++byte) {
    ByteEscape& escape = escapes[byte];
    const auto append = [&](std::string_view text) {
      escape.size += static_cast<uint8_t>(text.copy(escape.text + escape.size, text.size()));
    };
    switch (byte) {
      case '\n':
        append("\\\\n");
        break;
      case '\r':
        append("\\\\r");
        break;
      case '\t':
        append("\\\\t");
        break;
      case '"':
        append("\\\\\\\"");
        break;
      case '\'':
        append("\\\\'");
        break;
      case '\\':
        append("\\\\\\\\");
        break;
      default: {
        const char octal[] = {'\\', '\\', static_cast<char>('0' + (byte >> 6)),
                              static_cast<char>('0' + (byte >> 3 & 7)),
                              static_cast<char>('0' + (byte & 7))};
        const char plain = static_cast<char>(byte);
        append(byte >= 0x20 && byte < 0x7f ? std::string_view(&plain, 1)
                                           : std::string_view(octal, sizeof(octal)));
      }
    }
  }
  return escapes;
}

}  // namespace

void JsonWriter::Flush() {
  if (!failed()) {
    status_ = sink_({reinterpret_cast<const uint8_t*>(buffer_.data()), buffer_.size()});
  }
  buffer_.clear();
}

void JsonWriter::FlushWhenFull() {
  if (buffer_.size() >= kFlushBytes) Flush();
}

void JsonWriter::NewLine() {
  buffer_ += '\n';
  buffer_.append(2 * has_items_.size(), ' ');
}

void JsonWriter::BeforeValue() {
  if (after_key_) {
    after_key_ = false;
  } else if (!has_items_.empty()) {
    if (has_items_.back()) buffer_ += row_depth_ == 0 ? "," : ", ";
    has_items_.back() = true;
    if (row_depth_ == 0) NewLine();
  }
  FlushWhenFull();
}

void JsonWriter::Begin(char bracket) {
  BeforeValue();
  buffer_ += bracket;
  has_items_.push_back(false);
}

void JsonWriter::End(char bracket) {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items && row_depth_ == 0) NewLine();
  if (row_depth_ > has_items_.size()) row_depth_ = 0;
  buffer_ += bracket;
}

void JsonWriter::BeginRow() {
  Begin('{');
  if (row_depth_ == 0) row_depth_ = has_items_.size();
}

void JsonWriter::Key(std::string_view name) {
  BeforeValue();
  Quoted(name);
  buffer_ += ": ";
  after_key_ = true;
}

void JsonWriter::Quoted(std::string_view text) {
  buffer_ += '"';
  while (!text.empty()) {
    text = AppendEscaped(buffer_, text, kTextSlice);
    FlushWhenFull();
  }
  buffer_ += '"';
}

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  AppendEscaped(out, text);
  out += '"';
}

void JsonWriter::Json(std::string_view value) {
  BeforeValue();
  buffer_ += value;
}

void JsonWriter::Text(std::string_view text) {
  BeforeValue();
  Quoted(text);
}

void JsonWriter::EscapedBytes(std::string_view bytes) {
  static const std::array<ByteEscape, 256> kEscapes = MakeByteEscapes();
  BeforeValue();
  buffer_ += '"';
  while (!bytes.empty() && !failed()) {
    const std::string_view slice = bytes.substr(0, kTextSlice);
    size_t at = buffer_.size();
    buffer_.resize(at + slice.size() * sizeof(ByteEscape::text));
    for (const char byte : slice) {
      const ByteEscape& escape = kEscapes[static_cast<uint8_t>(byte)];
      std::memcpy(buffer_.data() + at, escape.text, sizeof(escape.text));
      at += escape.size;
    }
    buffer_.resize(at);
    bytes.remove_prefix(slice.size());
    FlushWhenFull();
  }
  buffer_ += '"';
}

void JsonWriter::Int(int64_t value) {
  BeforeValue();
  AppendNumber(buffer_, value);
}

void JsonWriter::Uint(uint64_t value) {
  BeforeValue();
  AppendNumber(buffer_, value);
}

void JsonWriter::Double(double value) {
  if (!std::isfinite(value)) return Null();
  BeforeValue();
  const size_t start = buffer_.size();
  AppendNumber(buffer_, value);
  // 1.0 rather than 1: readers that tell integers from reals see a real.
  if (buffer_.find_first_not_of("-0123456789", start) == std::string::npos) buffer_ += ".0";
}

void JsonWriter::Bool(bool value) {
  BeforeValue();
  buffer_ += value ? "true" : "false";
}

void JsonWriter::Null() {
  BeforeValue();
  buffer_ += "null";
}

Status JsonWriter::Finish() {
  buffer_ += '\n';
  Flush();
  return status_;
}

}  // namespace ge::wire
