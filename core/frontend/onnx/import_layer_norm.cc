// LayerNormalization -> LayerNorm, or LayerNormV3 when Mean or InvStdDev is wanted;
// RMSNormalization -> RmsNorm.
//
// GE wants scale and bias in the shape of the last dims of the input; ONNX lets them broadcast.
// A dim of 1 where the input has another is repeated by Expand.
#include <algorithm>

#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

Status CheckStashType(const OnnxOp& op) {
  const int64_t stash = op.Int("stash_type", 1);
  if (stash == 1) return Status::Ok();
  return op.Unsupported("stash_type " + std::to_string(stash) +
                        "; 1, statistics in float32, is built");
}

// The rank and first normalised axis of input 0.
Result<size_t> NormAxis(const OnnxOp& op) {
  const Shape& x = op.shape(0);
  if (x.unknown_rank()) return op.Unsupported("an input of unknown rank");
  const int64_t axis = op.Int("axis", -1);
  if (const std::optional<size_t> index = NormalizeAxis(axis, x.rank())) return *index;
  return op.Fail("axis " + std::to_string(axis) + " is outside shape " + x.ToString());
}

// `param` (input i) in the shape of the last `rank` dims of input 0.
Result<Value> FitParam(OnnxOp& op, size_t i, size_t rank) {
  const Shape& x = op.shape(0);
  const Shape& param = op.shape(i);
  if (param.unknown_rank()) return op.Unsupported("scale or bias of unknown rank");
  if (param.rank() > x.rank()) {
    return op.Fail("input " + std::to_string(i) + " of shape " + param.ToString() +
                   " has more dims than input 0 of shape " + x.ToString());
  }
  const Shape tail(
      std::vector<int64_t>(x.dims().end() - static_cast<ptrdiff_t>(rank), x.dims().end()));
  bool fits = param.rank() == rank;
  for (size_t axis = 0; axis < rank && fits; ++axis) fits = param[axis] != 1 || tail[axis] == 1;
  if (fits) return op.input(i);  // the shape rule compares the dims
  if (!tail.is_static()) return op.Unsupported("scale or bias that repeats along an unknown dim");
  return op.EmitHelper("Expand", {op.input(i), op.ConstList(tail.dims())});
}

Status ImportLayerNormalization(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats));
  GE_TRY(CheckStashType(op));
  GE_ASSIGN(const size_t axis, NormAxis(op));
  const size_t x_rank = op.shape(0).rank();
  const auto rank_of = [&](size_t i) {
    return op.has_input(i) && !op.shape(i).unknown_rank() ? op.shape(i).rank() : size_t{0};
  };
  const size_t rank = std::min(x_rank, std::max({x_rank - axis, rank_of(1), rank_of(2)}));
  GE_ASSIGN(const Value scale, FitParam(op, 1, rank));
  Value bias;
  if (op.has_input(2)) {
    GE_ASSIGN(bias, FitParam(op, 2, rank));
  } else {
    const TensorDesc& desc = scale.desc();
    if (!desc.shape.is_static()) return op.Unsupported("a scale of unknown dims without a bias");
    GE_ASSIGN(bias, op.EmitHelper("Expand", {op.ConstScalar(0, desc.dtype),
                                             op.ConstList(desc.shape.dims())}));
  }
  const bool statistics = op.wants_output(1) || op.wants_output(2);
  GE_ASSIGN(const std::vector<Value> outputs,
            op.Emit(statistics ? "LayerNormV3" : "LayerNorm", {op.input(0), scale, bias},
                    {{"begin_norm_axis", static_cast<int64_t>(axis)},
                     {"begin_params_axis", static_cast<int64_t>(x_rank - rank)},
                     {"epsilon", op.Float("epsilon", 1e-5f)}},
                    3));
  for (size_t i = 0; i < op.output_count() && i < 3; ++i) op.SetOutput(i, outputs[i]);
  return Status::Ok();
}

Status ImportRmsNormalization(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kFloats));
  GE_TRY(CheckStashType(op));
  GE_ASSIGN(const size_t axis, NormAxis(op));
  const size_t rank = op.shape(0).rank() - axis;
  if (!op.shape(1).unknown_rank() && op.shape(1).rank() > rank) {
    return op.Unsupported("scale of shape " + op.shape(1).ToString() +
                          " that differs along axes which are not normalised");
  }
  if (op.desc(1).dtype != op.desc(0).dtype) {
    return op.Unsupported("scale of another dtype than the input");
  }
  GE_ASSIGN(const Value scale, FitParam(op, 1, rank));
  GE_ASSIGN(const std::vector<Value> outputs,
            op.Emit("RmsNorm", {op.input(0), scale}, {{"epsilon", op.Float("epsilon", 1e-5f)}}, 2));
  op.SetOutput(0, outputs[0]);
  return Status::Ok();
}

GE_ONNX_OP("LayerNormalization", ImportLayerNormalization);
GE_ONNX_OP("RMSNormalization", ImportRmsNormalization);

}  // namespace
}  // namespace ge::onnx
