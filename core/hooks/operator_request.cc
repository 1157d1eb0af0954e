#include "hooks/operator_request.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "api/soc.h"
#include "base/text.h"
#include "hooks/attr_json.h"
#include "ops/op_impl.h"

namespace ge::hooks {
namespace {

using Json = nlohmann::json;

bool IsFloatPort(DataType dtype) {
  return dtype == DataType::kFloat || dtype == DataType::kFloat16 || dtype == DataType::kBf16;
}

// Port of every tensor of one side: a dynamic port takes what the others leave over.
std::vector<size_t> PortsOf(const std::vector<OperatorPort>& ports, size_t tensors) {
  std::vector<size_t> assigned;
  for (size_t port = 0; port < ports.size() && assigned.size() < tensors; ++port) {
    size_t copies = 1;
    if (ports[port].kind == PortKind::kDynamic) {
      const size_t behind = ports.size() - port - 1, left = tensors - assigned.size();
      copies = left > behind ? left - behind : 0;
    }
    assigned.insert(assigned.end(), copies, port);
  }
  return assigned;
}

struct Tensors {
  std::vector<TensorDesc> descs;  // kUndefined: left out
  std::vector<size_t> ports;
};

Tensors InputsOf(const OperatorInfo& info, const Node& node) {
  Tensors tensors;
  for (size_t i = 0; i < node.input_count(); ++i) {
    tensors.descs.push_back(node.input(i) ? node.input(i).desc() : TensorDesc());
  }
  tensors.ports = PortsOf(info.inputs, tensors.descs.size());
  return tensors;
}

// The first combination that takes the inputs, where floats may be others than those of the node
// if `any_float`.
std::optional<size_t> CombinationOf(const OperatorInfo& info, const Tensors& inputs,
                                    bool any_float) {
  const size_t count = info.outputs.front().dtypes.size();
  for (size_t k = 0; k < count; ++k) {
    bool fits = true;
    for (size_t i = 0; i < inputs.ports.size(); ++i) {
      const DataType has = inputs.descs[i].dtype;
      const std::vector<DataType>& dtypes = info.inputs[inputs.ports[i]].dtypes;
      if (has == DataType::kUndefined || k >= dtypes.size()) continue;
      fits &= dtypes[k] == has || (any_float && IsFloatPort(dtypes[k]) && IsFloatPort(has));
    }
    if (fits) return k;
  }
  return std::nullopt;
}

Json RangeOf(const Node& producer, const Shape& shape) {
  const auto* ranges = producer.attrs().Get<std::vector<std::vector<int64_t>>>("shape_range");
  if (ranges == nullptr || ranges->size() != shape.rank()) return nullptr;
  return *ranges;
}

Json ValueOf(Value value) {
  if (const auto ints = ConstInts(value)) return *ints;
  Json list = Json::array();
  const auto doubles = ConstDoubles(value);
  if (!doubles) return nullptr;
  for (const double number : *doubles) list.push_back(AttrJson(static_cast<float>(number)));
  return list;
}

Json InputsJson(const OperatorInfo& info, const Node& node, const Tensors& inputs) {
  Json ports = Json::array();
  for (const OperatorPort& port : info.inputs) {
    ports.push_back({{"kind", port.kind == PortKind::kDynamic    ? "dynamic"
                              : port.kind == PortKind::kOptional ? "optional"
                                                                 : "required"},
                     {"tensors", Json::array()}});
  }
  for (size_t i = 0; i < inputs.ports.size(); ++i) {
    Json row = nullptr;
    if (inputs.descs[i].dtype != DataType::kUndefined) {
      const Value value = node.input(i);
      row = TensorJson(inputs.descs[i]);
      if (Json range = RangeOf(*value.node, inputs.descs[i].shape); !range.is_null()) {
        row["range"] = std::move(range);
      }
      row["is_const"] = value.node->is_const();
      if (value.node->is_const() && info.inputs[inputs.ports[i]].needs_value) {
        row["value"] = ValueOf(value);
      }
    }
    ports[inputs.ports[i]]["tensors"].push_back(std::move(row));
  }
  return ports;
}

// What a result is taken to look like until its kernel says it.
Shape LargestInput(const Node& node) {
  Shape largest;
  int64_t most = -1;
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (!node.input(i)) continue;
    const Shape& shape = node.input(i).desc().shape;
    const int64_t elements = shape.elements().value_or(INT64_MAX);
    if (elements > most) largest = shape;
    most = std::max(most, elements);
  }
  return largest;
}

Json OutputsJson(const OperatorInfo& info, const Node& node, std::optional<size_t> combination,
                 bool for_shapes) {
  Json ports = Json::array();
  for (const OperatorPort& port : info.outputs) {
    ports.push_back({{"kind", port.kind == PortKind::kDynamic ? "dynamic" : "required"},
                     {"tensors", Json::array()}});
  }
  const std::vector<size_t> assigned = PortsOf(info.outputs, node.output_count());
  for (size_t i = 0; i < assigned.size(); ++i) {
    TensorDesc desc = node.output(i);
    if (for_shapes) {
      const std::vector<DataType>& dtypes = info.outputs[assigned[i]].dtypes;
      desc = {combination && *combination < dtypes.size() ? dtypes[*combination]
                                                          : node.input(0).desc().dtype,
              Format::kND, LargestInput(node)};
    }
    ports[assigned[i]]["tensors"].push_back(TensorJson(desc));
  }
  return ports;
}

Json CombinationsJson(const OperatorInfo& info) {
  Json all = Json::array();
  const auto rows = [](const std::vector<OperatorPort>& ports, size_t k) {
    Json row = Json::array();
    for (const OperatorPort& port : ports) {
      row.push_back({{"dtype", k < port.dtypes.size() ? UserName(port.dtypes[k]) : ""},
                     {"format", k < port.formats.size() ? port.formats[k] : ""}});
    }
    return row;
  };
  for (size_t k = 0; k < info.outputs.front().dtypes.size(); ++k) {
    all.push_back({{"inputs", rows(info.inputs, k)}, {"outputs", rows(info.outputs, k)}});
  }
  return all;
}

Json AttrsOf(const OperatorInfo& info, const Node& node) {
  Json rows = Json::array();
  for (const OperatorAttr& attr : info.attrs) {
    Json row = {{"name", attr.name}, {"type", attr.type}};
    if (const Attr* value = node.attrs().Find(attr.name)) {
      row["value"] = AttrJson(*value);
    } else {
      row["default"] = attr.default_text;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Status CheckPorts(const OperatorInfo& info, const Node& node, const Tensors& inputs) {
  Status faults;
  const auto fault = [&](const std::string& reason) {
    faults.Add(Error(ErrorId::kE14001, {{"opname", node.source_name()},
                                        {"optype", node.type()},
                                        {"reason", reason + " (" + info.file + ")"}}));
  };
  if (inputs.ports.size() < inputs.descs.size()) {
    fault("it has " + std::to_string(inputs.descs.size()) + " inputs; the operator takes " +
          std::to_string(info.inputs.size()));
  }
  for (size_t port = 0; port < info.inputs.size(); ++port) {
    if (info.inputs[port].kind == PortKind::kOptional) continue;
    bool there = false;
    for (size_t i = 0; i < inputs.ports.size(); ++i) {
      there |= inputs.ports[i] == port && inputs.descs[i].dtype != DataType::kUndefined;
    }
    if (!there) fault("input [" + info.inputs[port].name + "] is missing");
  }
  if (PortsOf(info.outputs, node.output_count()).size() != node.output_count() ||
      node.output_count() < info.outputs.size()) {
    fault("it has " + std::to_string(node.output_count()) + " outputs; the operator gives " +
          std::to_string(info.outputs.size()));
  }
  return faults;
}

}  // namespace

std::string FamilyOf(std::string_view soc_version) {
  const std::optional<SocInfo> soc = api::FindSoc(soc_version);
  return soc ? soc->family : std::string(soc_version);
}

Json TensorJson(const TensorDesc& desc) {
  return {{"dtype", UserName(desc.dtype)},
          {"shape", desc.shape.dims()},
          {"format", FormatName(desc.format)},
          {"ori_format", FormatName(desc.format)}};
}

Status SetOutputs(const Json& rows, Node& node) {
  const auto fail = [&](const std::string& reason) {
    return Error(ErrorId::kE14001, {{"opname", node.source_name()},
                                    {"optype", node.type()},
                                    {"reason", "its infer_shape returned " + reason}});
  };
  if (rows.size() != node.output_count()) {
    return fail(std::to_string(rows.size()) + " outputs; the node has " +
                std::to_string(node.output_count()));
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = rows[i]["dtype"].get<std::string>();
    const std::string known = name == "float" ? "float32" : name;
    TensorDesc& output = node.output(i);
    output.dtype = DataType::kUndefined;
    for (int number = 0; number < static_cast<int>(DataType::kHifloat4); ++number) {
      const DataTypeRow& row = RowOf(static_cast<DataType>(number));
      if (row.bits != 0 && row.user_name == known) output.dtype = row.dtype;
    }
    std::vector<int64_t> dims;
    for (const Json& dim : rows[i]["shape"]) {
      const bool is_rank_mark = dim == -2 && rows[i]["shape"].size() == 1;
      if (!dim.is_number_integer() || (dim < -1 && !is_rank_mark)) {
        return fail("the shape " + JsonText(rows[i]["shape"]));
      }
      dims.push_back(dim.get<int64_t>());
    }
    if (output.dtype == DataType::kUndefined) return fail("the data type [" + name + "]");
    output.shape = Shape(std::span<const int64_t>(dims));
  }
  return Status::Ok();
}

Result<std::string> OperatorRequest(const OperatorInfo& info, const Node& node,
                                    const std::string& impl_mode, bool for_shapes) {
  Tensors inputs = InputsOf(info, node);
  GE_TRY(CheckPorts(info, node, inputs));
  std::optional<size_t> combination = CombinationOf(info, inputs, false);
  if (!combination && for_shapes) {
    combination = CombinationOf(info, inputs, true);
    for (size_t i = 0; combination && i < inputs.ports.size(); ++i) {
      DataType& dtype = inputs.descs[i].dtype;
      const std::vector<DataType>& dtypes = info.inputs[inputs.ports[i]].dtypes;
      if (dtype != DataType::kUndefined && *combination < dtypes.size()) {
        dtype = dtypes[*combination];
      }
    }
  }
  bool is_unknown = false;
  for (const TensorDesc& desc : inputs.descs) {
    is_unknown |= desc.dtype != DataType::kUndefined && !desc.shape.is_static();
  }
  if (is_unknown && !info.dynamic_shape) {
    return Error(ErrorId::kE14001, {{"opname", node.source_name()},
                                    {"optype", node.type()},
                                    {"reason", "its inputs have unknown sizes, but " + info.file +
                                                   " does not say dynamicShapeSupport.flag=true"}});
  }
  std::error_code ignored;
  const bool has_dynamic =
      std::filesystem::exists(info.folder + "/dynamic/" + info.module + ".py", ignored);
  const bool has_static = std::filesystem::exists(info.folder + "/" + info.module + ".py", ignored);
  const bool dynamic = is_unknown || (has_dynamic && (info.dynamic_for_static || !has_static));
  return JsonText(Json{{"type", info.type},
                       {"folder", info.folder},
                       {"module", info.module},
                       {"function", info.function},
                       {"dynamic", dynamic},
                       {"needs_check", info.needs_check},
                       {"dynamic_format", info.dynamic_format},
                       {"combinations", CombinationsJson(info)},
                       {"inputs", InputsJson(info, node, inputs)},
                       {"outputs", OutputsJson(info, node, combination, for_shapes)},
                       {"attrs", AttrsOf(info, node)},
                       {"impl_mode", impl_mode}});
}

DataType SourceDtype(const OperatorInfo& info, const Node& node, size_t index, DataType recorded) {
  const std::vector<size_t> ports = PortsOf(info.outputs, node.output_count());
  const std::vector<DataType>& dtypes = info.outputs[ports[index]].dtypes;
  // Bools are recorded as int8.
  const bool is_bool = recorded == DataType::kInt8 &&
                       std::find(dtypes.begin(), dtypes.end(), DataType::kBool) != dtypes.end() &&
                       std::find(dtypes.begin(), dtypes.end(), recorded) == dtypes.end();
  if (is_bool) return DataType::kBool;
  if (CombinationOf(info, InputsOf(info, node), false) || !IsFloatPort(recorded)) return recorded;
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i) && node.input(i).desc().dtype == DataType::kFloat) return DataType::kFloat;
  }
  return recorded;
}

}  // namespace ge::hooks
