#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tables/table.h"

namespace ge::wire {

// What messages look like on the wire, out of tables/proto_fields.json.  Nobody types a field
// name twice: the JSON views read them from here.

enum class FieldKind : uint8_t {
  kInt32,
  kInt64,
  kUint32,
  kUint64,
  kBool,
  kFloat,
  kDouble,
  kString,
  kBytes,
  kEnum,
  kMessage,
};

struct MessageTable;

struct FieldRow {
  uint32_t number = 0;
  std::string_view name;
  FieldKind kind = FieldKind::kBytes;
  bool repeated = false;  // maps are repeated entry messages
  bool presence = false;  // a zero that stands on the wire was set on purpose
  bool oneof = false;     // of the members of a oneof the last one counts; at most one per message
  const MessageTable* message = nullptr;  // of kMessage
  Table enum_values;                      // of kEnum: rows [number, name], sorted
};

struct MessageTable {
  std::string_view name;         // "ge.proto.OpDef"
  std::vector<FieldRow> fields;  // sorted by name
  bool map_entry = false;        // key and value of a map

  // Index into fields, or -1.
  int Find(uint32_t number) const { return number < by_number.size() ? by_number[number] : -1; }
  std::vector<int8_t> by_number;
};

inline constexpr size_t kMaxFields = 64;  // per message

// The message must be in the table.
const MessageTable& FindMessage(std::string_view name);

// "" when the enum has no such number.
std::string_view EnumName(const FieldRow& field, int64_t number);

}  // namespace ge::wire
