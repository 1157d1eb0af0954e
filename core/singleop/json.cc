#include "singleop/json.h"

#include <algorithm>
#include <iterator>

namespace ge::singleop {
namespace {

using Json = nlohmann::json;

constexpr size_t kDeepest = 64;  // far more than a description of operators has

// Characters of the text; tells how far they have been read.
struct Reading {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  reference operator*() const { return *at; }
  Reading& operator++() {
    *read = ++at;
    return *this;
  }
  Reading operator++(int) {
    const Reading before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Reading& other) const { return at == other.at; }

  const char* at;
  const char** read;
};

// Builds values from what nlohmann's parser meets; its names are given.
class Builder {
 public:
  explicit Builder(std::string_view text) : text_(text), read_(text.data()), counted_(read_) {}

  Reading begin() { return {text_.data(), &read_}; }
  Reading end() { return {text_.data() + text_.size(), &read_}; }
  JsonValue TakeRoot() { return std::move(root_); }
  const std::string& fault() const { return fault_; }

  bool null() { return Scalar(nullptr); }
  bool boolean(bool value) { return Scalar(value); }
  bool number_integer(int64_t value) { return Scalar(value); }
  bool number_unsigned(uint64_t value) { return Scalar(value); }
  bool number_float(double value, const std::string&) { return Scalar(value); }
  bool string(std::string& value) { return Scalar(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // JSON as text has none
  bool start_object(size_t) { return Open(JsonValue::Kind::kObject); }
  bool start_array(size_t) { return Open(JsonValue::Kind::kList); }
  bool end_array() {
    open_.pop_back();
    return true;
  }

  bool key(std::string& name) {
    open_.back()->members.emplace_back(name, JsonValue()).second.line = Line();
    return true;
  }

  bool end_object() {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : open_.back()->members) names.push_back(name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
      return Fail("the object that begins at line " + std::to_string(open_.back()->line) +
                  " has the key " + Shown(*twice) + " twice");
    }
    open_.pop_back();
    return true;
  }

  bool parse_error(size_t position, const std::string&, const Json::exception& error) {
    if (error.id == kNumberTooLarge) {
      return Fail("line " + std::to_string(Line()) + " has a number that no type can hold");
    }
    const size_t at = std::min(std::max<size_t>(position, 1) - 1, text_.size());
    const std::string_view before = text_.substr(0, at);
    const size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    return Fail("it stops at line " + std::to_string(line) + ", column " +
                std::to_string(at - line_start + 1) + Advice(at));
  }

 private:
  static constexpr int kNumberTooLarge = 406;  // nlohmann's id

  bool Fail(std::string reason) {
    fault_ = std::move(reason);
    return false;
  }

  // What is usually wrong at such a place.
  std::string Advice(size_t at) const {
    if (at >= text_.size()) return ", where the text ends";
    const size_t last = text_.substr(0, at).find_last_not_of(" \t\r\n");
    const char here = text_[at], before = last == std::string_view::npos ? ' ' : text_[last];
    if ((here == ']' || here == '}') && before == ',') return ": no comma stands before a bracket";
    if (here == '\'') return ": texts stand between double quotes";
    if (here == '/' || here == '#') return ": there are no comments in JSON";
    return "";
  }

  // Of the last character that was read.  Behind a number that is the one that ended it.
  size_t Line() {
    const char* const last = std::max(read_ - 1, text_.data());
    if (counted_ < last) line_ += static_cast<size_t>(std::count(counted_, last, '\n'));
    counted_ = std::max(counted_, last);
    return line_;
  }

  JsonValue& Place() {
    JsonValue* place = &root_;
    if (!open_.empty() && open_.back()->is_list()) {
      place = &open_.back()->items.emplace_back();
    } else if (!open_.empty()) {
      place = &open_.back()->members.back().second;
    }
    if (place->line == 0) place->line = Line();  // a member has that of its key
    return *place;
  }

  template <typename T>
  bool Scalar(T&& value) {
    Place().scalar = std::forward<T>(value);
    return true;
  }

  bool Open(JsonValue::Kind kind) {
    if (open_.size() == kDeepest) {
      return Fail("lists and objects stand in one another more than " + std::to_string(kDeepest) +
                  " deep at line " + std::to_string(Line()));
    }
    JsonValue& value = Place();
    value.kind = kind;
    open_.push_back(&value);
    return true;
  }

  const std::string_view text_;
  const char* read_;     // behind the last character that the parser took
  const char* counted_;  // up to here line_ has been counted
  size_t line_ = 1;
  JsonValue root_;
  std::vector<JsonValue*> open_;  // outermost first
  std::string fault_;
};

}  // namespace

std::string JsonValue::Described() const {
  if (is_list()) return "a list";
  if (is_object()) return "an object";
  return "[" + Shown(scalar) + "]";
}

std::string Shown(const Json& scalar) {
  constexpr size_t kLongest = 60;
  std::string text = scalar.dump();
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while ((static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;  // inside a character
  return text.substr(0, end) + "...";
}

Result<JsonValue> ParseJson(std::span<const uint8_t> text, const std::string& path) {
  Builder builder({reinterpret_cast<const char*>(text.data()), text.size()});
  if (!Json::sax_parse(builder.begin(), builder.end(), &builder)) {
    return Error(ErrorId::kE10025, {{"realpath", path}, {"errmsg", builder.fault()}});
  }
  return builder.TakeRoot();
}

}  // namespace ge::singleop
