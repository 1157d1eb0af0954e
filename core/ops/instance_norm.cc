// InstanceNorm, GroupNorm: (x - mean) / sqrt(variance + epsilon) * gamma + beta, with the
// statistics of each channel (InstanceNorm) or of each of num_groups groups of channels.
//
//   x [N, C, spatial]    gamma, beta [C]    y like x
//   mean, variance: [N, C, 1, ...] of InstanceNorm, [N, num_groups] of GroupNorm
//
// Source: prototypes in tables/ops.json; ONNX InstanceNormalization, GroupNormalization.
#include "kernels/norm.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

// x with the number of channels that gamma and beta know.
Result<Shape> NormalizedShape(const InferContext& ctx, size_t least_rank) {
  if (const std::string format = ctx.Str("data_format"); !format.starts_with("NC")) {
    return ctx.Fail("data_format is \"" + format + "\"; NCHW and NCDHW are accepted");
  }
  Shape x = ctx.shape(0);
  if (x.unknown_rank()) return x;
  if (x.rank() < least_rank) {
    return ctx.Fail("x has shape " + x.ToString() + "; " + std::to_string(least_rank) +
                    " or more dims are accepted");
  }
  for (size_t i = 1; i < 3; ++i) {
    const std::optional<Shape> merged = MergeShapes(ctx.shape(i), Shape{x[1]});
    if (!merged) {
      return ctx.Fail("input " + InputNames(ctx.node())[i] + " has shape " +
                      ctx.shape(i).ToString() + "; [" + std::to_string(x[1]) +
                      "] is accepted for x " + x.ToString());
    }
    x[1] = (*merged)[0];
  }
  return x;
}

Status InferInstanceNorm(InferContext& ctx) {
  GE_ASSIGN(const Shape y, NormalizedShape(ctx, 3));
  Shape statistics = y;
  for (size_t axis = 2; !y.unknown_rank() && axis < y.rank(); ++axis) statistics[axis] = 1;
  ctx.SetOutput(0, ctx.dtype(0), y);
  ctx.SetOutput(1, ctx.dtype(0), statistics);
  ctx.SetOutput(2, ctx.dtype(0), statistics);
  return Status::Ok();
}

Status InferGroupNorm(InferContext& ctx) {
  GE_ASSIGN(const Shape y, NormalizedShape(ctx, 2));
  const int64_t groups = ctx.Int("num_groups");
  if (groups < 1) {
    return ctx.Fail("num_groups is " + std::to_string(groups) + "; 1 or more is accepted");
  }
  if (!y.unknown_rank() && y[1] != kUnknownDim && y[1] % groups != 0) {
    return ctx.Fail("x " + y.ToString() + " has " + std::to_string(y[1]) +
                    " channels, which num_groups " + std::to_string(groups) + " does not divide");
  }
  const Shape statistics = {y.unknown_rank() ? kUnknownDim : y[0], groups};
  ctx.SetOutput(0, ctx.dtype(0), y);
  ctx.SetOutput(1, ctx.dtype(0), statistics);
  ctx.SetOutput(2, ctx.dtype(0), statistics);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "InstanceNorm", .infer = InferInstanceNorm, .run_host = kernels::InstanceNorm},
    {.type = "GroupNorm", .infer = InferGroupNorm, .run_host = kernels::GroupNorm},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
