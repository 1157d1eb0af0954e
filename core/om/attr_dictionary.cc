#include "om/attr_dictionary.h"

#include <protozero/pbf_writer.hpp>

namespace ge::om {
namespace {

constexpr std::string_view kVersion = "om_compress_version";
constexpr std::string_view kNames = "attr_name_enum";
constexpr std::string_view kValues = "attr_value_enum";
constexpr std::string_view kTextValues = "attrs_use_string_value";

constexpr uint64_t kBase = 127;
constexpr int64_t kListOfText = 1;  // AttrDef.ListValue.ListValueType

AttrView Find(const AttrViews& attrs, std::string_view name) {
  const auto found = attrs.find(name);
  return found == attrs.end() ? AttrView{} : ReadAttr(found->second);
}

// A coded name is a zero byte, then digits of base 127, the lowest first, each plus one.
std::optional<uint64_t> IndexOfCodedName(std::string_view name) {
  if (name.size() < 2 || name.front() != '\0') return std::nullopt;
  uint64_t index = 0;
  uint64_t place = 1;
  for (const char digit : name.substr(1)) {
    const uint64_t value = static_cast<uint8_t>(digit) - uint64_t{1};
    if (value >= kBase || place > UINT32_MAX) return std::nullopt;
    index += value * place;
    place *= kBase;
  }
  return index;
}

}  // namespace

AttrDictionary::AttrDictionary(const AttrViews& model_attrs) {
  active_ = Find(model_attrs, kVersion).i == 1;
  if (!active_) return;
  names_ = ListTexts(Find(model_attrs, kNames).list);
  values_ = ListTexts(Find(model_attrs, kValues).list);
  text_values_ = ListBools(Find(model_attrs, kTextValues).list);
}

bool AttrDictionary::IsOwnAttr(std::string_view model_attr) {
  return model_attr == kVersion || model_attr == kNames || model_attr == kValues ||
         model_attr == kTextValues;
}

std::optional<std::string> AttrDictionary::DecodeValue(std::string_view attr_def) const {
  const AttrView attr = ReadAttr(attr_def);
  std::vector<int64_t> indices = ListInts(attr.list);
  if (attr.list.empty()) indices = {attr.i};
  for (const int64_t index : indices) {
    if (index < 0 || static_cast<uint64_t>(index) >= values_.size()) return std::nullopt;
  }
  std::string restored;
  protozero::pbf_writer writer(restored);
  if (attr.list.empty()) {
    const std::string_view text = values_[static_cast<size_t>(indices.front())];
    writer.add_bytes(2, text.data(), text.size());
    return restored;
  }
  protozero::pbf_writer list(writer, 1);
  for (const int64_t index : indices) {
    const std::string_view text = values_[static_cast<size_t>(index)];
    list.add_bytes(2, text.data(), text.size());
  }
  list.add_enum(20, kListOfText);
  list.commit();
  return restored;
}

std::optional<std::string> AttrDictionary::Decode(std::string_view entry) const {
  const auto [name, value] = ReadMapEntry(entry);
  const std::optional<uint64_t> index = IndexOfCodedName(name);
  if (!active_ || !index || *index >= names_.size()) return std::nullopt;
  std::optional<std::string> text;
  if (*index < text_values_.size() && text_values_[*index]) text = DecodeValue(value);
  const std::string_view new_name = names_[*index];
  const std::string_view new_value = text ? std::string_view(*text) : value;
  std::string restored;
  protozero::pbf_writer writer(restored);
  writer.add_bytes(1, new_name.data(), new_name.size());
  writer.add_bytes(2, new_value.data(), new_value.size());
  return restored;
}

}  // namespace ge::om
