// BNInfer: y = (x - mean) / sqrt(variance + epsilon) * scale + offset along the channels.
//
//   x [N, C, ...], or [N] where C is 1    scale, offset, mean, variance [C]    y like x
//
// Source: prototype BNInfer in tables/ops.json; ONNX BatchNormalization as inference uses it.
#include "kernels/norm.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferBatchNorm(InferContext& ctx) {
  Shape y = ctx.shape(0);
  if (y.has_rank(0)) return ctx.Fail("x is a scalar; 1 or more dims are accepted");
  const bool has_channels = !y.unknown_rank() && y.rank() >= 2;
  int64_t channels = has_channels ? y[1] : y.unknown_rank() ? kUnknownDim : 1;
  for (size_t i = 1; i < 5; ++i) {
    const std::optional<Shape> merged = MergeShapes(ctx.shape(i), Shape{channels});
    if (!merged) {
      return ctx.Fail("input " + InputNames(ctx.node())[i] + " has shape " +
                      ctx.shape(i).ToString() + "; [" + std::to_string(channels) +
                      "] is accepted for x " + y.ToString());
    }
    channels = (*merged)[0];
  }
  if (has_channels) y[1] = channels;
  ctx.SetOutput(0, ctx.dtype(0), y);
  return Status::Ok();
}

constexpr OpImpl kBNInfer = {.type = "BNInfer",
                             .infer = InferBatchNorm,
                             .run_host = kernels::BatchNorm,
                             .pointwise = Pointwise::kChannels};
GE_OP(kBNInfer);

}  // namespace
}  // namespace ge
