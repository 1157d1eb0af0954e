#include "om/attr_view.h"

#include <protozero/pbf_reader.hpp>

namespace ge::om {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

std::string_view View(protozero::data_view view) {
  return {view.data(), view.size()};
}

pbf_reader ReaderOf(std::string_view message) {
  return {message.data(), message.size()};
}

bool IsBytes(const pbf_reader& reader) {
  return reader.wire_type() == pbf_wire_type::length_delimited;
}

std::vector<std::string_view> RepeatedBytes(std::string_view list, uint32_t number) {
  std::vector<std::string_view> values;
  for (pbf_reader reader = ReaderOf(list); reader.next();) {
    if (reader.tag() == number && IsBytes(reader)) {
      values.push_back(View(reader.get_view()));
    } else {
      reader.skip();
    }
  }
  return values;
}

// Packed or not.
std::vector<int64_t> RepeatedVarints(std::string_view list, uint32_t number) {
  std::vector<int64_t> values;
  for (pbf_reader reader = ReaderOf(list); reader.next();) {
    if (reader.tag() == number && IsBytes(reader)) {
      for (const int64_t value : reader.get_packed_int64()) values.push_back(value);
    } else if (reader.tag() == number && reader.wire_type() == pbf_wire_type::varint) {
      values.push_back(reader.get_int64());
    } else {
      reader.skip();
    }
  }
  return values;
}

}  // namespace

AttrView ReadAttr(std::string_view attr_def) {
  AttrView attr;
  for (pbf_reader reader = ReaderOf(attr_def); reader.next();) {
    const bool varint = reader.wire_type() == pbf_wire_type::varint;
    if (reader.tag() == 3 && varint) {
      attr = {.i = reader.get_int64(), .s = {}, .list = {}};
    } else if (reader.tag() == 2 && IsBytes(reader)) {
      attr = {.i = 0, .s = View(reader.get_view()), .list = {}};
    } else if (reader.tag() == 1 && IsBytes(reader)) {
      attr = {.i = 0, .s = {}, .list = View(reader.get_view())};
    } else {
      reader.skip();
    }
  }
  return attr;
}

std::vector<std::string_view> ListTexts(std::string_view list) {
  return RepeatedBytes(list, 2);
}

std::vector<std::string_view> ListBytes(std::string_view list) {
  return RepeatedBytes(list, 7);
}

std::vector<int64_t> ListInts(std::string_view list) {
  return RepeatedVarints(list, 3);
}

std::vector<bool> ListBools(std::string_view list) {
  const std::vector<int64_t> numbers = RepeatedVarints(list, 5);
  return {numbers.begin(), numbers.end()};
}

MapEntry ReadMapEntry(std::string_view entry) {
  MapEntry read;
  for (pbf_reader reader = ReaderOf(entry); reader.next();) {
    if (reader.tag() == 1 && IsBytes(reader)) {
      read.key = View(reader.get_view());
    } else if (reader.tag() == 2 && IsBytes(reader)) {
      read.value = View(reader.get_view());
    } else {
      reader.skip();
    }
  }
  return read;
}

AttrViews ReadAttrMap(std::string_view message, uint32_t number) {
  AttrViews attrs;
  for (const std::string_view bytes : RepeatedBytes(message, number)) {
    const MapEntry entry = ReadMapEntry(bytes);
    attrs[entry.key] = entry.value;
  }
  return attrs;
}

}  // namespace ge::om
