#include "ir/attr.h"

#include <algorithm>

namespace ge {
namespace {

template <typename Entries>
auto LowerBound(Entries& entries, std::string_view name) {
  return std::lower_bound(
      entries.begin(), entries.end(), name,
      [](const auto& entry, std::string_view key) { return entry.first < key; });
}

}  // namespace

void AttrMap::Set(std::string_view name, Attr value) {
  const auto at = LowerBound(entries_, name);
  if (at != entries_.end() && at->first == name) {
    at->second = std::move(value);
  } else {
    entries_.emplace(at, std::string(name), std::move(value));
  }
}

void AttrMap::Remove(std::string_view name) {
  const auto at = LowerBound(entries_, name);
  if (at != entries_.end() && at->first == name) entries_.erase(at);
}

const Attr* AttrMap::Find(std::string_view name) const {
  const auto at = LowerBound(entries_, name);
  return at != entries_.end() && at->first == name ? &at->second : nullptr;
}

}  // namespace ge
