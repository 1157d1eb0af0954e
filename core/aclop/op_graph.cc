// OpDefinition -> Graph:   Data, Const -> operator -> NetOutput
//
// Descriptions stand in the order of the prototype.  A dynamic port takes the neighbouring inputs
// that carry one name, or, where none has a name, all that the other ports leave over.
#include "aclop/op_graph.h"

#include <algorithm>

#include "aclop/composed_op.h"
#include "aclop/kernel_form.h"
#include "aclop/op_attrs.h"
#include "aclop/storage.h"
#include "base/suggest.h"
#include "base/text.h"
#include "hooks/attr_json.h"
#include "hooks/operators.h"
#include "ir/recorded_kernel.h"
#include "kernels/storage_layout.h"
#include "ops/op_impl.h"

namespace ge::aclop {
namespace {

constexpr int64_t kMostRank = 64;
// Not an operator of its own: its input and output are one tensor, stored in two ways.
constexpr std::string_view kTransData = "TransData";

std::string DtypeNames(std::string_view short_names) {
  std::vector<std::string> names;
  while (!short_names.empty()) {
    const std::string_view name = short_names.substr(0, short_names.find(','));
    const DataTypeRow* row = FindDataTypeByShortName(name);
    names.emplace_back(row != nullptr ? row->user_name : name);
    short_names.remove_prefix(std::min(short_names.size(), name.size() + 1));
  }
  return Join(names, ", ");
}

bool ListHolds(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const bool begins = at == 0 || list[at - 1] == ',';
    const size_t end = at + word.size();
    if (begins && (end == list.size() || list[end] == ',')) return true;
  }
  return false;
}

class Builder {
 public:
  Builder(const OpDefinition& definition, const OpGraphOptions& options)
      : asked_(definition),
        definition_(definition.type == kTransData ? AsStored(definition) : definition),
        options_(options),
        row_(OpRow(definition.type)),
        own_(options.operators != nullptr ? options.operators->stores().Find(definition.type)
                                          : nullptr),
        graph_(std::make_unique<Graph>("online")) {}

  Result<OpGraph> Build() {
    AttrMap attrs;
    Status faults;
    if (own_ != nullptr) {  // its ports are checked when its kernel is built
      type_ = definition_.type;
      faults.Add(ConvertOwnAttrs(&attrs));
    } else {
      GE_TRY(CheckType());
      faults.Add(CheckPorts("input", definition_.inputs, row_.Find("inputs")));
      if (options_.checks_outputs) {
        faults.Add(CheckPorts("output", definition_.outputs, row_.Find("outputs")));
      }
      faults.Add(ConvertAttrs(definition_, options_.node_name, &attrs));
    }
    GE_TRY(std::move(faults));
    GE_TRY(AddInputs());

    OpGraph built;
    TakeLayout(attrs);
    if (type_.empty()) {
      GE_ASSIGN(built.results, Compose(definition_, options_.node_name, *graph_, values_, attrs));
      built.results.resize(std::min(built.results.size(), definition_.outputs.size()));
    } else {
      GE_ASSIGN(built.results, AddNode(std::move(attrs)));
    }
    std::vector<Value> stored;
    for (size_t i = 0; i < built.results.size(); ++i) {
      const Value result = built.results[i];
      const OpTensorDesc& desc = definition_.outputs[i];
      result.node->output(static_cast<size_t>(result.index)).format = FormatOf(desc.format);
      graph_->output_names().push_back("y" + std::to_string(i));
      stored.push_back(result);
      if (!options_.checks_outputs || !api::IsStoredInBlocks(desc)) continue;
      GE_TRY(CheckOutputs(definition_, options_.node_name, built.results));
      GE_ASSIGN(stored.back(), ToBlocks(*graph_, options_.node_name, result, desc));
      // What was described as blocks is looked at as blocks.
      const auto asked = static_cast<Format>(asked_.outputs[i].format);
      if (definition_.type == kTransData && IsBlocked(asked)) built.results[i] = stored.back();
    }
    GE_TRY(CheckKernels());
    graph_->Add("NetOutput", "Node_Output", stored, 0);
    built.graph = std::move(graph_);
    built.data_inputs = std::move(data_inputs_);
    return built;
  }

 private:
  Status Fail(std::string reason) const {
    return Error(ErrorId::kE14001, {{"opname", options_.node_name},
                                    {"optype", definition_.type},
                                    {"reason", std::move(reason)}});
  }

  // The operator itself, or the other form that has a kernel.
  Result<std::vector<Value>> AddNode(AttrMap attrs) {
    if (definition_.type == kTransData) {
      GE_TRY(CheckFormats(attrs));
      attrs = AttrMap();
    } else if (type_ != definition_.type) {
      UseKernelForm(definition_.type, type_, *graph_, values_, attrs);
    }
    Node* const node = graph_->Add(type_, options_.node_name, values_, definition_.outputs.size());
    node->attrs() = std::move(attrs);
    for (size_t i = 0; i < definition_.outputs.size(); ++i) {
      node->output(i).format = FormatOf(definition_.outputs[i].format);
    }
    GE_TRY(CheckDefaults(*node));
    GE_TRY(CheckCount(*node));
    if (own_ != nullptr) {
      node->attrs().Set(kKernelNameAttr, std::string());
      GE_TRY(InferOwn(*node));
    } else {
      GE_TRY(InferNode(*node));
    }
    std::vector<Value> results;
    for (size_t i = 0; i < node->output_count(); ++i) {
      results.push_back(node->out(static_cast<int32_t>(i)));
    }
    return results;
  }

  Status ConvertOwnAttrs(AttrMap* attrs) const {
    nlohmann::json given = nlohmann::json::object();
    for (const auto& [name, value] : definition_.attrs.values()) {
      given[std::string(name)] = hooks::AttrJson(ToIrAttr(value));
    }
    return hooks::ReadAttrs(given, options_.node_name, definition_.type, own_, attrs);
  }

  // The outputs are those that the definition says, as far as it does.
  Status InferOwn(Node& node) {
    const OpImpl* impl = FindOpImpl(node.type());
    if (impl != nullptr && impl->infer != nullptr) return InferNode(node);
    bool known = true;
    for (size_t i = 0; i < node.output_count(); ++i) {
      const OpTensorDesc& desc = definition_.outputs[i];
      const Shape shape{std::span<const int64_t>(desc.dims)};
      known &= shape.is_static() && desc.dtype >= 0 &&
               desc.dtype <= static_cast<int32_t>(DataType::kHifloat4);
      if (!known) break;
      node.output(i).dtype = static_cast<DataType>(desc.dtype);
      node.output(i).shape = shape;
    }
    return known && !options_.generalize ? Status::Ok() : options_.operators->InferOutputs(node);
  }

  static bool HasKernel(const std::string& type) {
    const OpImpl* impl = FindOpImpl(type);
    return impl != nullptr && impl->infer != nullptr && (impl->run_host != nullptr || impl->view);
  }

  Status CheckType() {
    if (row_.is_null()) {
      const Table ops = Table::Root("ops");
      std::vector<std::string_view> types;
      for (uint32_t i = 0; i < ops.size(); ++i) types.push_back(ops.KeyAt(i));
      const std::string_view nearest = Nearest(definition_.type, types);
      return Error(
          ErrorId::kE10501,
          {{"reason", "Operator type [" + definition_.type + "] is not known" +
                          (nearest.empty() ? std::string(".")
                                           : "; did you mean " + std::string(nearest) + "?")},
           {"fix", ""}});
    }
    if (definition_.type == kTransData) type_ = "Identity";
    if (!type_.empty() || IsComposed(definition_.type)) return Status::Ok();
    type_ = HasKernel(definition_.type) ? definition_.type : KernelForm(definition_.type);
    if (!type_.empty()) return Status::Ok();
    return Error(ErrorId::kE10501, {{"reason", "Operator type [" + definition_.type +
                                                   "] is known, but has no kernel of the host "
                                                   "engine."},
                                    {"fix", ""}});
  }

  // What is cut in parts says how many there are.
  Status CheckCount(const Node& node) const {
    const auto* count = node.attrs().Get<int64_t>("num_split");
    if (count == nullptr || *count == static_cast<int64_t>(node.output_count())) {
      return Status::Ok();
    }
    return Fail("attribute num_split is " + std::to_string(*count) + "; it has " +
                std::to_string(node.output_count()) + " outputs");
  }

  // Attributes and descriptions of TransData say the same.
  Status CheckFormats(const AttrMap& attrs) const {
    const OpTensorDesc &x = definition_.inputs[0], &y = definition_.outputs[0];
    const auto check = [&](const char* name, const OpTensorDesc& desc) {
      const bool stored = desc.storage_format != kUndefinedNumber;
      const std::string format = FormatText(stored ? desc.storage_format : desc.format);
      const auto* given = attrs.Get<std::string>(name);
      if (given == nullptr || *given == format) return Status::Ok();
      return Fail("attribute " + std::string(name) + " is " + *given +
                  "; the description of its tensor says " + format);
    };
    Status faults = check("src_format", x);
    faults.Add(check("dst_format", y));
    if (x.format != y.format) {
      faults.Add(Fail("it would turn axes from " + FormatText(x.format) + " to " +
                      FormatText(y.format) + ", which Transpose is for"));
    }
    if (const auto* groups = attrs.Get<int64_t>("groups"); groups != nullptr && *groups > 1) {
      faults.Add(Fail("attribute groups is " + std::to_string(*groups) + "; 1 is accepted"));
    }
    return faults;
  }

  // A dtype that the prototype has, but no kernel.
  Status CheckKernels() const {
    for (const auto& node : graph_->nodes()) {
      const DataType dtype = DtypeWithoutKernel(*node);
      if (dtype == DataType::kUndefined) continue;
      return Fail("data type " + std::string(UserName(dtype)) +
                  " is one of its prototype, but the host engine has no kernel for it" +
                  (node->type() == definition_.type ? "" : " (in its part " + node->type() + ")"));
    }
    return Status::Ok();
  }

  // How many descriptions from `at` on belong to port `port`.
  size_t CopiesOf(const std::vector<OpTensorDesc>& descs, Table ports, uint32_t port, size_t at) {
    if (ports[port].Find("kind").AsString() != "dynamic") return 1;
    const std::string& name = at < descs.size() ? descs[at].dynamic_input : std::string();
    size_t end = at;
    if (!name.empty()) {
      while (end < descs.size() && descs[end].dynamic_input == name) ++end;
      return end - at;
    }
    const size_t behind = ports.size() - port - 1;
    return descs.size() > at + behind ? descs.size() - at - behind : 0;
  }

  Status CheckPorts(const std::string& side, const std::vector<OpTensorDesc>& descs, Table ports) {
    Status faults;
    size_t at = 0;
    for (uint32_t port = 0; port < ports.size(); ++port) {
      const std::string_view kind = ports[port].Find("kind").AsString();
      const std::string name(ports[port].Find("name").AsString());
      const size_t copies = CopiesOf(descs, ports, port, at);
      if (copies == 0) faults.Add(Fail(side + " " + name + " needs at least one tensor"));
      for (size_t copy = 0; copy < copies; ++copy, ++at) {
        const std::string label = side + " " + std::to_string(at) + " (" + name + ")";
        if (at >= descs.size() || descs[at].is_absent()) {
          if (kind != "optional") faults.Add(Fail(label + " is missing"));
          continue;
        }
        faults.Add(CheckTensor(label, descs[at], ports[port].Find("dtypes").AsString()));
      }
    }
    if (at < descs.size()) {
      faults.Add(Fail("it has " + std::to_string(descs.size()) + " " + side +
                      "s; the prototype has " + std::to_string(ports.size())));
    }
    return faults;
  }

  Status CheckTensor(const std::string& label, const OpTensorDesc& desc,
                     std::string_view dtypes) const {
    Status faults;
    const bool known = desc.dtype >= 0 && desc.dtype <= static_cast<int32_t>(DataType::kHifloat4);
    const std::string_view name =
        known ? RowOf(static_cast<DataType>(desc.dtype)).short_name : std::string_view();
    const bool any = dtypes.empty() || dtypes.find('$') != std::string_view::npos;
    if (name.empty() || (!any && !ListHolds(dtypes, name))) {
      faults.Add(Fail(label + " has data type " + DtypeText(desc.dtype) + "; accepted are " +
                      DtypeNames(dtypes)));
    }
    if (faults.ok() && RowOf(static_cast<DataType>(desc.dtype)).bits == 0) {
      faults.Add(Fail(label + " has data type " + DtypeText(desc.dtype) +
                      ", which the host engine has no kernels for"));
    }
    if (static_cast<int64_t>(desc.dims.size()) > kMostRank) {
      faults.Add(Fail(label + " has " + std::to_string(desc.dims.size()) + " dims"));
    }
    for (size_t axis = 0; axis < desc.dims.size(); ++axis) {
      const int64_t dim = desc.dims[axis];
      if (dim >= kUnknownDim || (axis == 0 && dim == kUnknownRankMark && desc.dims.size() == 1)) {
        continue;
      }
      faults.Add(
          Fail(label + " has the dim " + std::to_string(dim) + " at axis " + std::to_string(axis)));
    }
    if (!faults.ok()) return faults;
    if (const std::string fault = StorageFault(desc, IsGrouped()); !fault.empty()) {
      faults.Add(Fail(label + " has " + fault));
    } else if (options_.generalize && api::IsStoredInBlocks(desc)) {
      faults.Add(Fail(label + " is stored in blocks of a fixed size"));
    }
    return faults;
  }

  bool IsGrouped() const {
    const OpAttr* groups = definition_.attrs.Find("groups");
    const int64_t* count = groups == nullptr ? nullptr : std::get_if<int64_t>(groups);
    return count != nullptr && *count > 1;
  }

  Status AddInputs() {
    Status faults;
    for (size_t i = 0; i < definition_.inputs.size(); ++i) {
      const OpTensorDesc& desc = definition_.inputs[i];
      if (desc.is_absent()) {
        values_.push_back({});
        continue;
      }
      const bool in_blocks = api::IsStoredInBlocks(desc);
      TensorDesc tensor{static_cast<DataType>(desc.dtype),
                        FormatOf(in_blocks ? desc.storage_format : desc.format),
                        Shape(std::span<const int64_t>(api::MemoryDims(desc)))};
      const std::string name = options_.names_inputs && !desc.name.empty()
                                   ? desc.name
                                   : options_.node_name + "_in_" + std::to_string(i);
      if (desc.is_const()) {
        const std::optional<int64_t> bytes = BytesOf(tensor);
        if (!bytes || static_cast<size_t>(*bytes) != desc.constant->size()) {
          faults.Add(Fail("input " + std::to_string(i) + " is a constant of " +
                          std::to_string(desc.constant->size()) + " bytes; its description has " +
                          (bytes ? std::to_string(*bytes) : "no fixed size")));
          continue;
        }
        values_.push_back(graph_->AddConst(name, tensor, Buffer::Own(*desc.constant))->out());
        if (in_blocks) GE_TRY(TakeOutOfBlocks(desc));
        continue;
      }
      if (options_.generalize && !tensor.shape.unknown_rank()) {
        tensor.shape = Shape::UnknownDims(tensor.shape.rank());
      }
      Node* const data = graph_->Add("Data", name, {});
      data->attrs().Set("index", static_cast<int64_t>(data_inputs_.size()));
      data->output(0) = tensor;
      data_inputs_.push_back(i);
      values_.push_back(data->out());
      if (in_blocks) GE_TRY(TakeOutOfBlocks(desc));
    }
    return faults;
  }

  // The value that was added last.
  Status TakeOutOfBlocks(const OpTensorDesc& desc) {
    GE_ASSIGN(values_.back(), FromBlocks(*graph_, options_.node_name, values_.back(), desc));
    return Status::Ok();
  }

  // An operator with an axis order takes that of its first tensor, unless it is given one.
  void TakeLayout(AttrMap& attrs) const {
    if (row_.Find("attrs").Find("data_format").is_null()) return;
    if (attrs.Find("data_format") != nullptr || values_.empty() || !values_[0]) return;
    const Format format = values_[0].desc().format;
    if (format == Format::kNCHW || format == Format::kNHWC || format == Format::kNCDHW ||
        format == Format::kNDHWC) {
      attrs.Set("data_format", std::string(FormatName(format)));
    }
  }

  const OpDefinition& asked_;
  const OpDefinition definition_;  // the same, but for TransData
  const OpGraphOptions& options_;
  const Table row_;
  const hooks::OperatorInfo* const own_;  // what the user's library says of the type; may be null
  std::unique_ptr<Graph> graph_;
  // Of the node: that of the definition, or its other form; empty when it is composed of others.
  std::string type_;
  std::vector<Value> values_;
  std::vector<size_t> data_inputs_;
};

}  // namespace

Result<OpGraph> BuildOpGraph(const OpDefinition& definition, const OpGraphOptions& options) {
  return Builder(definition, options).Build();
}

Status CheckOutputs(const OpDefinition& definition, const std::string& node_name,
                    const std::vector<Value>& results) {
  Status faults;
  for (size_t i = 0; i < results.size(); ++i) {
    const OpTensorDesc& asked = definition.outputs[i];
    const TensorDesc& inferred = results[i].desc();
    const auto fail = [&](const std::string& what, const std::string& seen,
                          const std::string& wanted) {
      faults.Add(Error(ErrorId::kE14001,
                       {{"opname", node_name},
                        {"optype", definition.type},
                        {"reason", "output " + std::to_string(i) + " has " + what + " " + seen +
                                       "; its inputs and attributes give " + wanted}}));
    };
    if (asked.dtype != static_cast<int32_t>(inferred.dtype)) {
      fail("data type", DtypeText(asked.dtype), std::string(UserName(inferred.dtype)));
    }
    const Shape shape{std::span<const int64_t>(asked.dims)};
    if (shape.unknown_rank() || inferred.shape.unknown_rank()) continue;
    bool same = shape.rank() == inferred.shape.rank();
    for (size_t axis = 0; same && axis < shape.rank(); ++axis) {
      same = shape[axis] < 0 || inferred.shape[axis] < 0 || shape[axis] == inferred.shape[axis];
    }
    if (!same) fail("shape", shape.ToString(), inferred.shape.ToString());
  }
  return faults;
}

}  // namespace ge::aclop
