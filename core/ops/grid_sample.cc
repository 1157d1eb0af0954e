// GridSampler2D, GridSampler3D: values of x at the positions that grid holds, in [-1, 1] per axis.
//
//   x [N, C, spatial]    grid [N, positions..., 2 or 3], last axis in the order x, y, z
//   y [N, C, positions...]
//
// Source: prototypes in tables/ops.json; ONNX GridSample.
#include <algorithm>
#include <array>

#include "kernels/vision.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferGridSample(InferContext& ctx) {
  const size_t spatial = ctx.node().type() == "GridSampler2D" ? 2 : 3;
  for (const auto& [attr, accepted] :
       {std::pair{"interpolation_mode", std::array{"bilinear", "nearest", "bicubic"}},
        std::pair{"padding_mode", std::array{"zeros", "border", "reflection"}}}) {
    const std::string value = ctx.Str(attr);
    if (std::find(accepted.begin(), accepted.end(), value) != accepted.end()) continue;
    return ctx.Fail(std::string(attr) + " is \"" + value + "\"; " + accepted[0] + ", " +
                    accepted[1] + " and " + accepted[2] + " are accepted");
  }
  Shape shapes[2];
  for (size_t i = 0; i < 2; ++i) {
    shapes[i] = ctx.shape(i).unknown_rank() ? Shape::UnknownDims(spatial + 2) : ctx.shape(i);
    if (shapes[i].rank() == spatial + 2) continue;
    return ctx.Fail(InputNames(ctx.node())[i] + " has shape " + shapes[i].ToString() + "; " +
                    std::to_string(spatial + 2) + " dims are accepted");
  }
  const auto& [x, grid] = shapes;
  const std::optional<int64_t> batch = MergeDims(x[0], grid[0]);
  if (!batch || !SameOrUnknown(grid[spatial + 1], static_cast<int64_t>(spatial))) {
    return ctx.Fail("grid has shape " + grid.ToString() + " for x " + x.ToString() +
                    "; the batch of x and a last dim of " + std::to_string(spatial) +
                    " are accepted");
  }
  Shape y = x;
  y[0] = *batch;
  for (size_t i = 0; i < spatial; ++i) y[2 + i] = grid[1 + i];
  ctx.SetOutput(0, ctx.dtype(0), y);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "GridSampler2D", .infer = InferGridSample, .run_host = kernels::GridSample},
    {.type = "GridSampler3D", .infer = InferGridSample, .run_host = kernels::GridSample},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
