// ROIAlign: for every region of interest a grid of pooled samples.
//
//   features [N, C, H, W]    rois [R, 5]: index in the batch, x1, y1, x2, y2
//   y [R, C, pooled_height, pooled_width]
//
// roi_end_mode 0: corners as they are, a region is at least 1 wide and high; 1: x2, y2 plus one;
// 2: corners moved by half a pixel, no least size.  sample_num 0: as many samples as the region is
// large.  pool_mode: avg or max.
// Source: prototype ROIAlign in tables/ops.json; ONNX RoiAlign.
#include "kernels/vision.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferRoiAlign(InferContext& ctx) {
  const Shape& features = ctx.shape(0);
  const Shape& rois = ctx.shape(1);
  if (!features.unknown_rank() && features.rank() != 4) {
    return ctx.Fail("features have shape " + features.ToString() + "; 4 dims are accepted");
  }
  const std::optional<Shape> merged = MergeShapes(rois, Shape{kUnknownDim, 5});
  if (!merged) return ctx.Fail("rois have shape " + rois.ToString() + "; [count,5] is accepted");
  const int64_t height = ctx.Int("pooled_height"), width = ctx.Int("pooled_width");
  if (height < 1 || width < 1 || height > INT32_MAX || width > INT32_MAX) {
    return ctx.Fail("the pooled height and width are " + std::to_string(height) + " and " +
                    std::to_string(width) + "; 1 or more is accepted");
  }
  if (ctx.Int("sample_num") < 0 || ctx.Int("sample_num") > INT16_MAX) {
    return ctx.Fail("the number of samples is " + std::to_string(ctx.Int("sample_num")) +
                    "; 0 to " + std::to_string(INT16_MAX) + " are accepted");
  }
  const std::string mode = ctx.Str("pool_mode");
  if (mode != "avg" && mode != "max") {
    return ctx.Fail("pool_mode is \"" + mode + "\"; avg and max are accepted");
  }
  const int64_t channels = features.unknown_rank() ? kUnknownDim : features[1];
  ctx.SetOutput(0, ctx.dtype(0), {(*merged)[0], channels, height, width});
  return Status::Ok();
}

constexpr OpImpl kRoiAlign = {
    .type = "ROIAlign", .infer = InferRoiAlign, .run_host = kernels::RoiAlign};
GE_OP(kRoiAlign);

}  // namespace
}  // namespace ge
