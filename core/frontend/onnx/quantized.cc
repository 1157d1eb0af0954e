#include "frontend/onnx/quantized.h"

#include <algorithm>
#include <numeric>

#include "kernels/heavy.h"
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

void ByteOffsets::AddTo(std::vector<Value>& inputs, AttrList& attrs) const {
  inputs.resize(3);
  inputs.push_back(offset_w);
  inputs.push_back(of_x);
  while (!inputs.back()) inputs.pop_back();
  if (offset_x != 0) attrs.emplace_back("offset_x", offset_x);
}

std::optional<ByteOffsets> OffsetsOf(Value x, Value x_zero, Value w, Value w_zero) {
  if (!IsByte(x.desc().dtype) || !IsByte(w.desc().dtype)) return std::nullopt;
  const auto fits = [](Value factor, Value zero, bool may_be_list) {
    if (!zero) return true;
    const Shape& shape = zero.desc().shape;
    return zero.desc().dtype == factor.desc().dtype && shape.is_static() &&
           (shape.elements() == 1 || (may_be_list && shape.has_rank(1)));
  };
  if (!fits(x, x_zero, false) || !fits(w, w_zero, true)) return std::nullopt;
  ByteOffsets offsets = {.offset_w = w_zero, .of_x = x_zero};
  if (const auto known = ge::ConstInts(x_zero)) {
    offsets.offset_x = known->front();
    offsets.of_x = {};
  }
  const auto known = ge::ConstInts(w_zero);
  if (known && std::all_of(known->begin(), known->end(), [](int64_t z) { return z == 0; })) {
    offsets.offset_w = {};
  }
  return offsets;
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

}  // namespace ge::onnx
