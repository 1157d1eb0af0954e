#include "frontend/onnx/builder.h"

#include <algorithm>

#include "frontend/onnx/import_hook.h"
#include "kernels/heavy.h"
#include "ops/op_impl.h"

namespace ge::onnx {
namespace {

// Deeper nesting of branches and function calls than any exporter writes.
constexpr int kMaxScopes = 64;
Status ImportOperator(OnnxOp& op) {
  const Node& node = op.node();
  const size_t required = RequiredInputs(node, op.opset());
  for (size_t i = 0; i < required; ++i) {
    if (op.has_input(i)) continue;
    return op.Fail("input " + std::to_string(i) + " is missing, which opset " +
                   std::to_string(op.opset()) + " requires");
  }
  for (size_t i = 0; i < op.input_count() && !TakesContainers(node); ++i) {
    if (!op.builder().state().containers.Holds(op.input(i))) continue;
    return op.Unsupported("input " + std::to_string(i) +
                          " that is a sequence or an empty optional; tensors are built");
  }
  const std::string hooked = HookTypeOf(op.builder().state().options, node);
  if (!hooked.empty()) return ImportByHook(op, hooked);
  return FindImport(node.domain, node.op_type)(op);
}

}  // namespace

void ImportState::AddUnsupported(const std::string& what, const std::string& node) {
  const auto group = std::find_if(unsupported.begin(), unsupported.end(),
                                  [&](const auto& entry) { return entry.first == what; });
  if (group == unsupported.end()) {
    unsupported.push_back({what, {node}});
  } else {
    group->second.push_back(node);
  }
}

std::optional<int64_t> OpsetVersion(const std::vector<OpsetImport>& opsets,
                                    std::string_view domain) {
  for (const OpsetImport& opset : opsets) {
    if (opset.domain == domain) return opset.version;
  }
  return std::nullopt;
}

const Function* FindFunction(const Model& model, const Node& node) {
  for (const Function& function : model.functions) {
    if (function.name == node.op_type && function.domain == node.domain &&
        function.overload == node.overload) {
      return &function;
    }
  }
  return nullptr;
}

GraphBuilder::Lookup GraphBuilder::Find(std::string_view name, Names& names) {
  const auto result = [](Value value) {
    return value == kPoison ? Lookup{Lookup::kPoisoned, {}} : Lookup{Lookup::kFound, value};
  };
  for (Names* scope = &names; scope != nullptr; scope = scope->outer) {
    if (const Value* known = scope->values.Find(name)) return result(*known);
    const Tensor* const* initializer = scope->initializers.Find(name);
    if (initializer == nullptr) continue;
    Result<TensorReader::Constant> constant = state_.tensors.Read(**initializer);
    Value value = kPoison;
    if (constant.ok()) {
      value = graph_.AddConst(name, constant->desc, constant->bytes)->out();
    } else {
      state_.faults.Add(constant.status());
    }
    scope->values.Insert(name, value);
    return result(value);
  }
  if (outer_ == nullptr) return {};

  Lookup outside = outer_->Find(name, *outer_names_);
  if (outside.state != Lookup::kFound) return outside;
  const Value value = state_.containers.Holds(outside.value) ? CaptureContainer(outside.value, name)
                                                             : Capture(outside.value, name);
  // Remembered in the outermost scope of this graph, so that all its scopes share one Data.
  Names* root = &names;
  while (root->outer != nullptr) root = root->outer;
  root->values.Insert(name, value);
  return {Lookup::kFound, value};
}

Value GraphBuilder::Capture(Value outside, std::string_view name) {
  const TensorDesc& desc = outside.desc();
  if (outside.node->is_const()) {
    return graph_.AddConst(name, desc, outside.node->value())->out();
  }
  for (size_t i = 0; i < captures_.size(); ++i) {
    if (captures_[i] == outside) return capture_nodes_[i];
  }
  ge::Node* node = graph_.Add("Data", name, {});
  node->output(0) = desc;
  node->attrs().Set("index", static_cast<int64_t>(captures_.size()));
  captures_.push_back(outside);
  capture_nodes_.push_back(node->out());
  return node->out();
}

Value GraphBuilder::CaptureContainer(Value outside, std::string_view name) {
  const std::vector<Value>* elements = state_.containers.Elements(outside);
  if (elements == nullptr) return outside;
  std::vector<Value> captured;
  for (const Value element : *elements) captured.push_back(Capture(element, name));
  const Value sequence = state_.containers.Sequence(std::move(captured));
  if (sequence) return sequence;
  state_.AddUnsupported("sequences with millions of elements", std::string(name));
  return kPoison;
}

namespace {

// Whether shapes may be made of the results: integers, bools, or a few floats (factors of Resize).
bool MayShapeDependOn(const ge::Node& node) {
  constexpr int64_t kMostFactors = 8;
  for (size_t i = 0; i < node.output_count(); ++i) {
    const TensorDesc& desc = node.output(i);
    if (!IsFloat(desc.dtype)) continue;
    const std::optional<int64_t> elements = desc.shape.elements();
    if (!elements || *elements > kMostFactors) return false;
  }
  return true;
}

// Whether these may be weights of a quantized network on the way to floats.
bool WidensBytes(const ge::Node& node) {
  return node.type() == "Cast" && IsByte(node.input(0).desc().dtype);
}

}  // namespace

Result<std::vector<Value>> GraphBuilder::AddNode(std::string_view type, std::string_view name,
                                                 std::string_view source, std::vector<Value> inputs,
                                                 AttrList attrs, size_t outputs) {
  while (!inputs.empty() && !inputs.back()) inputs.pop_back();
  ge::Node* node = graph_.Add(type, name, inputs, outputs);
  if (node->name() != source) node->AddSourceName(std::string(source));
  for (auto& [key, value] : attrs) node->attrs().Set(key, std::move(value));
  GE_TRY(InferNode(*node));
  const bool keeps = state_.options.keep_bytes && WidensBytes(*node);
  if ((state_.options.fold_floats && !keeps) || MayShapeDependOn(*node)) {
    GE_ASSIGN(std::vector<Value> folded, FoldNode(*node));
    if (!folded.empty()) return folded;
  }
  std::vector<Value> values;
  for (size_t i = 0; i < outputs; ++i) values.push_back(node->out(static_cast<int32_t>(i)));
  return values;
}

std::string GraphBuilder::NameOf(const Node& node, const Names& names) {
  if (node.name.empty()) {
    return names.prefix + std::string(node.op_type) + "_" + std::to_string(state_.unnamed_nodes++);
  }
  std::string name = names.prefix + std::string(node.name);
  if (graph_.Find(name) != nullptr && outer_ == nullptr) state_.renamed_nodes.push_back(name);
  return name;
}

Status GraphBuilder::ImportNodes(const std::vector<Node>& nodes,
                                 const std::vector<std::string_view>& wanted, Names& names) {
  if (names.depth > kMaxScopes) {
    return Error(ErrorId::kE10041, {{"parameter", "--model"},
                                    {"value", state_.model.file->path()},
                                    {"reason", "branches or functions are nested too deep"}});
  }
  Result<std::vector<size_t>> order = NeededNodes(nodes, wanted);
  if (!order.ok()) {
    state_.faults.Add(order.status());
    return Status::Ok();
  }
  return ImportInOrder(nodes, *order, names);
}

Status GraphBuilder::ImportInOrder(const std::vector<Node>& nodes, const std::vector<size_t>& order,
                                   Names& names) {
  const bool is_main = outer_ == nullptr && names.depth == 0;
  Progress* const progress = is_main ? state_.options.progress : nullptr;
  for (const size_t position : order) {
    if (state_.options.cancelled != nullptr && *state_.options.cancelled) {
      return Status(Problem{ErrorId::kInterrupted, "", "", ""});
    }
    ImportNode(nodes[position], names);
    if (progress != nullptr) progress->Advance();
  }
  return Status::Ok();
}

void GraphBuilder::ImportNode(const Node& node, Names& names) {
  Names* const caller = names_;
  names_ = &names;
  const Function* function = FindFunction(state_.model, node);
  const int64_t opset = OpsetVersion(*names.opsets, node.domain).value_or(1);
  OnnxOp op(*this, node, opset);
  op.name_ = NameOf(node, names);
  bool poisoned = false;
  for (const std::string_view input : node.inputs) {
    Lookup found{Lookup::kFound, {}};
    if (!input.empty()) found = Find(input, names);
    if (found.state == Lookup::kMissing) {
      state_.faults.Add(Error(
          ErrorId::kE10041,
          {{"parameter", "--model"},
           {"value", state_.model.file->path()},
           {"reason", "node [" + op.name_ + "] of type " + std::string(node.op_type) +
                          " reads tensor [" + std::string(input) + "], which nothing produces"}}));
    }
    poisoned |= found.state != Lookup::kFound;
    op.inputs_.push_back(found.value);
  }
  while (!op.inputs_.empty() && !op.inputs_.back()) op.inputs_.pop_back();
  op.outputs_.assign(node.outputs.size(), poisoned ? kPoison : Value{});
  if (!poisoned) {
    Status status = function != nullptr
                        ? ImportCall(node, *function, op.inputs_, op.name_, &op.outputs_, names)
                        : ImportOperator(op);
    if (!status.ok()) {
      op.outputs_.assign(node.outputs.size(), kPoison);
      if (status.id() == ErrorId::kE10055) {
        state_.AddUnsupported(std::string(node.op_type) + ": " + status.problems().front().message,
                              op.name_);
      } else {
        state_.faults.Add(std::move(status));
      }
    }
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) names.values.Insert(node.outputs[i], op.outputs_[i]);
  }
  names_ = caller;
}

Status GraphBuilder::ImportCall(const Node& node, const Function& function,
                                const std::vector<Value>& inputs, const std::string& name,
                                std::vector<Value>* outputs, const Names& names) {
  Names body;
  body.opsets = &function.opsets;
  body.call = &node;
  body.function = &function;
  body.caller = &names;
  body.prefix = name + "/";
  body.depth = names.depth + 1;
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    body.values.Insert(function.inputs[i], i < inputs.size() ? inputs[i] : Value{});
  }
  std::vector<std::string_view> wanted = function.outputs;
  wanted.resize(std::min(wanted.size(), node.outputs.size()));
  GE_TRY(ImportNodes(function.nodes, wanted, body));
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Lookup found = Find(wanted[i], body);
    (*outputs)[i] = found.state == Lookup::kFound ? found.value : kPoison;
  }
  return Status::Ok();
}

}  // namespace ge::onnx
