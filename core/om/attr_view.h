#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

// Attributes of a serialized ge.proto message, read in place.  Everything here throws
// protozero::exception when the bytes are not a protobuf message; callers catch it where they
// know which file it was.
namespace ge::om {

// A ge.proto.AttrDef.  A value of another kind than asked for reads as 0 or empty.
struct AttrView {
  int64_t i = 0;
  std::string_view s;
  std::string_view list;  // serialized ListValue
};
AttrView ReadAttr(std::string_view attr_def);

// Members of a serialized AttrDef.ListValue.
std::vector<std::string_view> ListTexts(std::string_view list);  // s
std::vector<std::string_view> ListBytes(std::string_view list);  // bt
std::vector<int64_t> ListInts(std::string_view list);            // i
std::vector<bool> ListBools(std::string_view list);              // b

// Entries of a map<string, AttrDef>: key to serialized AttrDef.
using AttrViews = std::map<std::string_view, std::string_view>;

// The map in field `number` of `message`.
AttrViews ReadAttrMap(std::string_view message, uint32_t number);

struct MapEntry {
  std::string_view key;
  std::string_view value;
};
MapEntry ReadMapEntry(std::string_view entry);

inline constexpr uint32_t kModelAttr = 11;  // ModelDef.attr
inline constexpr uint32_t kOpAttr = 10;     // OpDef.attr
inline constexpr uint32_t kTensorAttr = 5;  // TensorDescriptor.attr

}  // namespace ge::om
