#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/dtype.h"

namespace ge {

using Attr = std::variant<bool, int64_t, float, std::string, DataType, std::vector<bool>,
                          std::vector<int64_t>, std::vector<float>, std::vector<std::string>,
                          std::vector<std::vector<int64_t>>>;

// Attributes of a node in order of their names.
class AttrMap {
 public:
  // Adds or replaces.
  void Set(std::string_view name, Attr value);
  void Remove(std::string_view name);
  // nullptr when there is none.
  const Attr* Find(std::string_view name) const;
  // nullptr when there is none or when it has another type.
  template <typename T>
  const T* Get(std::string_view name) const {
    const Attr* attr = Find(name);
    return attr == nullptr ? nullptr : std::get_if<T>(attr);
  }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  size_t size() const { return entries_.size(); }

 private:
  std::vector<std::pair<std::string, Attr>> entries_;
};

}  // namespace ge
