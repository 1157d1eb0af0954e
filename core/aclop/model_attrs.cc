#include "aclop/model_attrs.h"

#include "aclop/op_attrs.h"

namespace ge::aclop {
namespace {

constexpr std::string_view kType = "pyatc_op_type";
constexpr std::string_view kTensors = "pyatc_op_tensors";
constexpr std::string_view kConstants = "pyatc_op_constants";
constexpr std::string_view kAttr = "pyatc_op_attr.";
constexpr std::string_view kDtypes = "pyatc_op_dtypes.";
constexpr size_t kFixedNumbers = 7;

std::vector<int64_t> RowOf(const OpTensorDesc& desc, bool is_output) {
  std::vector<int64_t> row = {is_output,
                              desc.dtype,
                              desc.format,
                              desc.storage_format,
                              desc.placement,
                              desc.is_const(),
                              static_cast<int64_t>(desc.dims.size())};
  row.insert(row.end(), desc.dims.begin(), desc.dims.end());
  for (const DimRange& range : desc.shape_range) {
    row.push_back(range.least);
    row.push_back(range.most);
  }
  return row;
}

// False when the numbers are none of RowOf.
bool ReadRow(const std::vector<int64_t>& row, OpTensorDesc* desc, bool* is_output, bool* is_const) {
  if (row.size() < kFixedNumbers || row[6] < 0) return false;
  const auto dims = static_cast<size_t>(row[6]);
  if (dims > row.size() - kFixedNumbers || (row.size() - kFixedNumbers - dims) % 2 != 0) {
    return false;
  }
  *is_output = row[0] != 0;
  *is_const = row[5] != 0;
  desc->dtype = static_cast<int32_t>(row[1]);
  desc->format = static_cast<int32_t>(row[2]);
  desc->storage_format = static_cast<int32_t>(row[3]);
  desc->placement = static_cast<int32_t>(row[4]);
  const std::span<const int64_t> numbers(row);
  desc->dims = SmallVector<int64_t, 4>(numbers.subspan(kFixedNumbers, dims));
  for (size_t i = kFixedNumbers + dims; i < row.size(); i += 2) {
    desc->shape_range.push_back({row[i], row[i + 1]});
  }
  return true;
}

void SetFromModel(OpAttrs& attrs, std::string_view name, const Attr& value) {
  std::visit(
      [&]<typename T>(const T& held) {
        if constexpr (std::is_same_v<T, DataType>) {
          attrs.Set(name, OpDtype{static_cast<int32_t>(held)});
        } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
          attrs.Set(name, std::vector<uint8_t>(held.begin(), held.end()));
        } else {
          attrs.Set(name, held);
        }
      },
      value);
}

void SetDtypes(OpAttrs& attrs, std::string_view name, const Attr& value) {
  std::vector<OpDtype> list;
  if (const auto* numbers = std::get_if<std::vector<int64_t>>(&value)) {
    for (const int64_t number : *numbers) list.push_back({static_cast<int32_t>(number)});
  }
  attrs.Set(name, std::move(list));
}

}  // namespace

AttrMap ToModelAttrs(const OpDefinition& definition) {
  AttrMap attrs;
  std::vector<std::vector<int64_t>> rows;
  std::vector<std::string> constants;
  const auto add = [&](const std::vector<OpTensorDesc>& descs, bool is_output) {
    for (const OpTensorDesc& desc : descs) {
      rows.push_back(RowOf(desc, is_output));
      if (desc.is_const()) constants.emplace_back(desc.constant->begin(), desc.constant->end());
    }
  };
  add(definition.inputs, false);
  add(definition.outputs, true);
  attrs.Set(kType, definition.type);
  attrs.Set(kTensors, std::move(rows));
  attrs.Set(kConstants, std::move(constants));
  for (const auto& [name, value] : definition.attrs.values()) {
    const bool dtypes = std::holds_alternative<std::vector<OpDtype>>(value);
    attrs.Set(std::string(dtypes ? kDtypes : kAttr) + name, ToIrAttr(value));
  }
  return attrs;
}

std::optional<OpDefinition> FromModelAttrs(const AttrMap& attrs) {
  const auto* type = attrs.Get<std::string>(kType);
  const auto* rows = attrs.Get<std::vector<std::vector<int64_t>>>(kTensors);
  const auto* constants = attrs.Get<std::vector<std::string>>(kConstants);
  if (type == nullptr || rows == nullptr) return std::nullopt;
  OpDefinition definition;
  definition.type = *type;
  size_t next_constant = 0;
  for (const std::vector<int64_t>& row : *rows) {
    OpTensorDesc desc;
    bool is_output = false, is_const = false;
    if (!ReadRow(row, &desc, &is_output, &is_const)) return std::nullopt;
    if (is_const) {
      if (constants == nullptr || next_constant == constants->size()) return std::nullopt;
      const std::string& bytes = (*constants)[next_constant++];
      desc.constant = std::make_shared<const std::vector<uint8_t>>(bytes.begin(), bytes.end());
    }
    (is_output ? definition.outputs : definition.inputs).push_back(std::move(desc));
  }
  for (const auto& [name, value] : attrs) {
    const std::string_view view = name;
    if (view.starts_with(kAttr)) SetFromModel(definition.attrs, view.substr(kAttr.size()), value);
    if (view.starts_with(kDtypes)) SetDtypes(definition.attrs, view.substr(kDtypes.size()), value);
  }
  return definition;
}

}  // namespace ge::aclop
