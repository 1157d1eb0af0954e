#include "om/model_json.h"

#include <algorithm>
#include <array>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "om/attr_dictionary.h"
#include "wire/message_to_json.h"

namespace ge::om {
namespace {

constexpr std::array<std::string_view, 10> kHidden = {
    "output",      "data_offset", "data", "workspace", "workspace_bytes",
    "memory_size", "weight_size", "size", "bt",        "quantize_factor"};

constexpr int kOpDepth = 2;           // of the operators of a model's own graphs
constexpr uint32_t kOpStreamId = 22;  // OpDef.stream_id

// One serialized OpDef per operator of the model, in the same order; only their fusion_scope
// matters.
constexpr std::string_view kFusedOps = "fm";
constexpr std::string_view kFusionScope = "fusion_scope";

int64_t StreamOf(std::string_view op) {
  int64_t stream = 0;
  for (protozero::pbf_reader reader(op.data(), op.size()); reader.next();) {
    if (reader.tag() == kOpStreamId && reader.wire_type() == protozero::pbf_wire_type::varint) {
      stream = reader.get_int64();
    } else {
      reader.skip();
    }
  }
  return stream;
}

// "" for scope 0.  The high half of a scope groups by L1 buffer, the low half by unified buffer.
std::string GroupName(uint64_t scope, int64_t stream) {
  const uint64_t l1 = (scope >> 16) & 0xffff;
  const uint64_t ub = scope & 0xffff;
  if (l1 == 0 && ub == 0) return "";
  return (l1 != 0 ? "group_op_l1_" + std::to_string(l1) : "group_op_ub_" + std::to_string(ub)) +
         "_" + std::to_string(stream);
}

// Appending a field to a serialized message adds it to the message.
void AppendGroupName(std::string& op_def, const std::string& group) {
  protozero::pbf_writer op(op_def);
  protozero::pbf_writer entry(op, kOpAttr);
  entry.add_string(1, "group_op_name");
  protozero::pbf_writer attr(entry, 2);
  attr.add_bytes(2, group);
}

class ModelFilter : public wire::MessageFilter {
 public:
  explicit ModelFilter(const AttrViews& attrs) : dictionary_(attrs) {
    if (const auto found = attrs.find(kFusedOps); found != attrs.end()) {
      fused_ops_ = ListBytes(ReadAttr(found->second).list);
    }
  }

  std::optional<std::string_view> Filter(const wire::MessageTable& type, std::string_view bytes,
                                         int depth, std::string& own) override;

 private:
  std::string NextGroupName(std::string_view op);
  std::optional<std::string_view> FilterEntry(std::string_view entry, int depth, std::string& own);
  void NotePlainNames(std::string_view message, uint32_t attr_field, int depth);

  const wire::MessageTable& op_def_ = wire::FindMessage("ge.proto.OpDef");
  const wire::MessageTable& tensor_descriptor_ = wire::FindMessage("ge.proto.TensorDescriptor");
  const wire::MessageTable& model_attr_entry_ = wire::FindMessage("ge.proto.ModelDef.AttrEntry");
  const wire::MessageTable& op_attr_entry_ = wire::FindMessage("ge.proto.OpDef.AttrEntry");
  const wire::MessageTable& tensor_attr_entry_ =
      wire::FindMessage("ge.proto.TensorDescriptor.AttrEntry");

  AttrDictionary dictionary_;
  std::vector<std::string_view> fused_ops_;
  size_t next_op_ = 0;
  // Per depth, the names of the uncoded attributes of the operator or tensor being printed there.
  std::vector<std::vector<std::string_view>> plain_names_;
};

std::string ModelFilter::NextGroupName(std::string_view op) {
  if (next_op_ >= fused_ops_.size()) return "";
  const std::string_view fused = fused_ops_[next_op_++];
  if (fused.empty()) {  // nothing is known of the operators from here on
    next_op_ = fused_ops_.size();
    return "";
  }
  const AttrViews attrs = ReadAttrMap(fused, kOpAttr);
  const auto scope = attrs.find(kFusionScope);
  if (scope == attrs.end()) return "";
  return GroupName(static_cast<uint64_t>(ReadAttr(scope->second).i), StreamOf(op));
}

std::optional<std::string_view> ModelFilter::FilterEntry(std::string_view entry, int depth,
                                                         std::string& own) {
  std::optional<std::string> restored = dictionary_.Decode(entry);
  if (!restored) return entry;
  own = std::move(*restored);
  // Toolkits write some attributes a second time, in plain, after the coding: those are newer.
  const std::vector<std::string_view>& plain = plain_names_[static_cast<size_t>(depth - 1)];
  const std::string_view name = ReadMapEntry(own).key;
  if (std::find(plain.begin(), plain.end(), name) != plain.end()) return std::nullopt;
  return own;
}

void ModelFilter::NotePlainNames(std::string_view message, uint32_t attr_field, int depth) {
  plain_names_.resize(std::max(plain_names_.size(), static_cast<size_t>(depth) + 1));
  std::vector<std::string_view>& names = plain_names_[static_cast<size_t>(depth)];
  names.clear();
  for (const auto& [name, value] : ReadAttrMap(message, attr_field)) {
    if (!name.starts_with('\0')) names.push_back(name);
  }
}

std::optional<std::string_view> ModelFilter::Filter(const wire::MessageTable& type,
                                                    std::string_view bytes, int depth,
                                                    std::string& own) {
  if (dictionary_.active()) {
    if (&type == &op_attr_entry_ || &type == &tensor_attr_entry_)
      return FilterEntry(bytes, depth, own);
    if (&type == &model_attr_entry_ && AttrDictionary::IsOwnAttr(ReadMapEntry(bytes).key)) {
      return std::nullopt;
    }
    if (&type == &op_def_) NotePlainNames(bytes, kOpAttr, depth);
    if (&type == &tensor_descriptor_) NotePlainNames(bytes, kTensorAttr, depth);
  }
  if (&type == &op_def_ && depth == kOpDepth && !fused_ops_.empty()) {
    const std::string group = NextGroupName(bytes);
    if (group.empty()) return bytes;
    own = bytes;
    AppendGroupName(own, group);
    return own;
  }
  return bytes;
}

}  // namespace

std::optional<std::string> PrintModelDef(std::string_view model_def, wire::JsonWriter& json) {
  try {
    ModelFilter filter(ReadAttrMap(model_def, kModelAttr));
    return wire::MessageToJson(wire::FindMessage("ge.proto.ModelDef"), model_def,
                               {.hidden = kHidden, .filter = &filter}, json);
  } catch (const protozero::exception& error) {
    return error.what();
  }
}

}  // namespace ge::om
