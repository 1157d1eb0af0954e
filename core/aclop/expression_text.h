#pragma once

#include <cctype>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ge::aclop {

// What is left of an expression of core/tables/composed_ops.json, read from the front.  Spaces
// before what is read do not count.
struct ExpressionText {
  std::string_view left;

  // Whether `token` is next; it is taken then.
  bool Take(std::string_view token) {
    SkipSpace();
    if (!left.starts_with(token)) return false;
    left.remove_prefix(token.size());
    return true;
  }
  // Letters, digits and underscores; may be empty.
  std::string_view Word() {
    SkipSpace();
    size_t size = 0;
    while (size < left.size() && (left[size] == '_' || IsIn(left[size], std::isalnum))) ++size;
    const std::string_view word = left.substr(0, size);
    left.remove_prefix(size);
    return word;
  }
  bool IsNumber() {
    SkipSpace();
    return !left.empty() && (left[0] == '-' || IsIn(left[0], std::isdigit));
  }
  double Number() { return Read<double>(); }
  int64_t Int() { return Read<int64_t>(); }
  // Behind the bracket that opens the list.
  std::vector<int64_t> Ints() {
    std::vector<int64_t> list;
    while (!left.empty() && !Take("]")) {
      list.push_back(Int());
      Take(",");
    }
    return list;
  }

 private:
  static bool IsIn(char c, int (*kind)(int)) { return kind(static_cast<unsigned char>(c)) != 0; }

  void SkipSpace() {
    while (left.starts_with(' ')) left.remove_prefix(1);
  }
  template <typename T>
  T Read() {
    SkipSpace();
    T number{};
    const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), number);
    left.remove_prefix(static_cast<size_t>(end - left.data()));
    return number;
  }
};

}  // namespace ge::aclop
