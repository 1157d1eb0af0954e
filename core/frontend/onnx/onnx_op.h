#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "frontend/onnx/model.h"
#include "frontend/onnx/tensor.h"
#include "ir/graph.h"

namespace ge::onnx {

class GraphBuilder;

using AttrList = std::vector<std::pair<std::string_view, Attr>>;

// One ONNX node that is being turned into GE nodes.  Shapes are inferred and constants folded as
// nodes are added, so desc(i) is final and a shape that the source model computes is a constant
// here.
class OnnxOp {
 public:
  OnnxOp(GraphBuilder& builder, const Node& node, int64_t opset);

  const Node& node() const { return node_; }
  // Version of the opset the node belongs to.
  int64_t opset() const { return opset_; }
  const std::string& name() const { return name_; }

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i]; }
  // Null when left out.
  Value input(size_t i) const { return i < inputs_.size() ? inputs_[i] : Value{}; }
  const TensorDesc& desc(size_t i) const { return inputs_[i].desc(); }
  const Shape& shape(size_t i) const { return inputs_[i].desc().shape; }
  // Elements of a constant integer or bool input; nullopt when left out or not constant.
  std::optional<std::vector<int64_t>> ConstInts(size_t i) const;
  std::optional<std::vector<double>> ConstDoubles(size_t i) const;
  size_t output_count() const { return node_.outputs.size(); }
  bool wants_output(size_t i) const { return i < output_count() && !node_.outputs[i].empty(); }

  bool HasAttr(std::string_view name) const { return Find(name) != nullptr; }
  int64_t Int(std::string_view name, int64_t fallback) const;
  float Float(std::string_view name, float fallback) const;
  std::string Str(std::string_view name, std::string_view fallback) const;
  std::vector<int64_t> Ints(std::string_view name, std::vector<int64_t> fallback = {}) const;
  std::vector<float> Floats(std::string_view name, std::vector<float> fallback = {}) const;
  std::vector<std::string> Strs(std::string_view name) const;
  const Tensor* TensorAttr(std::string_view name) const;
  const Graph* GraphAttr(std::string_view name) const;

  // Adds the GE node that carries the name of the ONNX node.  Inputs are in prototype order with
  // null values for optional inputs left out; trailing nulls may be dropped.  Returns its outputs
  // (constants, when it folded).
  Result<std::vector<Value>> Emit(std::string_view type, std::vector<Value> inputs,
                                  AttrList attrs = {}, size_t outputs = 1);
  // The same for a node beside it, named <name>/<type>.
  Result<Value> EmitHelper(std::string_view type, std::vector<Value> inputs, AttrList attrs = {});
  // Emit() with one output, which becomes output 0 of the ONNX node.
  Status EmitAs0(std::string_view type, std::vector<Value> inputs, AttrList attrs = {});

  // New constants.
  Value ConstList(std::span<const int64_t> values, DataType dtype = DataType::kInt64);  // [n]
  Value ConstScalar(double value, DataType dtype);                                      // []
  Value ConstFloats(std::span<const float> values);  // float32 [n]
  Result<Value> ConstTensor(const Tensor& tensor);

  void SetOutput(size_t i, Value value);

  // Marks all outputs as unusable because of a fault that has been reported already.
  Status Poison();
  // The node cannot be compiled by this version: `what` names the attribute or dtype and what
  // would be accepted.  Reported together with all others.
  Status Unsupported(std::string what) const;
  // The node is wrong: E14001.
  Status Fail(std::string reason) const;

  GraphBuilder& builder() { return builder_; }

 private:
  friend class GraphBuilder;
  const Attribute* Find(std::string_view name) const;

  GraphBuilder& builder_;
  const Node& node_;
  int64_t opset_;
  std::string name_;
  std::vector<Value> inputs_;
  std::vector<Value> outputs_;
};

using ImportFn = Status (*)(OnnxOp&);

// Registers how operator `type` of `domain` ("" is ai.onnx) is imported.  The function handles
// every opset version and reads op.opset() where versions differ.
struct ImportRegistrar {
  ImportRegistrar(std::string_view domain, std::string_view type, ImportFn import);
};
#define GE_ONNX_OP(type, import) GE_ONNX_DOMAIN_OP("", type, import)
#define GE_ONNX_DOMAIN_OP(domain, type, import)                                                  \
  static const ::ge::onnx::ImportRegistrar GE_CONCAT(ge_onnx_registrar_, __LINE__)(domain, type, \
                                                                                   import)

// nullptr when the operator is not built.
ImportFn FindImport(std::string_view domain, std::string_view type);

}  // namespace ge::onnx
