#include "precision/op_precision.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "hooks/operator_stores.h"
#include "ops/op_impl.h"

namespace ge {
namespace {

constexpr std::array<std::string_view, 27> kMatrixOps = {
    "BatchMatMul",
    "BatchMatMulV2",
    "Conv2D",
    "Conv2DBackpropFilter",
    "Conv2DBackpropFilterD",
    "Conv2DBackpropInput",
    "Conv2DBackpropInputD",
    "Conv2DCompress",
    "Conv2DTranspose",
    "Conv2DTransposeD",
    "Conv3D",
    "Conv3DBackpropFilter",
    "Conv3DBackpropFilterD",
    "Conv3DBackpropInput",
    "Conv3DBackpropInputD",
    "Conv3DTranspose",
    "Conv3DTransposeD",
    "Deconvolution",
    "DepthwiseConv2D",
    "DepthwiseConv2DBackpropFilter",
    "DepthwiseConv2DBackpropFilterD",
    "DepthwiseConv2DBackpropInput",
    "DepthwiseConv2DBackpropInputD",
    "FullyConnection",
    "GEMM",
    "MatMul",
    "MatMulV2",
};
static_assert(std::is_sorted(kMatrixOps.begin(), kMatrixOps.end()));

// "f16,-,f32"
std::vector<DataType> ReadPorts(std::string_view text) {
  std::vector<DataType> dtypes;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const DataTypeRow* row = FindDataTypeByShortName(text.substr(0, comma));
    dtypes.push_back(row == nullptr ? DataType::kUndefined : row->dtype);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return dtypes;
}

// A type variable ($T) stands for what the other ports have.
bool Takes(Table port, std::string_view short_name) {
  std::string_view list = port.Find("dtypes").AsString();
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == short_name || list.starts_with('$')) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// Where the kernel chooses, all ports of a node have one float dtype; a port whose prototype lacks
// it has float32.
std::vector<DtypeColumn> UniformColumns(const std::string& type) {
  std::vector<DtypeColumn> columns;
  const auto ports_as = [](Table ports, std::string_view short_name) {
    std::vector<DataType> dtypes;
    for (uint32_t i = 0; i < ports.size(); ++i) {
      dtypes.push_back(Takes(ports[i], short_name) ? FindDataTypeByShortName(short_name)->dtype
                       : Takes(ports[i], "f32")    ? DataType::kFloat
                                                   : DataType::kUndefined);
    }
    return dtypes;
  };
  const Table row = OpRow(type);
  for (const std::string_view short_name : {"f32", "f16", "bf16"}) {
    DtypeColumn column = {ports_as(row.Find("inputs"), short_name),
                          ports_as(row.Find("outputs"), short_name)};
    columns.push_back(std::move(column));
  }
  return columns;
}

OpPrecision OfUser(const hooks::OperatorInfo& info) {
  OpPrecision op;
  op.on_ai_core = true;
  if (!info.precision_reduce.empty()) {
    op.list = info.precision_reduce == "true" ? MixList::kWhite : MixList::kBlack;
  }
  const auto ports_at = [](const std::vector<hooks::OperatorPort>& ports, size_t k) {
    std::vector<DataType> dtypes;
    for (const hooks::OperatorPort& port : ports) {
      const DataType dtype = k < port.dtypes.size() ? port.dtypes[k] : DataType::kUndefined;
      dtypes.push_back(IsLowerable(dtype) ? dtype : DataType::kUndefined);
    }
    return dtypes;
  };
  for (size_t k = 0; k < info.outputs.front().dtypes.size(); ++k) {
    op.columns.push_back({ports_at(info.inputs, k), ports_at(info.outputs, k)});
  }
  return op;
}

size_t PortOf(Table ports, size_t index, size_t count) {
  for (uint32_t i = 0; i < ports.size() && i <= index; ++i) {
    if (ports[i].Find("kind").AsString() != "dynamic") continue;
    const size_t copies = count + 1 > ports.size() ? count + 1 - ports.size() : 0;
    return index < i + copies ? i : index - copies + 1;
  }
  return index;
}

}  // namespace

OpPrecisionTable::OpPrecisionTable(std::string_view family, const std::vector<MixEdit>& edits,
                                   const hooks::OperatorStores* own)
    : edits_(edits), own_(own) {
  const Table families = Table::Root("op_precision").Find("families");
  for (uint32_t i = 0; i < families.size(); ++i) {
    if (families[i].AsString() == family) family_bit_ = int64_t{1} << i;
  }
}

const OpPrecision& OpPrecisionTable::Of(const std::string& type) {
  std::unique_ptr<const OpPrecision>& known = known_[type];
  if (known == nullptr) known = std::make_unique<const OpPrecision>(Read(type));
  return *known;
}

OpPrecision OpPrecisionTable::Read(const std::string& type) const {
  OpPrecision op;
  const Table rows = Table::Root("op_precision").Find("ops").Find(type);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if ((rows[i].Find("on").AsInt() & family_bit_) == 0) continue;
    op.on_ai_core = true;
    const std::string_view list = rows[i].Find("list").AsString();
    if (!list.empty()) op.list = list == "white" ? MixList::kWhite : MixList::kBlack;
    const Table columns = rows[i].Find("columns");
    for (uint32_t j = 0; j < columns.size(); ++j) {
      const std::string_view text = columns[j].AsString();
      const size_t split = text.find('>');
      op.columns.push_back({ReadPorts(text.substr(0, split)), ReadPorts(text.substr(split + 1))});
    }
    if (columns.is_null()) op.columns = UniformColumns(type);
  }
  if (const hooks::OperatorInfo* info = own_ != nullptr ? own_->Find(type) : nullptr) {
    op = OfUser(*info);
  }
  for (const MixEdit& edit : edits_) {
    if (edit.type != type) continue;
    if (edit.removes && edit.from == op.list) op.list = MixList::kGray;
    if (edit.adds) op.list = edit.to;
  }
  return op;
}

bool IsMatrixOp(std::string_view type) {
  return std::binary_search(kMatrixOps.begin(), kMatrixOps.end(), type);
}

size_t InputPort(const Node& node, size_t index) {
  return PortOf(OpRow(node.type()).Find("inputs"), index, node.input_count());
}

size_t OutputPort(const Node& node, size_t index) {
  return PortOf(OpRow(node.type()).Find("outputs"), index, node.output_count());
}

}  // namespace ge
