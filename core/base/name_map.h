#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace ge {

// Values by name; the names are views that live elsewhere.  Slots lie in one array and hold the
// hash, so that a look-up among hundreds of thousands of names waits for memory once or twice.
template <typename Value>
class NameMap {
 public:
  // Makes room for `names` names.
  void Reserve(size_t names) {
    size_t slots = kFewestSlots;
    while (IsCrowded(names, slots)) slots *= 2;
    if (slots > slots_.size()) Rehash(slots);
  }

  // nullptr when there is none.  Valid until the next change.
  const Value* Find(std::string_view name) const {
    if (size_ == 0) return nullptr;
    const Slot& slot = slots_[Locate(name, HashOf(name))];
    return slot.hash != kFree ? &slot.value : nullptr;
  }
  bool Contains(std::string_view name) const { return Find(name) != nullptr; }

  // False, and nothing is changed, when the name is known.
  bool Insert(std::string_view name, Value value) {
    if (IsCrowded(size_ + 1, slots_.size())) Reserve(size_ + 1);
    const uint32_t hash = HashOf(name);
    Slot& slot = slots_[Locate(name, hash)];
    if (slot.hash != kFree) return false;
    slot = {name, value, hash};
    ++size_;
    return true;
  }

  void Erase(std::string_view name) {
    if (size_ == 0) return;
    const size_t mask = slots_.size() - 1;
    size_t hole = Locate(name, HashOf(name));
    if (slots_[hole].hash == kFree) return;
    // What stands behind the hole moves up, unless that would be before its place.
    for (size_t i = (hole + 1) & mask; slots_[i].hash != kFree; i = (i + 1) & mask) {
      if (((i - slots_[i].hash) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = {};
    --size_;
  }

 private:
  static constexpr size_t kFewestSlots = 16;
  static constexpr uint32_t kFree = 0;
  struct Slot {
    std::string_view name;
    Value value{};
    uint32_t hash = kFree;
  };

  static bool IsCrowded(size_t names, size_t slots) { return names * 4 > slots * 3; }
  static uint32_t HashOf(std::string_view name) {
    const size_t hash = std::hash<std::string_view>()(name);
    const uint32_t folded = static_cast<uint32_t>(hash ^ (hash >> 32));
    return folded != kFree ? folded : 1;
  }

  // The slot of `name`, or the free one where it belongs.
  size_t Locate(std::string_view name, uint32_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t i = hash & mask;
    while (slots_[i].hash != kFree && (slots_[i].hash != hash || slots_[i].name != name)) {
      i = (i + 1) & mask;
    }
    return i;
  }

  void Rehash(size_t slots) {
    std::vector<Slot> old(slots);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.hash != kFree) slots_[Locate(slot.name, slot.hash)] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace ge
