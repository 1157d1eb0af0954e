#include "om/attr_writer.h"

#include "om/ge_ir_fields.h"

namespace ge::om {
namespace {

using protozero::pbf_writer;

struct ValueWriter {
  pbf_writer& attr;

  void operator()(bool value) { attr.add_bool(field::kAttrBool, value); }
  void operator()(int64_t value) { attr.add_int64(field::kAttrInt, value); }
  void operator()(float value) { attr.add_float(field::kAttrFloat, value); }
  void operator()(const std::string& value) { attr.add_bytes(field::kAttrString, value); }
  void operator()(DataType value) {
    attr.add_int64(field::kAttrDataType, static_cast<int64_t>(value));
  }
  void operator()(const std::vector<bool>& values) {
    pbf_writer list(attr, field::kAttrList);
    std::string packed;
    for (const bool value : values) packed.push_back(value ? 1 : 0);
    if (!packed.empty()) list.add_bytes(field::kListBool, packed);
    list.add_enum(field::kListValType, field::kTypeBool);
  }
  void operator()(const std::vector<int64_t>& values) {
    pbf_writer list(attr, field::kAttrList);
    list.add_packed_int64(field::kListInt, values.begin(), values.end());
    list.add_enum(field::kListValType, field::kTypeInt);
  }
  void operator()(const std::vector<float>& values) {
    pbf_writer list(attr, field::kAttrList);
    list.add_packed_float(field::kListFloat, values.begin(), values.end());
    list.add_enum(field::kListValType, field::kTypeFloat);
  }
  void operator()(const std::vector<std::string>& values) {
    pbf_writer list(attr, field::kAttrList);
    for (const std::string& value : values) list.add_bytes(field::kListString, value);
    list.add_enum(field::kListValType, field::kTypeString);
  }
  void operator()(const std::vector<std::vector<int64_t>>& values) {
    // Nested writers drop empty messages, so the parts are built on their own.
    std::string lists;
    pbf_writer lists_writer(lists);
    for (const std::vector<int64_t>& inner : values) {
      std::string list;
      pbf_writer(list).add_packed_int64(field::kListInner, inner.begin(), inner.end());
      lists_writer.add_message(field::kListListInt, list);
    }
    attr.add_message(field::kAttrListListInt, lists);
  }
};

}  // namespace

void WriteAttr(pbf_writer& parent, protozero::pbf_tag_type tag, std::string_view name,
               const Attr& value) {
  pbf_writer entry(parent, tag);
  entry.add_string(field::kEntryKey, name.data(), name.size());
  pbf_writer attr(entry, field::kEntryValue);
  std::visit(ValueWriter{attr}, value);
}

}  // namespace ge::om
