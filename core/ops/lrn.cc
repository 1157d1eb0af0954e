// LRN: y = x / (bias + alpha * sum of x^2 over the channels c - depth_radius to c + depth_radius)
//          ^ beta.
//
//   x, y [N, C, H, W]
//
// Source: prototype LRN in tables/ops.json; ONNX LRN, whose alpha is that of GE times the number of
// channels.
#include "kernels/norm.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferLrn(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  if (!x.unknown_rank() && x.rank() != 4) {
    return ctx.Fail("x has shape " + x.ToString() + "; 4 dims are accepted");
  }
  if (ctx.Int("depth_radius") < 0) {
    return ctx.Fail("depth_radius is " + std::to_string(ctx.Int("depth_radius")) +
                    "; 0 or more is accepted");
  }
  if (const std::string region = ctx.Str("norm_region"); region != "ACROSS_CHANNELS") {
    return ctx.Fail("norm_region is \"" + region + "\"; ACROSS_CHANNELS is accepted");
  }
  ctx.SetOutput(0, ctx.dtype(0), x.unknown_rank() ? Shape::UnknownDims(4) : x);
  return Status::Ok();
}

constexpr OpImpl kLrn = {.type = "LRN", .infer = InferLrn, .run_host = kernels::Lrn};
GE_OP(kLrn);

}  // namespace
}  // namespace ge
