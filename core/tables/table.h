#pragma once

#include <cstdint>
#include <string_view>

namespace ge {

// A value of the embedded tables (packed by cmake/embed_tables.py from core/tables/*.json), read
// in place: nothing is parsed or copied at start-up.  A value that is absent reads as null, 0, ""
// or an empty container, so chains of Find need no checks.
class Table {
 public:
  Table() = default;
  // The file core/tables/<name>.json.
  static Table Root(std::string_view name);

  bool is_null() const { return tag_ == 0; }
  bool is_string() const { return tag_ == 4; }
  bool AsBool() const { return tag_ == 1 && payload_ != 0; }
  int64_t AsInt() const;    // of an integer or bool
  double AsDouble() const;  // of a number
  std::string_view AsString() const;

  // Elements of an array or entries of a map.
  uint32_t size() const;
  Table operator[](uint32_t index) const;        // of an array; the value part of a map entry
  std::string_view KeyAt(uint32_t index) const;  // of a map, sorted
  Table Find(std::string_view key) const;        // of a map
  bool Has(std::string_view key) const { return !Find(key).is_null(); }

 private:
  Table(uint32_t tag, uint32_t payload) : tag_(tag), payload_(payload) {}
  uint32_t tag_ = 0;
  uint32_t payload_ = 0;
};

}  // namespace ge
