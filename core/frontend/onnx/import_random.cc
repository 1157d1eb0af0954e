// RandomUniform, RandomUniformLike -> RandomUniform, scaled.  RandomNormal, RandomNormalLike ->
// RandomStandardNormal, scaled.  Bernoulli -> RandomUniform, Less.  Multinomial -> Multinomial.
//
// Without attribute seed every run of a node draws other numbers; with it all runs draw the same.
#include <bit>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/filled_like.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

// ONNX's seed is any float, 0 included, which GE reads as none.
AttrList SeedOf(const OnnxOp& op) {
  if (!op.HasAttr("seed")) return {};
  const auto bits = std::bit_cast<uint32_t>(op.Float("seed", 0));
  return {{"seed", static_cast<int64_t>(bits)}, {"seed2", int64_t{1}}};
}

// Attribute dtype, or `fallback`.
Result<DataType> DtypeOf(const OnnxOp& op, DataType fallback) {
  const int64_t number = op.Int("dtype", 0);
  if (!op.HasAttr("dtype")) return fallback;
  const DataType dtype =
      number > 0 && number < 256 ? DataTypeOf(static_cast<int32_t>(number)) : DataType::kUndefined;
  if (HasConstants(dtype)) return dtype;
  return op.Unsupported("dtype " + std::to_string(number) + "; the usual numbers are built");
}

Result<DataType> FloatTypeOf(const OnnxOp& op, DataType fallback) {
  GE_ASSIGN(const DataType dtype, DtypeOf(op, fallback));
  if (IsFloat(dtype) && RowOf(dtype).bits >= 16) return dtype;
  return op.Fail("numbers of " + std::string(UserName(dtype)) +
                 " cannot be drawn; float16, bfloat16, float32 and float64 are accepted");
}

Value Draw(Formula& f, std::string_view type, Value dims, DataType dtype) {
  AttrList attrs = SeedOf(f.op());
  attrs.emplace_back("dtype", dtype);
  return f(type, {dims}, std::move(attrs));
}

// offset + factor * numbers.
Status Scaled(OnnxOp& op, std::string_view type, Value dims, DataType dtype, double offset,
              double factor) {
  Formula f(op);
  Value y = Draw(f, type, dims, dtype);
  if (factor != 1) y = f("Mul", {y, f.Scalar(factor, dtype)});
  if (offset != 0) y = f("Add", {y, f.Scalar(offset, dtype)});
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}

Status Uniform(OnnxOp& op, Value dims, DataType dtype) {
  const double low = op.Float("low", 0), high = op.Float("high", 1);
  return Scaled(op, "RandomUniform", dims, dtype, low, high - low);
}

Status Normal(OnnxOp& op, Value dims, DataType dtype) {
  return Scaled(op, "RandomStandardNormal", dims, dtype, op.Float("mean", 0), op.Float("scale", 1));
}

using DrawFn = Status (*)(OnnxOp&, Value, DataType);

Status OfShape(OnnxOp& op, DrawFn draw) {
  if (!op.HasAttr("shape")) return op.Fail("attribute shape is missing");
  GE_ASSIGN(const DataType dtype, FloatTypeOf(op, DataType::kFloat));
  return draw(op, op.ConstList(op.Ints("shape")), dtype);
}

Status Like(OnnxOp& op, DrawFn draw) {
  GE_TRY(AcceptInputs(op, 1));
  GE_ASSIGN(const DataType dtype, FloatTypeOf(op, op.desc(0).dtype));
  Formula f(op);
  const Value dims = f.Dims(op.input(0));
  GE_TRY(f.status());
  return draw(op, dims, dtype);
}

Status ImportRandomUniform(OnnxOp& op) {
  return OfShape(op, Uniform);
}
Status ImportRandomUniformLike(OnnxOp& op) {
  return Like(op, Uniform);
}
Status ImportRandomNormal(OnnxOp& op) {
  return OfShape(op, Normal);
}
Status ImportRandomNormalLike(OnnxOp& op) {
  return Like(op, Normal);
}

// 1 where a number in [0, 1) lies below the probability.
Status ImportBernoulli(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  const DataType from = op.desc(0).dtype;
  GE_ASSIGN(const DataType dtype, DtypeOf(op, from));
  const DataType wide = from == DataType::kDouble ? from : DataType::kFloat;
  Formula f(op);
  const Value numbers = Draw(f, "RandomUniform", f.Dims(op.input(0)), wide);
  const Value y = f.Cast(f("Less", {numbers, f.Cast(op.input(0), wide)}), dtype);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}

Status ImportMultinomial(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  GE_ASSIGN(const DataType dtype, DtypeOf(op, DataType::kInt32));
  if (dtype != DataType::kInt32 && dtype != DataType::kInt64) {
    return op.Fail("classes as " + std::string(UserName(dtype)) + "; int32 and int64 are accepted");
  }
  const int64_t draws = op.Int("sample_size", 1);
  if (draws < 0 || draws > INT32_MAX) {
    return op.Fail("sample_size is " + std::to_string(draws));
  }
  Formula f(op);
  const bool narrow = op.desc(0).dtype == DataType::kBf16;
  const Value logits = narrow ? f.Cast(op.input(0), DataType::kFloat) : op.input(0);
  GE_TRY(f.status());
  AttrList attrs = SeedOf(op);
  attrs.emplace_back("dtype", dtype);
  const Value count = op.ConstScalar(static_cast<double>(draws), DataType::kInt32);
  return op.EmitAs0("Multinomial", {logits, count}, std::move(attrs));
}

GE_ONNX_OP("RandomUniform", ImportRandomUniform);
GE_ONNX_OP("RandomUniformLike", ImportRandomUniformLike);
GE_ONNX_OP("RandomNormal", ImportRandomNormal);
GE_ONNX_OP("RandomNormalLike", ImportRandomNormalLike);
GE_ONNX_OP("Bernoulli", ImportBernoulli);
GE_ONNX_OP("Multinomial", ImportMultinomial);

}  // namespace
}  // namespace ge::onnx
