#include "frontend/onnx/quantized.h"

#include <algorithm>
#include <numeric>

#include "ops/op_impl.h"

namespace ge::onnx {

Result<Value> CastTo(OnnxOp& op, Value x, DataType dtype) {
  if (x.desc().dtype == dtype) return x;
  return op.EmitHelper("Cast", {x}, {{"dst_type", static_cast<int64_t>(dtype)}});
}

Result<Value> Centered(OnnxOp& op, Value x, Value zero_point, DataType wide) {
  GE_ASSIGN(const Value value, CastTo(op, x, wide));
  if (!zero_point) return value;
  const std::optional<std::vector<int64_t>> known = ge::ConstInts(zero_point);
  if (known && std::all_of(known->begin(), known->end(), [](int64_t z) { return z == 0; })) {
    return value;
  }
  GE_ASSIGN(const Value zero, CastTo(op, zero_point, wide));
  return op.EmitHelper("Sub", {value, zero});
}

Result<Value> AsColumn(OnnxOp& op, Value list, size_t ones) {
  if (!list || ones == 0 || !list.desc().shape.has_rank(1) || list.desc().shape[0] == 1) {
    return list;
  }
  std::vector<int64_t> axes(ones);
  std::iota(axes.begin(), axes.end(), int64_t{1});
  return op.EmitHelper("Unsqueeze", {list}, {{"axes", std::move(axes)}});
}

Result<std::string> QuantizedName(const OnnxOp& op, DataType dtype) {
  switch (dtype) {
    case DataType::kUint8:
      return std::string("torch.quint8");
    case DataType::kInt8:
      return std::string("torch.qint8");
    case DataType::kUint16:
    case DataType::kInt16:
    case DataType::kInt4:
    case DataType::kInt2:
    case DataType::kUint2:
    case DataType::kFloat4E2m1:
    case DataType::kFloat8E4m3fn:
    case DataType::kFloat8E5m2:
      return std::string(UserName(dtype));
    default:
      return op.Unsupported("a result of " + std::string(UserName(dtype)) +
                            "; int2 to int16, uint2, uint8, uint16, float4_e2m1, float8_e4m3fn "
                            "and float8_e5m2 are built");
  }
}

Status EmitRequantize(OnnxOp& op, Value accumulator, Value factor, Value zero_point,
                      DataType dtype) {
  GE_ASSIGN(Value value, CastTo(op, accumulator, DataType::kFloat));
  GE_ASSIGN(factor, CastTo(op, factor, DataType::kFloat));
  GE_ASSIGN(value, op.EmitHelper("Mul", {value, factor}));
  GE_ASSIGN(const std::string name, QuantizedName(op, dtype));
  GE_ASSIGN(value,
            op.EmitHelper("Quantize", {value, op.ConstScalar(1, DataType::kFloat), zero_point},
                          {{"dtype", name}, {"axis", int64_t{1}}}));
  op.SetOutput(0, value);
  return Status::Ok();
}

// scale = (max - min) / 255 over x and 0, or 1 when x is all 0; zero point = round(-min / scale).
Result<DynamicLevels> EmitDynamicLevels(OnnxOp& op, Value x) {
  const Value zero = op.ConstScalar(0, DataType::kFloat);
  const Value most = op.ConstScalar(255, DataType::kFloat);
  const auto bound = [&](std::string_view reduce, std::string_view with_zero) -> Result<Value> {
    const AttrList all = {{"keep_dims", false}, {"noop_with_empty_axes", false}};
    GE_ASSIGN(const Value extreme, op.EmitHelper(reduce, {x, op.ConstList({})}, all));
    return op.EmitHelper(with_zero, {extreme, zero});
  };
  GE_ASSIGN(const Value high, bound("ReduceMax", "Maximum"));
  GE_ASSIGN(const Value low, bound("ReduceMin", "Minimum"));
  GE_ASSIGN(const Value range, op.EmitHelper("Sub", {high, low}));
  GE_ASSIGN(const Value step, op.EmitHelper("Div", {range, most}));
  GE_ASSIGN(const Value flat, op.EmitHelper("Equal", {range, zero}));
  GE_ASSIGN(const Value scale,
            op.EmitHelper("SelectV2", {flat, op.ConstScalar(1, DataType::kFloat), step}));
  GE_ASSIGN(Value point, op.EmitHelper("Div", {low, scale}));
  GE_ASSIGN(point, op.EmitHelper("Sub", {zero, point}));
  GE_ASSIGN(point, op.EmitHelper("Minimum", {point, most}));
  GE_ASSIGN(point, op.EmitHelper("Maximum", {point, zero}));
  GE_ASSIGN(point, op.EmitHelper("Round", {point}));
  GE_ASSIGN(point, CastTo(op, point, DataType::kUint8));
  return DynamicLevels{scale, point};
}

}  // namespace ge::onnx
