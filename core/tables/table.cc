#include "tables/table.h"

#include <bit>
#include <cstring>

// GE_TABLES_FILE is the packed file; .incbin puts it into the read-only data of this library.
__asm__(
    ".section .rodata\n"
    ".balign 8\n"
    ".global ge_tables_blob\n"
    ".hidden ge_tables_blob\n"
    "ge_tables_blob:\n"
    ".incbin \"" GE_TABLES_FILE
    "\"\n"
    ".byte 0\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden"))) const uint8_t ge_tables_blob[];

namespace ge {
namespace {

static_assert(std::endian::native == std::endian::little, "the packed tables are little endian");

enum : uint32_t { kNull, kBool, kInt, kDouble, kString, kArray, kMap };
constexpr uint32_t kSlotBytes = 8;
constexpr uint32_t kEntryBytes = 4 + kSlotBytes;

template <typename T>
T ReadAt(uint32_t offset) {
  T value;
  std::memcpy(&value, ge_tables_blob + offset, sizeof(value));
  return value;
}

std::string_view StringAt(uint32_t offset) {
  return {reinterpret_cast<const char*>(ge_tables_blob) + offset + 4, ReadAt<uint32_t>(offset)};
}

}  // namespace

Table Table::Root(std::string_view name) {
  return Table(ReadAt<uint32_t>(8), ReadAt<uint32_t>(12)).Find(name);
}

int64_t Table::AsInt() const {
  if (tag_ == kInt) return ReadAt<int64_t>(payload_);
  return tag_ == kBool ? payload_ : 0;
}

double Table::AsDouble() const {
  return tag_ == kDouble ? ReadAt<double>(payload_) : static_cast<double>(AsInt());
}

std::string_view Table::AsString() const {
  return tag_ == kString ? StringAt(payload_) : std::string_view();
}

uint32_t Table::size() const {
  return tag_ == kArray || tag_ == kMap ? ReadAt<uint32_t>(payload_) : 0;
}

Table Table::operator[](uint32_t index) const {
  if (index >= size()) return {};
  const uint32_t slot =
      tag_ == kArray ? payload_ + 4 + index * kSlotBytes : payload_ + 4 + index * kEntryBytes + 4;
  return {ReadAt<uint32_t>(slot), ReadAt<uint32_t>(slot + 4)};
}

std::string_view Table::KeyAt(uint32_t index) const {
  return StringAt(ReadAt<uint32_t>(payload_ + 4 + index * kEntryBytes));
}

Table Table::Find(std::string_view key) const {
  if (tag_ != kMap) return {};
  uint32_t low = 0;
  for (uint32_t high = size(); low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    const std::string_view name = KeyAt(middle);
    if (name == key) return (*this)[middle];
    if (name < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {};
}

}  // namespace ge
