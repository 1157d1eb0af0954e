// Nodes that become operators in Python, or what ge.hooks says: attributes by a function of the
// user, inputs and outputs one to one.
#include <nlohmann/json.hpp>

#include "frontend/onnx/builder.h"
#include "frontend/onnx/import_hook.h"
#include "hooks/attr_json.h"
#include "ops/op_impl.h"

namespace ge::onnx {
namespace {

using Json = nlohmann::json;

// False for kinds that operators do not have.
bool ReadAttr(const OnnxOp& op, const Attribute& attr, Json* json) {
  switch (attr.type) {
    case AttrType::kInt:
      *json = op.Int(attr.name, 0);
      return true;
    case AttrType::kFloat:
      *json = hooks::AttrJson(op.Float(attr.name, 0));
      return true;
    case AttrType::kString:
      *json = op.Str(attr.name, "");
      return true;
    case AttrType::kInts:
      *json = op.Ints(attr.name);
      return true;
    case AttrType::kFloats:
      *json = hooks::AttrJson(op.Floats(attr.name));
      return true;
    case AttrType::kStrings:
      *json = op.Strs(attr.name);
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string HookTypeOf(const ImportOptions& options, const Node& node) {
  if (options.operators == nullptr) return "";
  bool decorated = false;
  std::string type = options.operators->TypeFor(node.domain, node.op_type, &decorated);
  return decorated || FindImport(node.domain, node.op_type) == nullptr ? type : "";
}

Status ImportByHook(OnnxOp& op, const std::string& type) {
  hooks::Operators& operators = *op.builder().state().options.operators;
  std::vector<hooks::SourceAttr> source;
  for (const Attribute& attr : op.node().attributes) {
    Json json;
    if (!ReadAttr(op, attr, &json)) {
      return op.Unsupported("attribute " + std::string(attr.name) +
                            "; numbers, texts and lists of them are built");
    }
    source.push_back({std::string(attr.name), hooks::JsonText(json)});
  }
  std::vector<Value> inputs;
  std::vector<TensorDesc> descs;
  for (size_t i = 0; i < op.input_count(); ++i) {
    inputs.push_back(op.input(i));
    descs.push_back(op.has_input(i) ? op.desc(i) : TensorDesc());
  }
  AttrMap attrs;
  GE_TRY(operators.MapAttrs(op.node().domain, op.node().op_type, type, op.name(), descs, source,
                            &attrs));
  AttrList list;
  for (const auto& [name, attr] : attrs) list.emplace_back(name, attr);
  const bool recorded = operators.stores().Find(type) != nullptr;
  if (recorded) list.emplace_back(kKernelNameAttr, std::string());
  const OpImpl* impl = FindOpImpl(type);
  const bool has_rule = impl != nullptr && impl->infer != nullptr;
  GE_ASSIGN(const std::vector<Value> outputs,
            op.Emit(type, std::move(inputs), std::move(list), op.output_count()));
  if (recorded && !has_rule) GE_TRY(operators.InferOutputs(*outputs.front().node));
  for (size_t i = 0; i < outputs.size(); ++i) op.SetOutput(i, outputs[i]);
  return Status::Ok();
}

}  // namespace ge::onnx
