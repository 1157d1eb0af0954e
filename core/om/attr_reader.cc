#include "om/attr_reader.h"

#include <protozero/pbf_reader.hpp>

#include "om/attr_view.h"
#include "om/ge_ir_fields.h"

namespace ge::om {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

pbf_reader ReaderOf(std::string_view message) {
  return {message.data(), message.size()};
}

std::string_view View(protozero::data_view view) {
  return {view.data(), view.size()};
}

std::vector<float> ReadFloats(std::string_view list) {
  std::vector<float> values;
  for (pbf_reader reader = ReaderOf(list); reader.next();) {
    if (reader.tag() == field::kListFloat &&
        reader.wire_type() == pbf_wire_type::length_delimited) {
      for (const float value : reader.get_packed_float()) values.push_back(value);
    } else if (reader.tag() == field::kListFloat && reader.wire_type() == pbf_wire_type::fixed32) {
      values.push_back(reader.get_float());
    } else {
      reader.skip();
    }
  }
  return values;
}

// The kind that the list states; lists of older toolkits do not, then what it holds decides.
std::optional<Attr> ReadList(std::string_view list) {
  int64_t kind = 0;
  for (pbf_reader reader = ReaderOf(list); reader.next();) {
    if (reader.tag() == field::kListValType && reader.wire_type() == pbf_wire_type::varint) {
      kind = reader.get_int64();
    } else {
      if (kind == 0) {
        switch (reader.tag()) {
          case field::kListString:
            kind = field::kTypeString;
            break;
          case field::kListInt:
            kind = field::kTypeInt;
            break;
          case field::kListFloat:
            kind = field::kTypeFloat;
            break;
          case field::kListBool:
            kind = field::kTypeBool;
            break;
          default:
            break;
        }
      }
      reader.skip();
    }
  }
  switch (kind) {
    case field::kTypeString: {
      const std::vector<std::string_view> texts = ListTexts(list);
      return std::vector<std::string>(texts.begin(), texts.end());
    }
    case field::kTypeInt:
      return ListInts(list);
    case field::kTypeFloat:
      return ReadFloats(list);
    case field::kTypeBool:
      return ListBools(list);
    default:
      return std::nullopt;
  }
}

std::vector<std::vector<int64_t>> ReadListOfLists(std::string_view lists) {
  std::vector<std::vector<int64_t>> values;
  for (pbf_reader reader = ReaderOf(lists); reader.next(field::kListListInt);) {
    std::vector<int64_t>& inner = values.emplace_back();
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
      reader.skip();
      continue;
    }
    pbf_reader list = reader.get_message();
    while (list.next()) {
      if (list.tag() == field::kListInner && list.wire_type() == pbf_wire_type::varint) {
        inner.push_back(list.get_int64());
      } else if (list.tag() == field::kListInner &&
                 list.wire_type() == pbf_wire_type::length_delimited) {
        for (const int64_t value : list.get_packed_int64()) inner.push_back(value);
      } else {
        list.skip();
      }
    }
  }
  return values;
}

}  // namespace

std::optional<Attr> ReadAttrValue(std::string_view attr_def) {
  std::optional<Attr> attr;
  for (pbf_reader reader = ReaderOf(attr_def); reader.next();) {
    switch (reader.tag_and_type()) {
      case protozero::tag_and_type(field::kAttrList, pbf_wire_type::length_delimited):
        attr = ReadList(View(reader.get_view()));
        break;
      case protozero::tag_and_type(field::kAttrString, pbf_wire_type::length_delimited):
        attr = std::string(View(reader.get_view()));
        break;
      case protozero::tag_and_type(field::kAttrInt, pbf_wire_type::varint):
        attr = reader.get_int64();
        break;
      case protozero::tag_and_type(field::kAttrFloat, pbf_wire_type::fixed32):
        attr = reader.get_float();
        break;
      case protozero::tag_and_type(field::kAttrBool, pbf_wire_type::varint):
        attr = reader.get_bool();
        break;
      case protozero::tag_and_type(field::kAttrListListInt, pbf_wire_type::length_delimited):
        attr = ReadListOfLists(View(reader.get_view()));
        break;
      case protozero::tag_and_type(field::kAttrDataType, pbf_wire_type::varint):
        attr = static_cast<DataType>(reader.get_int64());
        break;
      default:
        reader.skip();
    }
  }
  return attr;
}

}  // namespace ge::om
