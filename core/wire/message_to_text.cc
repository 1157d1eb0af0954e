#include "wire/message_to_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <protozero/pbf_reader.hpp>

namespace ge::wire {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr size_t kFlushBytes = 1 << 16;

class TextPrinter {
 public:
  explicit TextPrinter(const JsonWriter::Sink& sink) : sink_(sink) {}

  void Print(const MessageTable& type, std::string_view bytes, size_t depth) {
    pbf_reader reader(bytes.data(), bytes.size());
    while (reader.next() && status_.ok()) {
      const int index = type.Find(reader.tag());
      if (index < 0) {
        reader.skip();
        continue;
      }
      PrintField(type.fields[static_cast<size_t>(index)], reader, depth);
    }
  }

  Status Finish() {
    Flush();
    return status_;
  }

 private:
  void PrintField(const FieldRow& field, pbf_reader& reader, size_t depth) {
    switch (field.kind) {
      case FieldKind::kMessage: {
        Begin(field, depth, " {\n");
        const protozero::data_view view = reader.get_view();
        Print(*field.message, {view.data(), view.size()}, depth + 1);
        text_.append(2 * depth, ' ');
        text_ += "}\n";
        break;
      }
      case FieldKind::kString:
      case FieldKind::kBytes: {
        const protozero::data_view view = reader.get_view();
        Begin(field, depth, ": \"");
        AppendBytes({view.data(), view.size()});
        text_ += "\"\n";
        break;
      }
      case FieldKind::kFloat:
        if (reader.wire_type() == pbf_wire_type::length_delimited) {
          for (const float number : reader.get_packed_float()) PrintFloat(field, number, depth);
        } else {
          PrintFloat(field, reader.get_float(), depth);
        }
        break;
      default:
        if (reader.wire_type() == pbf_wire_type::length_delimited) {
          for (const int64_t number : reader.get_packed_int64()) PrintInt(field, number, depth);
        } else {
          PrintInt(field, reader.get_int64(), depth);
        }
    }
  }

  void Begin(const FieldRow& field, size_t depth, std::string_view after) {
    if (text_.size() >= kFlushBytes) Flush();
    text_.append(2 * depth, ' ');
    text_ += field.name;
    text_ += after;
  }

  template <typename T>
  void AppendNumber(T number) {
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
  }

  void PrintFloat(const FieldRow& field, float number, size_t depth) {
    Begin(field, depth, ": ");
    if (std::isnan(number)) {
      text_ += "nan";
    } else if (std::isinf(number)) {
      text_ += number < 0 ? "-inf" : "inf";
    } else {
      AppendNumber(number);
    }
    text_ += '\n';
  }

  void PrintInt(const FieldRow& field, int64_t number, size_t depth) {
    Begin(field, depth, ": ");
    const std::string_view name =
        field.kind == FieldKind::kEnum ? EnumName(field, number) : std::string_view();
    if (field.kind == FieldKind::kBool) {
      text_ += number != 0 ? "true" : "false";
    } else if (!name.empty()) {
      text_ += name;
    } else if (field.kind == FieldKind::kUint64) {
      AppendNumber(static_cast<uint64_t>(number));
    } else {
      AppendNumber(number);
    }
    text_ += '\n';
  }

  void AppendBytes(std::string_view bytes) {
    for (const char character : bytes) {
      const auto byte = static_cast<uint8_t>(character);
      if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\') {
        text_ += character;
      } else {
        const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)),
                              static_cast<char>('0' + (byte >> 3 & 7)),
                              static_cast<char>('0' + (byte & 7))};
        text_.append(octal, sizeof(octal));
      }
      if (text_.size() >= kFlushBytes) Flush();
    }
  }

  void Flush() {
    if (status_.ok()) {
      status_ = sink_({reinterpret_cast<const uint8_t*>(text_.data()), text_.size()});
    }
    text_.clear();
  }

  const JsonWriter::Sink& sink_;
  std::string text_;
  Status status_;
};

}  // namespace

Status MessageToText(const MessageTable& type, std::string_view bytes,
                     const JsonWriter::Sink& sink) {
  TextPrinter printer(sink);
  printer.Print(type, bytes, 0);
  return printer.Finish();
}

}  // namespace ge::wire
