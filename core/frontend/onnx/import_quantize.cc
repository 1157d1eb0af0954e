// QuantizeLinear -> Quantize.  DequantizeLinear -> (Cast(x) - Cast(zero point)) * scale in float32,
// and a Cast to the result.  DynamicQuantizeLinear -> DynamicQuantV2.
//
// A scale per axis gets dims of 1 behind it; for blocks x is reshaped so that a block is an axis of
// its own.  The weights themselves stay as they are.
#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"
#include "frontend/onnx/quantized.h"
#include "ops/infer_rules.h"

namespace ge::onnx {
namespace {

// The dtype that attribute output_dtype names; kUndefined when there is none.
Result<DataType> OutputDtype(const OnnxOp& op) {
  const int64_t number = op.Int("output_dtype", 0);
  if (number == 0) return DataType::kUndefined;
  const DataType dtype = DataTypeOf(static_cast<int32_t>(number));
  if (dtype != DataType::kUndefined) return dtype;
  return op.Unsupported("output_dtype " + std::to_string(number));
}

bool IsPerTensor(const Shape& scale) {
  return !scale.unknown_rank() && scale.elements() == 1;
}

Status ImportQuantizeLinear(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats, 1));
  const int64_t precision = op.Int("precision", 0);
  if (precision != 0 && DataTypeOf(static_cast<int32_t>(precision)) != DataType::kFloat) {
    return op.Unsupported("precision " + std::to_string(precision) + "; 1, float32, is built");
  }
  GE_ASSIGN(DataType dtype, OutputDtype(op));
  if (op.has_input(2)) {
    if (dtype != DataType::kUndefined && dtype != op.desc(2).dtype) {
      return op.Fail("output_dtype is " + std::string(UserName(dtype)) + " and the zero point " +
                     std::string(UserName(op.desc(2).dtype)) + "; equal dtypes are accepted");
    }
    dtype = op.desc(2).dtype;
  } else if (dtype == DataType::kUndefined) {
    dtype = DataType::kUint8;
  }
  GE_ASSIGN(const std::string name, QuantizedName(op, dtype));
  AttrList attrs = {{"dtype", name}, {"axis", op.Int("axis", 1)}};
  if (op.Int("block_size", 0) != 0) attrs.emplace_back("block_size", op.Int("block_size", 0));
  if (op.Int("saturate", 1) == 0) attrs.emplace_back("saturate", false);
  return op.EmitAs0("Quantize", {op.input(0), op.input(1), op.input(2)}, std::move(attrs));
}

// How x, scale and zero point meet.
struct Operands {
  Value x;
  Value scale;
  Value zero_point;
};

Result<Operands> PerAxis(OnnxOp& op) {
  const Shape& x = op.shape(0);
  Operands result = {op.input(0), op.input(1), op.input(2)};
  if (IsPerTensor(op.shape(1)) && !x.has_rank(0)) return result;
  if (x.unknown_rank()) return op.Unsupported("a scale per axis with an input of unknown rank");
  if (x.rank() == 0) {
    for (Value* list : {&result.scale, &result.zero_point}) {
      if (!*list || list->desc().shape.has_rank(0)) continue;
      GE_ASSIGN(*list, op.EmitHelper("Squeeze", {*list}, {{"axis", std::vector<int64_t>{0}}}));
    }
    return result;
  }
  GE_ASSIGN(const int64_t axis, AcceptAxis(op, op.Int("axis", 1)));
  const Shape& scale = op.shape(1);
  const int64_t dim = x[static_cast<size_t>(axis)];
  const bool fits =
      scale.unknown_rank() ||
      (scale.rank() == 1 && (scale[0] == dim || scale[0] == kUnknownDim || dim == kUnknownDim));
  if (!fits) {
    return op.Fail("the scale has shape " + scale.ToString() + " for axis " + std::to_string(axis) +
                   " of " + x.ToString());
  }
  const size_t behind = x.rank() - static_cast<size_t>(axis) - 1;
  GE_ASSIGN(result.scale, AsColumn(op, result.scale, behind));
  GE_ASSIGN(result.zero_point, AsColumn(op, result.zero_point, behind));
  return result;
}

// Scales repeated along `axis` for each element of x, where x cannot be cut into blocks.
Result<Operands> Repeated(OnnxOp& op, int64_t axis, int64_t block) {
  Formula f(op);
  const Value block_of = f("FloorDiv", {f.Iota(f.Dim(op.input(0), axis)), f.Ints({block})});
  Operands result = {op.input(0), f.Gather(op.input(1), block_of, axis), {}};
  if (op.has_input(2)) {
    result.zero_point = f.Gather(f.Cast(op.input(2), DataType::kFloat), block_of, axis);
  }
  GE_TRY(f.status());
  return result;
}

Result<Operands> Blocked(OnnxOp& op, int64_t block) {
  const Shape& x = op.shape(0);
  if (block < 1) return op.Fail("block_size is " + std::to_string(block));
  if (x.unknown_rank()) return op.Unsupported("block_size with an input of unknown rank");
  GE_ASSIGN(const int64_t axis, AcceptAxis(op, op.Int("axis", 1)));
  const size_t at = static_cast<size_t>(axis);
  Shape expected = x;
  if (x[at] != kUnknownDim) expected[at] = x[at] / block + (x[at] % block != 0 ? 1 : 0);
  for (size_t i = 1; i < 3; ++i) {
    if (!op.has_input(i) || MergeShapes(op.shape(i), expected)) continue;
    return op.Fail("input " + std::to_string(i) + " has shape " + op.shape(i).ToString() + "; " +
                   expected.ToString() + " is accepted");
  }
  if (!x.is_static() || x[at] % block != 0) return Repeated(op, axis, block);
  std::vector<int64_t> blocks = expected.ToVector();
  blocks.insert(blocks.begin() + axis + 1, block);
  Operands result;
  GE_ASSIGN(result.x, op.EmitHelper("Reshape", {op.input(0), op.ConstList(blocks)}));
  for (size_t i = 1; i < 3; ++i) {
    if (!op.has_input(i)) continue;
    GE_ASSIGN(
        (i == 1 ? result.scale : result.zero_point),
        op.EmitHelper("Unsqueeze", {op.input(i)}, {{"axes", std::vector<int64_t>{axis + 1}}}));
  }
  return result;
}

Status ImportDequantizeLinear(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  if (!IsFloat(op.desc(1).dtype)) {
    return op.Fail("the scale is " + std::string(UserName(op.desc(1).dtype)) +
                   "; floating-point types are accepted");
  }
  if (op.has_input(2) && op.desc(2).dtype != op.desc(0).dtype) {
    return op.Fail("the input is " + std::string(UserName(op.desc(0).dtype)) +
                   " and the zero point " + std::string(UserName(op.desc(2).dtype)) +
                   "; equal dtypes are accepted");
  }
  GE_ASSIGN(DataType dtype, OutputDtype(op));
  if (dtype == DataType::kUndefined) dtype = op.desc(1).dtype;
  const int64_t block = op.Int("block_size", 0);
  GE_ASSIGN(const Operands operands, block != 0 ? Blocked(op, block) : PerAxis(op));
  GE_ASSIGN(Value y, Centered(op, operands.x, operands.zero_point, DataType::kFloat));
  GE_ASSIGN(const Value scale, CastTo(op, operands.scale, DataType::kFloat));
  GE_ASSIGN(const std::vector<Value> product, op.Emit("Mul", {y, scale}));
  GE_ASSIGN(y, CastTo(op, product[0], dtype));
  if (operands.x != op.input(0)) {
    GE_ASSIGN(y, op.EmitHelper("Reshape", {y, op.ConstList(op.shape(0).dims())}));
  }
  op.SetOutput(0, y);
  return Status::Ok();
}

Status ImportDynamicQuantizeLinear(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  if (op.desc(0).dtype != DataType::kFloat) {
    return op.Fail("the input is " + std::string(UserName(op.desc(0).dtype)) +
                   "; float32 is accepted");
  }
  GE_ASSIGN(const std::vector<Value> outputs,
            op.Emit("DynamicQuantV2", {op.input(0)},
                    {{"dst_type", static_cast<int64_t>(DataType::kUint8)},
                     {"quant_mode", std::string("pertensor")}},
                    3));
  for (size_t i = 0; i < outputs.size(); ++i) op.SetOutput(i, outputs[i]);
  return Status::Ok();
}

GE_ONNX_OP("QuantizeLinear", ImportQuantizeLinear);
GE_ONNX_OP("DequantizeLinear", ImportDequantizeLinear);
GE_ONNX_OP("DynamicQuantizeLinear", ImportDynamicQuantizeLinear);

}  // namespace
}  // namespace ge::onnx
