// Max, Min, Sum, Mean: any number of operands, which broadcast from opset 8 on.
//
//   Max, Min   a chain of Maximum, Minimum
//   Sum        AccumulateNV2 if all shapes are known and equal, else a chain of Add
//   Mean       the sum divided by the number of operands
//
// A single operand is the result itself.
#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

Status AcceptOperands(const OnnxOp& op, unsigned kinds) {
  if (op.input_count() == 0) return op.Fail("there are no operands; at least one is needed");
  for (size_t i = 0; i < op.input_count(); ++i) {
    if (!op.has_input(i)) return op.Fail("operand " + std::to_string(i) + " is missing");
  }
  return AcceptDtypes(op, kinds);
}

// f(f(x0, x1), x2), ...; the last node carries the name of the ONNX node unless `helper` is set.
Result<Value> Chain(OnnxOp& op, std::string_view type, bool helper) {
  Value value = op.input(0);
  for (size_t i = 1; i < op.input_count(); ++i) {
    if (helper || i + 1 < op.input_count()) {
      GE_ASSIGN(value, op.EmitHelper(type, {value, op.input(i)}));
    } else {
      GE_ASSIGN(const std::vector<Value> values, op.Emit(type, {value, op.input(i)}));
      value = values[0];
    }
  }
  return value;
}

Result<Value> SumOf(OnnxOp& op, bool helper) {
  const TensorDesc& first = op.desc(0);
  bool alike = first.shape.is_static() && op.input_count() > 2;
  std::vector<Value> operands;
  for (size_t i = 0; i < op.input_count(); ++i) {
    operands.push_back(op.input(i));
    alike = alike && op.shape(i) == first.shape;
  }
  if (!alike) return Chain(op, "Add", helper);
  AttrList attrs = {{"N", static_cast<int64_t>(operands.size())}};
  if (helper) return op.EmitHelper("AccumulateNV2", std::move(operands), std::move(attrs));
  GE_ASSIGN(const std::vector<Value> values,
            op.Emit("AccumulateNV2", std::move(operands), std::move(attrs)));
  return values[0];
}

Status ImportMax(OnnxOp& op) {
  GE_TRY(AcceptOperands(op, kNumbers));
  GE_ASSIGN(const Value value, Chain(op, "Maximum", false));
  op.SetOutput(0, value);
  return Status::Ok();
}
GE_ONNX_OP("Max", ImportMax);

Status ImportMin(OnnxOp& op) {
  GE_TRY(AcceptOperands(op, kNumbers));
  GE_ASSIGN(const Value value, Chain(op, "Minimum", false));
  op.SetOutput(0, value);
  return Status::Ok();
}
GE_ONNX_OP("Min", ImportMin);

Status ImportSum(OnnxOp& op) {
  GE_TRY(AcceptOperands(op, kFloats));
  GE_ASSIGN(const Value value, SumOf(op, false));
  op.SetOutput(0, value);
  return Status::Ok();
}
GE_ONNX_OP("Sum", ImportSum);

Status ImportMean(OnnxOp& op) {
  GE_TRY(AcceptOperands(op, kFloats));
  GE_ASSIGN(const Value sum, SumOf(op, true));
  if (op.input_count() == 1) {
    op.SetOutput(0, sum);
    return Status::Ok();
  }
  const Value count = op.ConstScalar(static_cast<double>(op.input_count()), op.desc(0).dtype);
  return op.EmitAs0("RealDiv", {sum, count});
}
GE_ONNX_OP("Mean", ImportMean);

}  // namespace
}  // namespace ge::onnx
