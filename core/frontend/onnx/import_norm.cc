// BatchNormalization -> BNInfer, or its formula for statistics per element (spatial = 0, before
// opset 9), InstanceNormalization -> InstanceNorm, GroupNormalization ->
// GroupNorm, LRN -> LRN, LpNormalization -> x / LpNormV2(x).
#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"
#include "ops/infer_rules.h"

namespace ge::onnx {
namespace {

// Every element of a sample has a mean, a variance, a scale and a bias of its own.
Status NormalizeElements(OnnxOp& op) {
  const Shape& x = op.shape(0);
  if (x.unknown_rank()) return op.Unsupported("spatial 0 with an input of unknown rank");
  if (x.rank() == 0) return op.Fail("the input is a scalar");
  const Shape sample(x.dims().subspan(1));
  for (size_t i = 1; i < 5; ++i) {
    if (MergeShapes(op.shape(i), sample)) continue;
    return op.Fail("input " + std::to_string(i) + " has shape " + op.shape(i).ToString() + "; " +
                   sample.ToString() + " is accepted with spatial 0");
  }
  const DataType dtype = op.desc(0).dtype;
  const DataType wide = dtype == DataType::kDouble ? dtype : DataType::kFloat;
  Formula f(op);
  const auto input = [&](size_t i) { return f.Cast(op.input(i), wide); };
  const Value epsilon = f.Scalar(op.Float("epsilon", 1e-5f), wide);
  const Value deviation = f("Sqrt", {f("Add", {input(4), epsilon})});
  const Value centered = f("Sub", {input(0), input(3)});
  const Value scaled = f("Mul", {f("RealDiv", {centered, deviation}), input(1)});
  const Value y = f.Cast(f("Add", {scaled, input(2)}), dtype);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}

Status ImportBatchNormalization(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 5));
  GE_TRY(AcceptInputs(op, 5));
  GE_TRY(AcceptDtypes(op, kFloats));
  if (op.Int("training_mode", 0) != 0) {
    return op.Unsupported("training_mode 1; 0, the inference form, is built");
  }
  if (op.opset() < 7 && op.Int("is_test", 0) == 0) {
    return op.Unsupported("is_test 0, training; 1, the inference form, is built");
  }
  for (size_t i = 1; i < op.output_count(); ++i) {
    if (op.wants_output(i)) {
      return op.Unsupported("output " + std::to_string(i) + " of training; output 0 is built");
    }
  }
  if (op.opset() < 9 && op.Int("spatial", 1) == 0) return NormalizeElements(op);
  return op.EmitAs0("BNInfer", {op.input(0), op.input(1), op.input(2), op.input(3), op.input(4)},
                    {{"epsilon", op.Float("epsilon", 1e-5f)}});
}

Status ImportInstanceNormalization(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats));
  const bool is_3d = op.shape(0).has_rank(5);
  GE_ASSIGN(const std::vector<Value> outputs,
            op.Emit("InstanceNorm", {op.input(0), op.input(1), op.input(2)},
                    {{"data_format", std::string(is_3d ? "NCDHW" : "NCHW")},
                     {"epsilon", op.Float("epsilon", 1e-5f)}},
                    3));
  op.SetOutput(0, outputs[0]);
  return Status::Ok();
}

// Before opset 21 scale and bias have one value per group: repeats each for the channels of the
// group, of which there are channels / groups.
Result<Value> PerChannel(OnnxOp& op, Value per_group, int64_t channels, int64_t groups) {
  const std::vector<int64_t> column = {groups, 1}, table = {groups, channels / groups},
                             flat = {channels};
  GE_ASSIGN(Value value, op.EmitHelper("Reshape", {per_group, op.ConstList(column)}));
  GE_ASSIGN(value, op.EmitHelper("Expand", {value, op.ConstList(table)}));
  return op.EmitHelper("Reshape", {value, op.ConstList(flat)});
}

Status ImportGroupNormalization(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats));
  const int64_t groups = op.Int("num_groups", 0);
  if (op.Int("stash_type", 1) != 1) {
    return op.Unsupported("stash_type " + std::to_string(op.Int("stash_type", 1)) +
                          "; 1, statistics in float32, is built");
  }
  Value scale = op.input(1), bias = op.input(2);
  if (op.opset() < 21) {
    const Shape& x = op.shape(0);
    if (x.unknown_rank() || x.rank() < 2 || x[1] == kUnknownDim) {
      return op.Unsupported("an input with an unknown number of channels");
    }
    if (groups < 1 || x[1] % groups != 0) {
      return op.Fail("num_groups " + std::to_string(groups) + " does not divide the channels of " +
                     x.ToString());
    }
    GE_ASSIGN(scale, PerChannel(op, scale, x[1], groups));
    GE_ASSIGN(bias, PerChannel(op, bias, x[1], groups));
  }
  GE_ASSIGN(const std::vector<Value> outputs, op.Emit("GroupNorm", {op.input(0), scale, bias},
                                                      {{"num_groups", groups},
                                                       {"data_format", std::string("NCHW")},
                                                       {"eps", op.Float("epsilon", 1e-5f)},
                                                       {"is_training", false}},
                                                      3));
  op.SetOutput(0, outputs[0]);
  return Status::Ok();
}

Status ImportLrn(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  const int64_t size = op.Int("size", 0);
  if (size < 1) return op.Fail("size is " + std::to_string(size) + "; 1 or more is accepted");
  if (size % 2 == 0) return op.Unsupported("size " + std::to_string(size) + "; odd ones are built");
  return op.EmitAs0("LRN", {op.input(0)},
                    {{"depth_radius", (size - 1) / 2},
                     {"alpha", op.Float("alpha", 1e-4f) / static_cast<float>(size)},
                     {"beta", op.Float("beta", 0.75f)},
                     {"bias", op.Float("bias", 1.0f)},
                     {"norm_region", std::string("ACROSS_CHANNELS")}});
}

// Where the norm is 0 every element is 0 and so is the result: the divisor is then the smallest
// positive number of the dtype.
Status ImportLpNormalization(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  const int64_t p = op.Int("p", 2);
  if (p != 1 && p != 2) return op.Fail("p is " + std::to_string(p) + "; 1 and 2 are accepted");
  const DataType dtype = op.desc(0).dtype;
  GE_ASSIGN(const Value norm, op.EmitHelper("LpNormV2", {op.input(0)},
                                            {{"p", static_cast<float>(p)},
                                             {"axes", std::vector<int64_t>{op.Int("axis", -1)}},
                                             {"keepdim", true},
                                             {"epsilon", 0.0f}}));
  const double smallest = dtype == DataType::kFloat16  ? 0x1p-24
                          : dtype == DataType::kBf16   ? 0x1p-133
                          : dtype == DataType::kDouble ? 0x1p-1074
                                                       : 0x1p-149;
  GE_ASSIGN(const Value divisor, op.EmitHelper("Maximum", {norm, op.ConstScalar(smallest, dtype)}));
  return op.EmitAs0("Div", {op.input(0), divisor});
}

GE_ONNX_OP("BatchNormalization", ImportBatchNormalization);
GE_ONNX_OP("InstanceNormalization", ImportInstanceNormalization);
GE_ONNX_OP("GroupNormalization", ImportGroupNormalization);
GE_ONNX_OP("LRN", ImportLrn);
GE_ONNX_OP("LpNormalization", ImportLpNormalization);

}  // namespace
}  // namespace ge::onnx
