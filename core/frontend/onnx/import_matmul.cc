// MatMul -> BatchMatMulV2, Gemm -> MatMulV2 with Mul and Add for alpha, beta and C, Einsum ->
// Einsum.  MatMulInteger and QLinearMatMul are products of int32, the latter with Quantize behind
// it.
//
// A 1-D operand of MatMul gets an axis of length 1 that the result loses again.
#include <cmath>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/legacy_broadcast.h"
#include "frontend/onnx/quantized.h"

namespace ge::onnx {
namespace {

// The product of a and b, which carries the name of the node.
Result<Value> EmitMatMul(OnnxOp& op, Value a, Value b, const ByteOffsets& offsets = {}) {
  for (const Value& operand : {a, b}) {
    if (operand.desc().shape.has_rank(0)) {
      return op.Fail("a scalar operand; 1 or more dims are accepted");
    }
  }
  std::vector<int64_t> added;  // axes of the result that stand for the missing ones
  if (a.desc().shape.has_rank(1)) {
    GE_ASSIGN(a, op.EmitHelper("Unsqueeze", {a}, {{"axes", std::vector<int64_t>{0}}}));
    added.push_back(-2);
  }
  if (b.desc().shape.has_rank(1)) {
    GE_ASSIGN(b, op.EmitHelper("Unsqueeze", {b}, {{"axes", std::vector<int64_t>{1}}}));
    added.push_back(-1);
  }
  std::vector<Value> inputs = {a, b};
  AttrList attrs = {{"adj_x1", false}, {"adj_x2", false}};
  offsets.AddTo(inputs, attrs);
  GE_ASSIGN(const std::vector<Value> y,
            op.Emit("BatchMatMulV2", std::move(inputs), std::move(attrs)));
  if (added.empty()) return y[0];
  return op.EmitHelper("Squeeze", {y[0]}, {{"axis", added}});
}

Status ImportMatMul(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kNumbers));
  GE_ASSIGN(const Value y, EmitMatMul(op, op.input(0), op.input(1)));
  op.SetOutput(0, y);
  return Status::Ok();
}

// `x` times the attribute `factor`.
Result<Value> Scaled(OnnxOp& op, Value x, float factor) {
  if (factor == 1.0f) return x;
  const DataType dtype = x.desc().dtype;
  if (!IsFloat(dtype) && factor != std::trunc(factor)) {
    return op.Unsupported("alpha or beta that is not whole, with " + std::string(UserName(dtype)));
  }
  return op.EmitHelper("Mul", {x, op.ConstScalar(factor, dtype)});
}

Status ImportGemm(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kNumbers));
  GE_ASSIGN(const std::vector<Value> product,
            op.Emit("MatMulV2", {op.input(0), op.input(1)},
                    {{"transpose_x1", op.Int("transA", 0) != 0},
                     {"transpose_x2", op.Int("transB", 0) != 0}}));
  GE_ASSIGN(Value y, Scaled(op, product[0], op.Float("alpha", 1.0f)));
  const float beta = op.Float("beta", 1.0f);
  if (op.has_input(2) && beta != 0.0f) {
    const Shape shape = y.desc().shape;
    if (op.opset() < 7 && op.Int("broadcast", 0) == 0) {
      GE_TRY(AcceptWithoutBroadcast(op, 2, shape));
    }
    GE_ASSIGN(const Value c, Scaled(op, op.input(2), beta));
    GE_ASSIGN(y, op.EmitHelper("Add", {y, c}));
    const Shape& sum = y.desc().shape;
    bool fits = sum.unknown_rank() || sum.rank() == shape.rank();
    for (size_t axis = 0; fits && !sum.unknown_rank() && axis < shape.rank(); ++axis) {
      fits = shape[axis] == kUnknownDim || sum[axis] == kUnknownDim || sum[axis] == shape[axis];
    }
    if (!fits) {
      return op.Fail("C of shape " + op.shape(2).ToString() + " does not broadcast to " +
                     shape.ToString());
    }
  }
  op.SetOutput(0, y);
  return Status::Ok();
}

Status ImportEinsum(OnnxOp& op) {
  GE_TRY(RequireInputs(op, op.input_count()));
  GE_TRY(AcceptDtypes(op, kNumbers));
  std::vector<Value> inputs;
  for (size_t i = 0; i < op.input_count(); ++i) inputs.push_back(op.input(i));
  const int64_t count = static_cast<int64_t>(inputs.size());
  return op.EmitAs0("Einsum", std::move(inputs),
                    {{"equation", op.Str("equation", "")}, {"N", count}});
}

// The product of a and b less their zero points; a list of those of a has one per row.
Result<Value> EmitByteMatMul(OnnxOp& op, Value a_zero, Value b, Value b_zero) {
  if (const std::optional<ByteOffsets> offsets = OffsetsOf(op.input(0), a_zero, b, b_zero)) {
    return EmitMatMul(op, op.input(0), b, *offsets);
  }
  GE_ASSIGN(const Value per_row, AsColumn(op, a_zero, 1));
  GE_ASSIGN(const Value wide_a, Centered(op, op.input(0), per_row, DataType::kInt32));
  GE_ASSIGN(const Value wide_b, Centered(op, b, b_zero, DataType::kInt32));
  return EmitMatMul(op, wide_a, wide_b);
}

Status ImportMatMulInteger(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 4));
  GE_TRY(AcceptDtypes(op, kIntegers));
  GE_ASSIGN(const Value y, EmitByteMatMul(op, op.input(2), op.input(1), op.input(3)));
  op.SetOutput(0, y);
  return Status::Ok();
}

// Inputs: a, its scale and zero point, b, its scale and zero point, scale and zero point of y.
Status ImportQLinearMatMul(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 8));
  GE_TRY(AcceptInputs(op, 8));
  GE_ASSIGN(const Value scale, AsColumn(op, op.input(1), 1));
  GE_ASSIGN(const Value y, EmitByteMatMul(op, op.input(2), op.input(3), op.input(5)));
  GE_ASSIGN(Value factor, op.EmitHelper("Mul", {scale, op.input(4)}));
  GE_ASSIGN(factor, op.EmitHelper("Div", {factor, op.input(6)}));
  return EmitRequantize(op, y, factor, op.input(7), op.desc(7).dtype);
}

GE_ONNX_OP("MatMul", ImportMatMul);
GE_ONNX_OP("MatMulInteger", ImportMatMulInteger);
GE_ONNX_OP("QLinearMatMul", ImportQLinearMatMul);
GE_ONNX_OP("Gemm", ImportGemm);
GE_ONNX_OP("Einsum", ImportEinsum);

}  // namespace
}  // namespace ge::onnx
