#include "frontend/onnx/onnx_op.h"

#include <cstring>
#include <unordered_map>

#include "frontend/onnx/builder.h"
#include "kernels/dispatch.h"
#include "ops/op_impl.h"

namespace ge::onnx {
namespace {

std::unordered_map<std::string, ImportFn>& Registry() {
  static std::unordered_map<std::string, ImportFn> registry;
  return registry;
}

std::string Key(std::string_view domain, std::string_view type) {
  return std::string(domain) + "::" + std::string(type);
}

}  // namespace

ImportRegistrar::ImportRegistrar(std::string_view domain, std::string_view type, ImportFn import) {
  Registry().emplace(Key(domain, type), import);
}

ImportFn FindImport(std::string_view domain, std::string_view type) {
  const auto found = Registry().find(Key(domain, type));
  return found == Registry().end() ? nullptr : found->second;
}

OnnxOp::OnnxOp(GraphBuilder& builder, const Node& node, int64_t opset)
    : builder_(builder), node_(node), opset_(opset) {}

const Attribute* OnnxOp::Find(std::string_view name) const {
  const auto find = [](const std::vector<Attribute>& attributes, std::string_view key) {
    for (const Attribute& attribute : attributes) {
      if (attribute.name == key) return &attribute;
    }
    return static_cast<const Attribute*>(nullptr);
  };
  const Attribute* found = find(node_.attributes, name);
  // Inside a function an attribute may refer to one of the call, which may be a reference again.
  // A branch inside a function belongs to the function's call.
  const Names* scope = &builder_.names();
  while (found != nullptr && !found->ref_name.empty()) {
    while (scope != nullptr && scope->call == nullptr) scope = scope->outer;
    if (scope == nullptr) return nullptr;
    const std::string_view reference = found->ref_name;
    found = find(scope->call->attributes, reference);
    if (found == nullptr) return find(scope->function->defaults, reference);
    scope = scope->caller;
  }
  return found;
}

int64_t OnnxOp::Int(std::string_view name, int64_t fallback) const {
  const Attribute* attribute = Find(name);
  return attribute != nullptr ? attribute->i : fallback;
}

float OnnxOp::Float(std::string_view name, float fallback) const {
  const Attribute* attribute = Find(name);
  return attribute != nullptr ? attribute->f : fallback;
}

std::string OnnxOp::Str(std::string_view name, std::string_view fallback) const {
  const Attribute* attribute = Find(name);
  return std::string(attribute != nullptr ? attribute->s : fallback);
}

std::vector<int64_t> OnnxOp::Ints(std::string_view name, std::vector<int64_t> fallback) const {
  const Attribute* attribute = Find(name);
  return attribute != nullptr ? attribute->ints : fallback;
}

std::vector<float> OnnxOp::Floats(std::string_view name, std::vector<float> fallback) const {
  const Attribute* attribute = Find(name);
  return attribute != nullptr ? attribute->floats : fallback;
}

std::vector<std::string> OnnxOp::Strs(std::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return {};
  return {attribute->strings.begin(), attribute->strings.end()};
}

const Tensor* OnnxOp::TensorAttr(std::string_view name) const {
  const Attribute* attribute = Find(name);
  return attribute != nullptr ? attribute->tensor.get() : nullptr;
}

const Graph* OnnxOp::GraphAttr(std::string_view name) const {
  const Attribute* attribute = Find(name);
  return attribute != nullptr ? attribute->graph.get() : nullptr;
}

std::optional<std::vector<int64_t>> OnnxOp::ConstInts(size_t i) const {
  return has_input(i) ? ge::ConstInts(inputs_[i]) : std::nullopt;
}

std::optional<std::vector<double>> OnnxOp::ConstDoubles(size_t i) const {
  return has_input(i) ? ge::ConstDoubles(inputs_[i]) : std::nullopt;
}

Result<std::vector<Value>> OnnxOp::Emit(std::string_view type, std::vector<Value> inputs,
                                        AttrList attrs, size_t outputs) {
  return builder_.AddNode(type, name_, name_, std::move(inputs), std::move(attrs), outputs);
}

Result<Value> OnnxOp::EmitHelper(std::string_view type, std::vector<Value> inputs, AttrList attrs) {
  GE_ASSIGN(const std::vector<Value> values,
            builder_.AddNode(type, name_ + "/" + std::string(type), name_, std::move(inputs),
                             std::move(attrs), 1));
  return values[0];
}

Status OnnxOp::EmitAs0(std::string_view type, std::vector<Value> inputs, AttrList attrs) {
  GE_ASSIGN(const std::vector<Value> values, Emit(type, std::move(inputs), std::move(attrs)));
  SetOutput(0, values[0]);
  return Status::Ok();
}

namespace {

// A constant beside `op` with `values` converted to `dtype`.
template <typename In>
Value AddConst(GraphBuilder& builder, const std::string& name, std::span<const In> values,
               DataType dtype, Shape shape) {
  std::vector<uint8_t> bytes;
  VisitNumbers(dtype, [&]<typename T>(T) {
    bytes.resize(values.size() * sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
      const T value = static_cast<T>(values[i]);
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  });
  ge::Node* node = builder.graph().AddConst(name + "/Const", {dtype, Format::kND, std::move(shape)},
                                            Buffer::Own(std::move(bytes)));
  node->AddSourceName(name);
  return node->out();
}

}  // namespace

Value OnnxOp::ConstList(std::span<const int64_t> values, DataType dtype) {
  return AddConst(builder_, name_, values, dtype, Shape{static_cast<int64_t>(values.size())});
}

Value OnnxOp::ConstFloats(std::span<const float> values) {
  return AddConst(builder_, name_, values, DataType::kFloat,
                  Shape{static_cast<int64_t>(values.size())});
}

Value OnnxOp::ConstScalar(double value, DataType dtype) {
  return AddConst(builder_, name_, std::span<const double>(&value, 1), dtype, Shape{});
}

Result<Value> OnnxOp::ConstTensor(const Tensor& tensor) {
  GE_ASSIGN(const TensorReader::Constant constant, builder_.state().tensors.Read(tensor));
  ge::Node* node = builder_.graph().AddConst(name_, constant.desc, constant.bytes);
  if (node->name() != name_) node->AddSourceName(name_);
  return node->out();
}

void OnnxOp::SetOutput(size_t i, Value value) {
  if (i < outputs_.size()) outputs_[i] = value;
}

Status OnnxOp::Poison() {
  outputs_.assign(outputs_.size(), kPoison);
  return Status::Ok();
}

Status OnnxOp::Unsupported(std::string what) const {
  return Status(Problem{ErrorId::kE10055, std::move(what), "", ""});
}

Status OnnxOp::Fail(std::string reason) const {
  return Error(ErrorId::kE14001,
               {{"opname", name_}, {"optype", std::string(node_.op_type)}, {"reason", reason}});
}

}  // namespace ge::onnx
