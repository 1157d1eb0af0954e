// DepthToSpace, SpaceToDepth: moves blocks of channels to squares of height and width, and back.
//
//   DepthToSpace:  x [N, C, H, W]    y [N, C / b^2, H * b, W * b],  b = block_size
//   SpaceToDepth:  x [N, C, H, W]    y [N, C * b^2, H / b, W / b]
//
// data_format orders the axes.  mode (an extra attribute of SpaceToDepth): DCR puts the place in
// the square before the channel, CRD behind it. Source: prototypes in tables/ops.json; ONNX
// operators of the same names.
#include "kernels/vision.h"
#include "ops/infer_rules.h"
#include "ops/window.h"

namespace ge {
namespace {

Status InferDepthSpace(InferContext& ctx) {
  const bool to_space = ctx.node().type() == "DepthToSpace";
  const int64_t block = ctx.Int("block_size");
  if (block < 1 || block > INT16_MAX) {
    return ctx.Fail("block_size is " + std::to_string(block) + "; 1 to " +
                    std::to_string(INT16_MAX) + " are accepted");
  }
  const std::string mode = ctx.Str("mode");
  if (mode != "DCR" && mode != "CRD" && !(mode.empty() && !to_space)) {
    return ctx.Fail("mode is \"" + mode + "\"; DCR and CRD are accepted");
  }
  GE_ASSIGN(const Layout layout, DataLayout(ctx, 2));
  GE_ASSIGN(const Shape x, ShapeIn(ctx, 0, layout));
  Shape y = x;
  const auto multiply = [&](size_t axis, int64_t factor) -> Status {
    const std::optional<int64_t> dim = MulDims(x[axis], factor);
    if (!dim) return ctx.Fail("x " + x.ToString() + " is too large");
    y[axis] = *dim;
    return Status::Ok();
  };
  const auto divide = [&](size_t axis, int64_t factor) -> Status {
    if (x[axis] == kUnknownDim) return Status::Ok();
    if (x[axis] % factor != 0) {
      return ctx.Fail(std::to_string(factor) + " does not divide axis " + std::to_string(axis) +
                      " of x " + x.ToString());
    }
    y[axis] = x[axis] / factor;
    return Status::Ok();
  };
  GE_TRY(to_space ? divide(layout.channel, block * block)
                  : multiply(layout.channel, block * block));
  for (const size_t axis : layout.spatial) {
    GE_TRY(to_space ? multiply(axis, block) : divide(axis, block));
  }
  ctx.SetOutput(0, ctx.dtype(0), y);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "DepthToSpace",
     .infer = InferDepthSpace,
     .run_host = kernels::DepthToSpace,
     .dtypes = DtypeSet::kBytes},
    {.type = "SpaceToDepth",
     .infer = InferDepthSpace,
     .run_host = kernels::SpaceToDepth,
     .dtypes = DtypeSet::kBytes},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
