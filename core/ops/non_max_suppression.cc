// NonMaxSuppressionV6: picks, per batch and class, boxes in the order of their scores that overlap
// none picked before by more than iou_threshold.
//
//   boxes [N, B, 4]    scores [N, classes, B]
//   max_output_size (boxes per batch and class), iou_threshold, score_threshold: one element each,
//   optional; left out: 0, 0 and no lower limit of the scores
//   selected_indices [picked, 3]: batch, class, box; their number is known at run time
//
// center_point_box 0: boxes are y1, x1, y2, x2; 1: center x, center y, width, height.
// Source: prototype NonMaxSuppressionV6 in tables/ops.json; ONNX NonMaxSuppression.
#include "kernels/vision.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferNonMaxSuppression(InferContext& ctx) {
  const std::optional<Shape> boxes = MergeShapes(ctx.shape(0), Shape{kUnknownDim, kUnknownDim, 4});
  if (!boxes) {
    return ctx.Fail("boxes have shape " + ctx.shape(0).ToString() +
                    "; [batch,boxes,4] is accepted");
  }
  if (!MergeShapes(ctx.shape(1), Shape{(*boxes)[0], kUnknownDim, (*boxes)[1]})) {
    return ctx.Fail("scores have shape " + ctx.shape(1).ToString() + "; [" +
                    std::to_string((*boxes)[0]) + ",classes," + std::to_string((*boxes)[1]) +
                    "] is accepted for boxes " + ctx.shape(0).ToString());
  }
  for (size_t i = 2; i < 5; ++i) {
    if (!ctx.has_input(i) || !ctx.shape(i).is_static() || ctx.shape(i).elements() == 1) continue;
    return ctx.Fail("input " + InputNames(ctx.node())[i] + " has shape " + ctx.shape(i).ToString() +
                    "; one element is accepted");
  }
  const int64_t center = ctx.Int("center_point_box");
  if (center != 0 && center != 1) {
    return ctx.Fail("center_point_box is " + std::to_string(center) + "; 0 and 1 are accepted");
  }
  ctx.SetOutput(0, DataType::kInt32, {kUnknownDim, 3});
  return Status::Ok();
}

constexpr OpImpl kNonMaxSuppression = {.type = "NonMaxSuppressionV6",
                                       .infer = InferNonMaxSuppression,
                                       .run_host = kernels::NonMaxSuppression,
                                       .data_sized = true};
GE_OP(kNonMaxSuppression);

}  // namespace
}  // namespace ge
