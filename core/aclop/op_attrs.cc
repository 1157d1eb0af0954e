#include "aclop/op_attrs.h"

#include "ops/op_impl.h"

namespace ge::aclop {
namespace {

// Kinds by the index of OpAttr, as the prototypes call them.
constexpr std::string_view kKinds[] = {"Bool",       "Int",      "Float",      "String",
                                       "Type",       "ListBool", "ListInt",    "ListFloat",
                                       "ListString", "ListType", "ListListInt"};
static_assert(std::size(kKinds) == std::variant_size_v<OpAttr>);

// What kernels and shape rules take no notice of, although it changes results.
constexpr std::pair<std::string_view, std::string_view> kOnlyDefault[] = {
    {"GroupNorm", "is_training"},
    {"NonMaxSuppressionV6", "max_boxes_size"},
    {"Range", "is_closed"},
    {"Reshape", "axis"},
    {"Reshape", "num_axes"},
    {"Round", "decimals"},
    {"SoftmaxV2", "half_to_float"},
    {"UniqueWithCountsExt2", "out_idx"},
    {"UniqueWithCountsExt2", "return_inverse"},
};

DataType DtypeOf(int32_t number) {
  const bool known = number >= 0 && number <= static_cast<int32_t>(DataType::kHifloat4);
  return known ? static_cast<DataType>(number) : DataType::kUndefined;
}

struct ToIr {
  Attr operator()(OpDtype dtype) const { return DtypeOf(dtype.number); }
  Attr operator()(const std::vector<uint8_t>& list) const {
    return std::vector<bool>(list.begin(), list.end());
  }
  Attr operator()(const std::vector<OpDtype>& list) const {
    std::vector<int64_t> numbers;
    for (const OpDtype dtype : list) numbers.push_back(dtype.number);
    return numbers;
  }
  template <typename T>
  Attr operator()(const T& value) const {
    return value;
  }
};

}  // namespace

Attr ToIrAttr(const OpAttr& value) {
  return std::visit(ToIr(), value);
}

Attr DefaultAttr(Table row) {
  const std::string_view type = row.Find("type").AsString();
  const Table value = row.Find("default");
  if (type == "Bool") return value.AsBool();
  if (type == "Float") return static_cast<float>(value.AsDouble());
  if (type == "String") return std::string(value.AsString());
  if (type == "Type") return DtypeOf(static_cast<int32_t>(value.AsInt()));
  if (type == "ListFloat") {
    std::vector<float> list;
    for (uint32_t i = 0; i < value.size(); ++i) {
      list.push_back(static_cast<float>(value[i].AsDouble()));
    }
    return list;
  }
  if (type != "ListInt") return value.AsInt();
  std::vector<int64_t> list;
  for (uint32_t i = 0; i < value.size(); ++i) list.push_back(value[i].AsInt());
  return list;
}

Status CheckDefaults(const Node& node) {
  Status faults;
  const Table rows = OpRow(node.type()).Find("attrs");
  for (const auto& [type, name] : kOnlyDefault) {
    const Attr* value = node.type() == type ? node.attrs().Find(name) : nullptr;
    if (value == nullptr || *value == DefaultAttr(rows.Find(name))) continue;
    faults.Add(Error(ErrorId::kE14001,
                     {{"opname", node.name()},
                      {"optype", node.type()},
                      {"reason", "attribute " + std::string(name) +
                                     " has another value than its default, which is what the host "
                                     "engine has a kernel for"}}));
  }
  return faults;
}

Status ConvertAttrs(const OpDefinition& definition, const std::string& node_name, AttrMap* attrs) {
  Status faults;
  const auto fail = [&](std::string reason) {
    faults.Add(
        Error(ErrorId::kE14001,
              {{"opname", node_name}, {"optype", definition.type}, {"reason", std::move(reason)}}));
  };
  const Table rows = OpRow(definition.type).Find("attrs");
  for (const auto& [name, value] : definition.attrs.values()) {
    const std::string_view wanted = rows.Find(name).Find("type").AsString();
    if (!wanted.empty() && wanted != kKinds[value.index()]) {
      fail("attribute " + name + " is of kind " + std::string(kKinds[value.index()]) +
           "; the prototype has " + std::string(wanted));
      continue;
    }
    attrs->Set(name, ToIrAttr(value));
  }
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].Find("required").AsBool()) continue;
    const std::string name(rows.KeyAt(i));
    if (definition.attrs.Find(name) == nullptr) {
      fail("attribute " + name + " (" + std::string(rows[i].Find("type").AsString()) +
           ") is required, but not given");
    }
  }
  return faults;
}

}  // namespace ge::aclop
