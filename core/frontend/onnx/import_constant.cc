// Constant -> Const.  ConstantOfShape -> Fill.
//
// Constant takes its value from one of value, value_int, value_ints, value_float and
// value_floats; sparse_value and strings are not built.
#include <cstring>

#include "frontend/onnx/builder.h"
#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

constexpr int32_t kStringTensor = 8;  // TensorProto.DataType

Value FloatList(OnnxOp& op, const std::vector<float>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  const TensorDesc desc = {DataType::kFloat, Format::kND,
                           Shape{static_cast<int64_t>(values.size())}};
  return op.builder().graph().AddConst(op.name(), desc, Buffer::Own(std::move(bytes)))->out();
}

Status ImportConstant(OnnxOp& op) {
  if (const Tensor* tensor = op.TensorAttr("value")) {
    if (tensor->data_type == kStringTensor) return op.Unsupported("a value of strings");
    GE_ASSIGN(const Value value, op.ConstTensor(*tensor));
    op.SetOutput(0, value);
  } else if (op.HasAttr("value_int")) {
    const int64_t number = op.Int("value_int", 0);
    const Value value = op.ConstList({&number, 1});
    value.node->output(0).shape = Shape{};
    op.SetOutput(0, value);
  } else if (op.HasAttr("value_ints")) {
    op.SetOutput(0, op.ConstList(op.Ints("value_ints")));
  } else if (op.HasAttr("value_float")) {
    op.SetOutput(0, op.ConstScalar(op.Float("value_float", 0), DataType::kFloat));
  } else if (op.HasAttr("value_floats")) {
    op.SetOutput(0, FloatList(op, op.Floats("value_floats")));
  } else {
    for (const char* name : {"sparse_value", "value_string", "value_strings"}) {
      if (op.HasAttr(name)) return op.Unsupported(std::string("attribute ") + name);
    }
    return op.Fail("it has no attribute with a value");
  }
  return Status::Ok();
}

Status ImportConstantOfShape(OnnxOp& op) {
  const Tensor* tensor = op.TensorAttr("value");
  if (tensor == nullptr) {
    return op.EmitAs0("Fill", {op.input(0), op.ConstScalar(0, DataType::kFloat)});
  }
  if (tensor->data_type == kStringTensor) return op.Unsupported("a value of strings");
  GE_ASSIGN(TensorReader::Constant value, op.builder().state().tensors.Read(*tensor));
  if (value.desc.shape.elements() != 1) {
    return op.Fail("attribute value has shape " + value.desc.shape.ToString() +
                   "; one element is accepted");
  }
  value.desc.shape = Shape{};
  ge::Node* node = op.builder().graph().AddConst(op.name() + "/value", value.desc, value.bytes);
  node->AddSourceName(op.name());
  return op.EmitAs0("Fill", {op.input(0), node->out()});
}

GE_ONNX_OP("Constant", ImportConstant);
GE_ONNX_OP("ConstantOfShape", ImportConstantOfShape);

}  // namespace
}  // namespace ge::onnx
