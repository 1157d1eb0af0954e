#include "wire/message_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <unordered_map>
#include <utility>

namespace ge::wire {
namespace {

constexpr std::array<std::pair<std::string_view, FieldKind>, 9> kScalars = {{
    {"int32", FieldKind::kInt32},
    {"int64", FieldKind::kInt64},
    {"uint32", FieldKind::kUint32},
    {"uint64", FieldKind::kUint64},
    {"bool", FieldKind::kBool},
    {"float", FieldKind::kFloat},
    {"double", FieldKind::kDouble},
    {"string", FieldKind::kString},
    {"bytes", FieldKind::kBytes},
}};

// All messages at once: 136 of them in some 20 us, when the first is asked for.
class Registry {
 public:
  Registry() {
    const Table root = Table::Root("proto_fields");
    const Table messages = root.Find("messages");
    for (uint32_t i = 0; i < messages.size(); ++i) {
      tables_.emplace(messages.KeyAt(i), std::make_unique<MessageTable>());
    }
    for (uint32_t i = 0; i < messages.size(); ++i) {
      Fill(messages.KeyAt(i), messages[i], root.Find("enums"));
    }
  }

  const MessageTable& Find(std::string_view name) const { return *tables_.at(name); }

 private:
  void Fill(std::string_view name, Table rows, Table enums) {
    MessageTable& table = *tables_.at(name);
    table.name = name;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      table.fields.push_back(ReadRow(rows[i], enums));
      table.map_entry |= rows[i][3].AsString() == "entry";
    }
    assert(table.fields.size() <= kMaxFields);
    std::sort(table.fields.begin(), table.fields.end(),
              [](const FieldRow& a, const FieldRow& b) { return a.name < b.name; });
    for (size_t i = 0; i < table.fields.size(); ++i) {
      const uint32_t number = table.fields[i].number;
      if (number >= table.by_number.size()) table.by_number.resize(number + 1, -1);
      table.by_number[number] = static_cast<int8_t>(i);
    }
  }

  // [number, name, type] or [number, name, type, "repeated" | "oneof" | "presence" | "entry"]
  FieldRow ReadRow(Table row, Table enums) const {
    FieldRow field;
    field.number = static_cast<uint32_t>(row[0].AsInt());
    field.name = row[1].AsString();
    const std::string_view type = row[2].AsString();
    const std::string_view label = row[3].AsString();
    field.repeated = label == "repeated";
    field.oneof = label == "oneof";
    field.presence = field.oneof || label == "presence" || label == "entry";
    const auto scalar = std::find_if(kScalars.begin(), kScalars.end(),
                                     [&](const auto& pair) { return pair.first == type; });
    if (scalar != kScalars.end()) {
      field.kind = scalar->second;
    } else if (enums.Has(type)) {
      field.kind = FieldKind::kEnum;
      field.enum_values = enums.Find(type);
    } else {
      field.kind = FieldKind::kMessage;
      field.message = tables_.at(type).get();
    }
    return field;
  }

  std::unordered_map<std::string_view, std::unique_ptr<MessageTable>> tables_;
};

}  // namespace

const MessageTable& FindMessage(std::string_view name) {
  static const Registry kRegistry;
  return kRegistry.Find(name);
}

std::string_view EnumName(const FieldRow& field, int64_t number) {
  for (uint32_t i = 0; i < field.enum_values.size(); ++i) {
    if (field.enum_values[i][0].AsInt() == number) return field.enum_values[i][1].AsString();
  }
  return {};
}

}  // namespace ge::wire
