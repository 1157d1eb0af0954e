// LayerNormalization -> LayerNorm, or LayerNormV3 when Mean or InvStdDev is wanted;
// RMSNormalization -> RmsNorm.
//
// GE wants scale and bias in the shape of the last dims of the input; ONNX lets them broadcast.
// A dim of 1 where the input has another is repeated by Expand.
#include <algorithm>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

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
  const Shape tail(x.dims().last(rank));
  bool fits = param.rank() == rank;
  for (size_t axis = 0; axis < rank && fits; ++axis) fits = param[axis] != 1 || tail[axis] == 1;
  if (fits) return op.input(i);  // the shape rule compares the dims
  Formula f(op);
  const Value dims =
      f.Slice(f.Dims(op.input(0)), 0, static_cast<int64_t>(x.rank() - rank), INT64_MAX);
  const Value whole = f.Expand(op.input(i), dims);
  GE_TRY(f.status());
  return whole;
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
    Formula f(op);
    bias = f.Expand(f.Scalar(0, scale.desc().dtype), f.Dims(scale));
    GE_TRY(f.status());
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
  GE_ASSIGN(const Value scale, FitParam(op, 1, rank));
  // The result has the dtype of scale.
  Formula f(op);
  const Value x = f.Cast(op.input(0), op.desc(1).dtype);
  GE_TRY(f.status());
  GE_ASSIGN(const std::vector<Value> outputs,
            op.Emit("RmsNorm", {x, scale}, {{"epsilon", op.Float("epsilon", 1e-5f)}}, 2));
  op.SetOutput(0, outputs[0]);
  return Status::Ok();
}

GE_ONNX_OP("LayerNormalization", ImportLayerNormalization);
GE_ONNX_OP("RMSNormalization", ImportRmsNormalization);

}  // namespace
}  // namespace ge::onnx
