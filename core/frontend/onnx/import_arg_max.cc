// ArgMax, ArgMin: ArgMaxV2, ArgMin with int64 results; keepdims adds Unsqueeze.  CumProd.
#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

Status ImportArg(OnnxOp& op, std::string_view type) {
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kNumbers));
  if (!op.has_input(0)) return op.Fail("input data is missing");
  GE_ASSIGN(const int64_t axis, AcceptAxis(op, op.Int("axis", 0)));
  const Value dimension = op.ConstScalar(static_cast<double>(axis), DataType::kInt32);
  std::vector<Value> inputs = {op.input(0), dimension};
  AttrList attrs = {{"dtype", DataType::kInt64}};
  if (op.opset() >= 12 && op.Int("select_last_index", 0) != 0) {
    attrs.emplace_back("select_last_index", true);
  }
  if (op.Int("keepdims", 1) == 0) return op.EmitAs0(type, std::move(inputs), std::move(attrs));
  GE_ASSIGN(const Value index, op.EmitHelper(type, std::move(inputs), std::move(attrs)));
  return op.EmitAs0("Unsqueeze", {index}, {{"axes", std::vector<int64_t>{axis}}});
}

Status ImportArgMax(OnnxOp& op) {
  return ImportArg(op, "ArgMaxV2");
}
GE_ONNX_OP("ArgMax", ImportArgMax);

Status ImportArgMin(OnnxOp& op) {
  return ImportArg(op, "ArgMin");
}
GE_ONNX_OP("ArgMin", ImportArgMin);

Status ImportCumProd(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kNumbers, 0));
  return op.EmitAs0(
      "Cumprod", {op.input(0), op.input(1)},
      {{"exclusive", op.Int("exclusive", 0) != 0}, {"reverse", op.Int("reverse", 0) != 0}});
}
GE_ONNX_OP("CumProd", ImportCumProd);

}  // namespace
}  // namespace ge::onnx
