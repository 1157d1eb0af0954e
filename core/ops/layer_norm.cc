// LayerNorm, LayerNormV3, RmsNorm: normalisation over the last axes of x.
//
//   LayerNorm, LayerNormV3:  y = (x - mean) / sqrt(variance + epsilon) * gamma + beta
//     over the axes from begin_norm_axis on; gamma, beta have the shape of x from
//     begin_params_axis on.  Outputs y, mean, and variance (LayerNorm) or
//     1 / sqrt(variance + epsilon) (LayerNormV3), with dims of 1 for the normalised axes.
//   RmsNorm:  y = x / sqrt(mean of x^2 + epsilon) * gamma over the axes that gamma has.
//     Outputs y and rstd = 1 / sqrt(...).
//
// The statistics are float32, whatever the dtype of x, as ONNX has them.
// Source: prototypes in tables/ops.json; ONNX LayerNormalization, RMSNormalization.
#include "kernels/norm.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

// Fails unless input `i` has the shape of x from axis `begin` on.
Status CheckParams(const InferContext& ctx, size_t i, size_t begin) {
  const Shape& x = ctx.shape(0);
  const Shape tail(x.dims().subspan(begin));
  if (MergeShapes(ctx.shape(i), tail)) return Status::Ok();
  return ctx.Fail("input " + InputNames(ctx.node())[i] + " has shape " + ctx.shape(i).ToString() +
                  "; " + tail.ToString() + " is accepted for x " + x.ToString());
}

Shape StatisticsOf(Shape x, size_t begin) {
  for (size_t axis = begin; axis < x.rank(); ++axis) x[axis] = 1;
  return x;
}

Status InferLayerNorm(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  Shape statistics = x;
  if (!x.unknown_rank()) {
    GE_ASSIGN(const size_t norm, AxisOf(ctx, ctx.Int("begin_norm_axis"), x));
    GE_ASSIGN(const size_t params, AxisOf(ctx, ctx.Int("begin_params_axis"), x));
    GE_TRY(CheckParams(ctx, 1, params));
    GE_TRY(CheckParams(ctx, 2, params));
    statistics = StatisticsOf(x, norm);
  }
  ctx.SetOutput(0, ctx.dtype(0), x);
  ctx.SetOutput(1, DataType::kFloat, statistics);
  ctx.SetOutput(2, DataType::kFloat, statistics);
  return Status::Ok();
}

Status InferRmsNorm(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const Shape& gamma = ctx.shape(1);
  Shape statistics = Shape::UnknownRank();
  if (!x.unknown_rank() && !gamma.unknown_rank()) {
    if (gamma.rank() < 1 || gamma.rank() > x.rank()) {
      return ctx.Fail("gamma has shape " + gamma.ToString() + "; the last dims of x " +
                      x.ToString() + " are accepted");
    }
    const size_t begin = x.rank() - gamma.rank();
    GE_TRY(CheckParams(ctx, 1, begin));
    statistics = StatisticsOf(x, begin);
  }
  ctx.SetOutput(0, ctx.dtype(0), x);
  ctx.SetOutput(1, DataType::kFloat, statistics);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "LayerNorm", .infer = InferLayerNorm, .run_host = kernels::LayerNorm},
    {.type = "LayerNormV3", .infer = InferLayerNorm, .run_host = kernels::LayerNormV3},
    {.type = "RmsNorm", .infer = InferRmsNorm, .run_host = kernels::RmsNorm},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
