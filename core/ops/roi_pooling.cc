// ROIPooling: for every region of interest a grid of largest elements.
//
//   x [N, C, H, W]    rois [R, 5]: index in the batch, x1, y1, x2, y2, both ends included
//   y [R, C, pooled_h, pooled_w]
//
// Corners are scaled and rounded to elements; a cell without elements gives 0.  The optional input
// roi_actual_num must not be there.
// Source: prototype ROIPooling in tables/ops.json.  ONNX MaxRoiPool maps here.
#include "kernels/roi_pool.h"

#include <string>

#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  const Shape x = ctx.shape(0).unknown_rank() ? Shape::UnknownDims(4) : ctx.shape(0);
  const std::optional<Shape> rois = MergeShapes(ctx.shape(1), Shape{kUnknownDim, 5});
  if (ctx.has_input(2)) return ctx.Fail("input roi_actual_num is not built");
  if (x.rank() != 4 || !rois) {
    return ctx.Fail("x has shape " + x.ToString() + " and rois " + ctx.shape(1).ToString() +
                    "; 4 dims and [count,5] are accepted");
  }
  const int64_t height = ctx.Int("pooled_h"), width = ctx.Int("pooled_w");
  constexpr int64_t kLimit = INT32_MAX;
  if (height < 1 || width < 1 || height > kLimit || width > kLimit) {
    return ctx.Fail("pooled_h and pooled_w are " + std::to_string(height) + " and " +
                    std::to_string(width) + "; 1 or more is accepted");
  }
  ctx.SetOutput(0, ctx.dtype(0), Shape{(*rois)[0], x[1], height, width});
  return Status::Ok();
}

constexpr OpImpl kRoiPooling = {
    .type = "ROIPooling", .infer = InferShape, .run_host = kernels::RoiPooling};
GE_OP(kRoiPooling);

}  // namespace
}  // namespace ge
