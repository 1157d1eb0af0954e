#include "aclop/key.h"

#include <cmath>

#include "base/dtype.h"
#include "base/format.h"

namespace ge::aclop {
namespace {

constexpr float kFloatTolerance = 1e-6f;

bool Same(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return std::isinf(a) && std::isinf(b);
  return std::fabs(a - b) <= kFloatTolerance;
}

bool Same(const OpAttr& a, const OpAttr& b) {
  if (a.index() != b.index()) return false;
  if (const float* number = std::get_if<float>(&a)) return Same(*number, std::get<float>(b));
  if (const auto* list = std::get_if<std::vector<float>>(&a)) {
    const auto& other = std::get<std::vector<float>>(b);
    return std::equal(list->begin(), list->end(), other.begin(), other.end(),
                      [](float x, float y) { return Same(x, y); });
  }
  return a == b;
}

std::string_view BytesOf(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool SameDesc(const OpTensorDesc& asked, bool asked_const, const OpTensorDesc& kept, bool dynamic) {
  return asked.dtype == kept.dtype && asked.format == kept.format &&
         asked.storage_format == kept.storage_format && asked_const == kept.is_const() &&
         asked.placement == kept.placement &&
         (dynamic || (asked.dims == kept.dims && asked.shape_range == kept.shape_range));
}

bool SameAttrs(const OpAttrs* asked, const OpAttrs& kept) {
  const size_t count = asked == nullptr ? 0 : asked->values().size();
  if (count != kept.values().size()) return false;
  if (count == 0) return true;
  return std::equal(
      asked->values().begin(), asked->values().end(), kept.values().begin(),
      [](const auto& a, const auto& b) { return a.first == b.first && Same(a.second, b.second); });
}

std::string DimsText(const OpTensorDesc& desc) {
  std::string text = "[";
  for (const int64_t dim : desc.dims) {
    text += (text.size() > 1 ? "," : "") + std::to_string(dim);
  }
  return text + "]";
}

std::string RangesText(const OpTensorDesc& desc) {
  std::string text = "[";
  for (const DimRange& range : desc.shape_range) {
    text += (text.size() > 1 ? "," : "") + std::to_string(range.least) + "~" +
            std::to_string(range.most);
  }
  return text + "]";
}

class Differences {
 public:
  void Tensor(const std::string& port, const OpTensorDesc& asked, bool asked_const,
              std::string_view asked_bytes, const OpTensorDesc& kept) {
    Add(port, "data type", DtypeText(asked.dtype), DtypeText(kept.dtype));
    Add(port, "format", FormatText(asked.format), FormatText(kept.format));
    Add(port, "storage format", FormatText(asked.storage_format), FormatText(kept.storage_format));
    Add(port, "shape", DimsText(asked), DimsText(kept));
    Add(port, "shape range", RangesText(asked), RangesText(kept));
    Add(port, "kind", asked_const ? "constant" : "variable",
        kept.is_const() ? "constant" : "variable");
    Add(port, "placement", std::to_string(asked.placement), std::to_string(kept.placement));
    if (asked_const && kept.is_const() && asked_bytes != BytesOf(*kept.constant)) {
      list.push_back(port + ": the constant has other bytes");
    }
  }
  void Add(const std::string& port, const char* field, const std::string& asked,
           const std::string& kept) {
    if (asked != kept) list.push_back(port + ": " + field + " is " + asked + ", compiled: " + kept);
  }

  std::vector<std::string> list;
};

std::string TensorText(const OpTensorDesc& desc) {
  if (desc.is_absent()) return "absent";
  return DtypeText(desc.dtype) + " " + DimsText(desc) + " " + FormatText(desc.format);
}

std::string AttrText(const std::string& name, const OpAttr& value) {
  OpAttrs one;
  std::visit([&](const auto& held) { one.Set(name, held); }, value);
  return api::AclAttrsText(one);
}

}  // namespace

bool OpRequest::IsHostValue(size_t input) const {
  return host_values != nullptr && !inputs[input]->is_const() &&
         inputs[input]->placement == static_cast<int32_t>(OpPlacement::kHost);
}

std::string_view OpRequest::ConstBytes(size_t input) const {
  if (inputs[input]->is_const()) return BytesOf(*inputs[input]->constant);
  const OpBuffer& buffer = *host_values[input];
  return {static_cast<const char*>(buffer.data), buffer.bytes};
}

bool Matches(const OpRequest& request, const OpDefinition& definition, bool dynamic) {
  if (request.type != definition.type || request.inputs.size() != definition.inputs.size() ||
      request.outputs.size() != definition.outputs.size()) {
    return false;
  }
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const OpTensorDesc& kept = definition.inputs[i];
    const bool is_const = request.IsConst(i);
    if (!SameDesc(*request.inputs[i], is_const, kept, dynamic)) return false;
    if (is_const && request.ConstBytes(i) != BytesOf(*kept.constant)) return false;
  }
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    const OpTensorDesc &asked = *request.outputs[i], &kept = definition.outputs[i];
    if (!SameDesc(asked, asked.is_const(), kept, dynamic)) return false;
    if (asked.is_const() && *asked.constant != *kept.constant) return false;
  }
  return SameAttrs(request.attrs, definition.attrs);
}

std::vector<std::string> DifferencesOf(const OpRequest& request, const OpDefinition& definition) {
  Differences found;
  found.Add("operator", "number of inputs", std::to_string(request.inputs.size()),
            std::to_string(definition.inputs.size()));
  found.Add("operator", "number of outputs", std::to_string(request.outputs.size()),
            std::to_string(definition.outputs.size()));
  for (size_t i = 0; i < std::min(request.inputs.size(), definition.inputs.size()); ++i) {
    const bool is_const = request.IsConst(i);
    found.Tensor("input " + std::to_string(i), *request.inputs[i], is_const,
                 is_const ? request.ConstBytes(i) : std::string_view(), definition.inputs[i]);
  }
  for (size_t i = 0; i < std::min(request.outputs.size(), definition.outputs.size()); ++i) {
    const OpTensorDesc& asked = *request.outputs[i];
    found.Tensor("output " + std::to_string(i), asked, asked.is_const(),
                 asked.is_const() ? BytesOf(*asked.constant) : std::string_view(),
                 definition.outputs[i]);
  }
  const OpAttrs none;
  const OpAttrs& attrs = request.attrs == nullptr ? none : *request.attrs;
  for (const auto& [name, value] : attrs.values()) {
    const OpAttr* kept = definition.attrs.Find(name);
    if (kept == nullptr) {
      found.list.push_back("attribute " + name + ": is given, compiled: without it");
    } else if (!Same(value, *kept)) {
      found.list.push_back("attribute " + name + ": is " + AttrText(name, value) +
                           (value.index() == kept->index() ? "" : " of another type") +
                           ", compiled: " + AttrText(name, *kept));
    }
  }
  for (const auto& [name, value] : definition.attrs.values()) {
    if (attrs.Find(name) != nullptr) continue;
    found.list.push_back("attribute " + name +
                         ": is not given, compiled: " + AttrText(name, value));
  }
  return found.list;
}

OpDefinition CopyOf(const OpRequest& request) {
  OpDefinition definition;
  definition.type = request.type;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    OpTensorDesc& copy = definition.inputs.emplace_back(*request.inputs[i]);
    if (!request.IsHostValue(i)) continue;
    const std::string_view bytes = request.ConstBytes(i);
    copy.constant = std::make_shared<const std::vector<uint8_t>>(bytes.begin(), bytes.end());
  }
  for (const OpTensorDesc* desc : request.outputs) definition.outputs.push_back(*desc);
  if (request.attrs != nullptr) definition.attrs = *request.attrs;
  return definition;
}

RequestOfDefinition::RequestOfDefinition(const OpDefinition& definition) {
  for (const OpTensorDesc& desc : definition.inputs) inputs.push_back(&desc);
  for (const OpTensorDesc& desc : definition.outputs) outputs.push_back(&desc);
  request = {definition.type, inputs, outputs, &definition.attrs, nullptr};
}

std::string DescribeOp(const OpRequest& request) {
  std::string text = std::string(request.type) + "(";
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    text += (i == 0 ? "" : ", ") + TensorText(*request.inputs[i]);
  }
  text += ") -> (";
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    text += (i == 0 ? "" : ", ") + TensorText(*request.outputs[i]);
  }
  text += ")";
  return request.attr_count() == 0 ? text : text + " " + api::AclAttrsText(*request.attrs);
}

std::string DtypeText(int32_t dtype) {
  if (dtype < 0 || dtype > static_cast<int32_t>(DataType::kHifloat4)) {
    return dtype == kUndefinedNumber ? "undefined" : "data type " + std::to_string(dtype);
  }
  const std::string_view name = UserName(static_cast<DataType>(dtype));
  return name.empty() ? "data type " + std::to_string(dtype) : std::string(name);
}

std::string FormatText(int32_t format) {
  if (format == kUndefinedNumber) return "undefined";
  const std::string_view name = FormatName(static_cast<Format>(format));
  return name == "RESERVED" ? "format " + std::to_string(format) : std::string(name);
}

}  // namespace ge::aclop
