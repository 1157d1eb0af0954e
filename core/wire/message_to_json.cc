#include "wire/message_to_json.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <protozero/pbf_reader.hpp>

namespace ge::wire {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

std::string_view View(protozero::data_view view) {
  return {view.data(), view.size()};
}

pbf_wire_type WireTypeOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kFloat:
      return pbf_wire_type::fixed32;
    case FieldKind::kDouble:
      return pbf_wire_type::fixed64;
    case FieldKind::kString:
    case FieldKind::kBytes:
    case FieldKind::kMessage:
      return pbf_wire_type::length_delimited;
    default:
      return pbf_wire_type::varint;
  }
}

bool IsNumber(FieldKind kind) {
  return WireTypeOf(kind) != pbf_wire_type::length_delimited;
}

// One occurrence of a field: a number as its bits, or the bytes.
struct Value {
  uint64_t bits = 0;
  std::string_view bytes;
};

// What a message holds of one field.
struct Slot {
  bool present = false;
  Value value;                  // of a field that is not repeated
  const char* begin = nullptr;  // of a repeated field: its first occurrence
  const char* end = nullptr;    // and the end of its last one
};
using Slots = std::array<Slot, kMaxFields>;

// The value that the reader stands before.
Value ReadValue(pbf_reader& reader) {
  switch (reader.wire_type()) {
    case pbf_wire_type::varint:
      return {.bits = reader.get_uint64(), .bytes = {}};
    case pbf_wire_type::fixed32:
      return {.bits = reader.get_fixed32(), .bytes = {}};
    case pbf_wire_type::fixed64:
      return {.bits = reader.get_fixed64(), .bytes = {}};
    default:
      return {.bits = 0, .bytes = View(reader.get_view())};
  }
}

double FloatOf(const Value& value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value.bits));
}

// Takes the first number off the front of `packed`, which is not empty.
Value ReadPacked(FieldKind kind, std::string_view& packed) {
  const char* at = packed.data();
  const char* const end = at + packed.size();
  Value value;
  if (WireTypeOf(kind) == pbf_wire_type::varint) {
    value.bits = protozero::decode_varint(&at, end);
  } else {
    const size_t width = kind == FieldKind::kFloat ? sizeof(float) : sizeof(double);
    if (packed.size() < width) throw protozero::end_of_buffer_exception{};
    std::memcpy(&value.bits, at, width);  // little endian, as this host is
    at += width;
  }
  packed.remove_prefix(static_cast<size_t>(at - packed.data()));
  return value;
}

class Printer {
 public:
  Printer(const MessageToJsonOptions& options, JsonWriter& json) : options_(options), json_(json) {}

  // False when the message is left out.
  bool Print(const MessageTable& type, std::string_view bytes, int depth);

 private:
  void Scan(const MessageTable& type, std::string_view bytes, Slots& slots) const;
  bool IsHidden(const FieldRow& field) const;
  void PrintFields(const MessageTable& type, const Slots& slots, int depth);
  void PrintSingle(const FieldRow& field, const Value& value, int depth);
  void PrintElements(const FieldRow& field, const Slot& slot, int depth);
  void PrintElement(const FieldRow& field, const Value& value, int depth);
  void PrintInteger(const FieldRow& field, uint64_t bits);

  const MessageToJsonOptions& options_;
  JsonWriter& json_;
};

bool Printer::IsHidden(const FieldRow& field) const {
  return std::find(options_.hidden.begin(), options_.hidden.end(), field.name) !=
         options_.hidden.end();
}

// Finds out which fields the message shows.  A field of another wire type than its kind has is
// unknown, as for protobuf.
void Printer::Scan(const MessageTable& type, std::string_view bytes, Slots& slots) const {
  pbf_reader reader(bytes.data(), bytes.size());
  for (const char* start = bytes.data(); reader.next(); start = reader.data().data()) {
    const int index = type.Find(reader.tag());
    const FieldRow* field = index < 0 ? nullptr : &type.fields[index];
    if (field == nullptr) {
      reader.skip();
      continue;
    }
    const bool packed = field->repeated && IsNumber(field->kind) &&
                        reader.wire_type() == pbf_wire_type::length_delimited;
    if (!packed && reader.wire_type() != WireTypeOf(field->kind)) {
      reader.skip();
      continue;
    }
    Slot& slot = slots[index];
    slot.value = ReadValue(reader);
    if (field->repeated) {
      if (packed && slot.value.bytes.empty()) continue;
      if (!slot.present) slot.begin = start;
      slot.end = reader.data().data();
    } else if (field->oneof) {
      for (size_t i = 0; i < type.fields.size(); ++i) {
        if (type.fields[i].oneof) slots[i].present = false;
      }
    }
    const bool empty = slot.value.bits == 0 && slot.value.bytes.empty();
    const bool shows_empty = field->presence && field->kind != FieldKind::kMessage;
    slot.present = field->repeated || shows_empty || !empty;
  }
  for (size_t i = 0; i < type.fields.size(); ++i) {
    // Readers of the JSON take key and value of a map entry for granted.
    slots[i].present |= type.map_entry;
    if (slots[i].present && IsHidden(type.fields[i])) slots[i].present = false;
  }
}

bool Printer::Print(const MessageTable& type, std::string_view bytes, int depth) {
  std::string own;
  if (options_.filter != nullptr) {
    const auto filtered = options_.filter->Filter(type, bytes, depth, own);
    if (!filtered) return false;
    bytes = *filtered;
  }
  if (depth > kMaxShownDepth || json_.failed()) {
    json_.Null();
    return true;
  }
  Slots slots;
  if (!bytes.empty()) Scan(type, bytes, slots);
  const auto is_present = [](const Slot& slot) { return slot.present; };
  if (std::none_of(slots.begin(), slots.begin() + type.fields.size(), is_present)) {
    json_.Null();
    return true;
  }
  json_.BeginObject();
  PrintFields(type, slots, depth);
  json_.EndObject();
  return true;
}

void Printer::PrintFields(const MessageTable& type, const Slots& slots, int depth) {
  for (size_t i = 0; i < type.fields.size(); ++i) {
    if (!slots[i].present) continue;
    const FieldRow& field = type.fields[i];
    json_.Key(field.name);
    if (field.repeated) {
      PrintElements(field, slots[i], depth);
    } else {
      PrintSingle(field, slots[i].value, depth);
    }
  }
}

void Printer::PrintInteger(const FieldRow& field, uint64_t bits) {
  switch (field.kind) {
    case FieldKind::kBool:
      return json_.Bool(bits != 0);
    case FieldKind::kInt32:
      return json_.Int(static_cast<int32_t>(bits));
    case FieldKind::kUint32:
      return json_.Uint(static_cast<uint32_t>(bits));
    case FieldKind::kUint64:
      return json_.Uint(bits);
    case FieldKind::kEnum: {
      const std::string_view name = EnumName(field, static_cast<int32_t>(bits));
      return name.empty() ? json_.Int(static_cast<int32_t>(bits)) : json_.Text(name);
    }
    default:
      return json_.Int(static_cast<int64_t>(bits));
  }
}

void Printer::PrintSingle(const FieldRow& field, const Value& value, int depth) {
  if (field.kind == FieldKind::kFloat) {
    // Text of up to nine characters; longer ones stay numbers, as ATC's buffer has it.
    char text[10];
    const int size = std::snprintf(text, sizeof(text), "%g", FloatOf(value));
    if (size < static_cast<int>(sizeof(text))) return json_.Text({text, static_cast<size_t>(size)});
  } else if (field.kind == FieldKind::kBytes) {
    return json_.EscapedBytes(value.bytes);
  } else if (field.kind == FieldKind::kMessage) {
    if (!Print(*field.message, value.bytes, depth + 1)) json_.Null();
    return;
  }
  PrintElement(field, value, depth);
}

void Printer::PrintElement(const FieldRow& field, const Value& value, int depth) {
  switch (field.kind) {
    case FieldKind::kMessage:
      Print(*field.message, value.bytes, depth + 1);
      break;
    case FieldKind::kString:
    case FieldKind::kBytes:
      json_.Text(value.bytes);
      break;
    case FieldKind::kFloat:
      json_.Double(FloatOf(value));
      break;
    case FieldKind::kDouble:
      json_.Double(std::bit_cast<double>(value.bits));
      break;
    default:
      PrintInteger(field, value.bits);
  }
}

void Printer::PrintElements(const FieldRow& field, const Slot& slot, int depth) {
  json_.BeginArray();
  pbf_reader reader(slot.begin, static_cast<size_t>(slot.end - slot.begin));
  while (reader.next() && !json_.failed()) {
    const pbf_wire_type type = reader.wire_type();
    if (reader.tag() != field.number) {
      reader.skip();
    } else if (type == WireTypeOf(field.kind)) {
      PrintElement(field, ReadValue(reader), depth);
    } else if (IsNumber(field.kind) && type == pbf_wire_type::length_delimited) {
      std::string_view packed = View(reader.get_view());
      while (!packed.empty()) PrintElement(field, ReadPacked(field.kind, packed), depth);
    } else {
      reader.skip();
    }
  }
  json_.EndArray();
}

}  // namespace

std::optional<std::string> MessageToJson(const MessageTable& type, std::string_view bytes,
                                         const MessageToJsonOptions& options, JsonWriter& json) {
  try {
    Printer(options, json).Print(type, bytes, 0);
  } catch (const protozero::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace ge::wire
