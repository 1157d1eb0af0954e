#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "singleop/json.h"

namespace ge::singleop {

// A value of the file and the way to it: "[2].input_desc[0].type".
struct Spot {
  const JsonValue* value;
  std::string path;

  // nullopt when there is none.
  std::optional<Spot> Member(std::string_view key) const;
  Spot Item(size_t index) const;
};

// What is found in a file: every finding begins with "add.json:14: [2].input_desc[0].type".
class Notes {
 public:
  explicit Notes(std::string_view path) : file_(path.substr(path.rfind('/') + 1)) {}

  std::string Where(const Spot& spot) const;
  void Fail(ErrorId id, const Spot& spot, const std::string& reason);
  // The value at the spot changes nothing.
  void Warn(const Spot& spot, const std::string& reason);
  // The last fault says how many are left out, when there are very many.
  Status TakeFaults();
  std::vector<Problem> TakeWarnings() { return std::move(warnings_); }

 private:
  std::string_view file_;
  Status faults_;
  size_t left_out_ = 0;
  std::vector<Problem> warnings_;
};

// Values as the types that they must have; others are E10032.  The `...At` forms read a member of
// an object, which may be missing unless it is required; nullopt then, too.
std::optional<std::string> ReadText(const Spot& spot, Notes& notes);
std::optional<int64_t> ReadInt(const Spot& spot, Notes& notes);
std::optional<bool> ReadBool(const Spot& spot, Notes& notes);
std::optional<float> ReadFloat(const Spot& spot, Notes& notes);

// The spots of all items; E10032 when it is no list.
std::optional<std::vector<Spot>> ReadItems(const Spot& spot, Notes& notes);
// nullopt when some item is none.
template <typename T>
std::optional<std::vector<T>> ReadList(const Spot& spot,
                                       std::optional<T> (*read)(const Spot&, Notes&),
                                       Notes& notes) {
  const std::optional<std::vector<Spot>> items = ReadItems(spot, notes);
  if (!items) return std::nullopt;
  std::vector<T> values;
  for (const Spot& item : *items) {
    if (std::optional<T> value = read(item, notes)) values.push_back(std::move(*value));
  }
  if (values.size() != items->size()) return std::nullopt;
  return values;
}
std::optional<std::vector<int64_t>> ReadInts(const Spot& spot, Notes& notes);

// E10032 when the member is missing.
std::optional<Spot> Required(const Spot& object, std::string_view key, Notes& notes);
std::string TextAt(const Spot& object, std::string_view key, Notes& notes);  // empty: none

// Warns of keys that are not `known`.
void WarnOfOtherKeys(const Spot& object, std::initializer_list<std::string_view> known,
                     Notes& notes);

}  // namespace ge::singleop
