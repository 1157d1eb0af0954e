// DeformableOffsets: what the points of a convolution kernel see when each is moved by an offset.
// A convolution of y with the same kernel, whose strides are the kernel's size, is then the
// deformable convolution of x.
//
//   x [N, C, H, W]    offsets [N, 3 * groups * kh * kw, rows, columns]
//   y [N, C, rows * kh, columns * kw]
//
// The channels of offsets are three blocks of groups * kh * kw: moves along W, moves along H, and
// factors; without `modulated` the factors are left out.  Values between elements are interpolated,
// those outside of x are 0.  Only data_format NCHW is built.
// Source: prototype DeformableOffsets in tables/ops.json.  ONNX DeformConv maps here.
#include "kernels/deformable.h"

#include <string>

#include "ops/infer_rules.h"
#include "ops/window.h"

namespace ge {
namespace {

Window WindowOf(const InferContext& ctx, size_t i) {
  return {ctx.Ints("ksize")[i], ctx.Ints("strides")[2 + i], ctx.Ints("dilations")[2 + i],
          ctx.Ints("pads")[2 * i], ctx.Ints("pads")[2 * i + 1]};
}

Status CheckAttrs(const InferContext& ctx) {
  if (ctx.Str("data_format") != "NCHW") {
    return ctx.Fail("data_format is " + ctx.Str("data_format") + "; NCHW is built");
  }
  if (ctx.Ints("ksize").size() != 2 || ctx.Ints("strides").size() != 4 ||
      ctx.Ints("dilations").size() != 4 || ctx.Ints("pads").size() != 4) {
    return ctx.Fail("ksize has 2 numbers, strides, dilations and pads have 4");
  }
  for (size_t i = 0; i < 2; ++i) {
    if (const std::optional<std::string> fault = FaultOf(WindowOf(ctx, i))) return ctx.Fail(*fault);
  }
  return Status::Ok();
}

Status InferShape(InferContext& ctx) {
  GE_TRY(CheckAttrs(ctx));
  GE_TRY(SameDtypes(ctx));
  const auto shape_of = [&](size_t i) {
    return ctx.shape(i).unknown_rank() ? Shape::UnknownDims(4) : ctx.shape(i);
  };
  const Shape x = shape_of(0), offsets = shape_of(1);
  const std::vector<int64_t> ksize = ctx.Ints("ksize");
  const int64_t groups = ctx.Int("deformable_groups");
  const std::optional<int64_t> points = MulDims(ksize[0], ksize[1]);
  const std::optional<int64_t> maps =
      points && groups > 0 && groups <= kWindowLimit ? MulDims(*points, groups) : std::nullopt;
  const std::optional<int64_t> channels =
      maps ? MulDims(*maps, ctx.Bool("modulated") ? 3 : 2) : maps;
  const bool fits = channels && x.rank() == 4 && offsets.rank() == 4 &&
                    SameOrUnknown(x[0], offsets[0]) && SameOrUnknown(offsets[1], *channels) &&
                    (x[1] == kUnknownDim || (x[1] % groups == 0 && x[1] != 0));
  if (!fits) {
    return ctx.Fail("x " + x.ToString() + " and offsets " + offsets.ToString() + " do not fit " +
                    std::to_string(groups) + " groups of " + std::to_string(points.value_or(-1)) +
                    " points");
  }
  Shape y = {*MergeDims(x[0], offsets[0]), x[1], kUnknownDim, kUnknownDim};
  for (size_t i = 0; i < 2; ++i) {
    GE_ASSIGN(const int64_t places,
              WindowCount(ctx, x[2 + i], WindowOf(ctx, i), Padding::kExplicit, false));
    const std::optional<int64_t> merged = MergeDims(places, offsets[2 + i]);
    const std::optional<int64_t> dim = merged ? MulDims(*merged, ksize[i]) : std::nullopt;
    if (!dim) {
      return ctx.Fail("offsets " + offsets.ToString() + " have " + std::to_string(offsets[2 + i]) +
                      " places along axis " + std::to_string(2 + i) + ", the kernel has " +
                      std::to_string(places));
    }
    y[2 + i] = *dim;
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kDeformableOffsets = {
    .type = "DeformableOffsets", .infer = InferShape, .run_host = kernels::DeformableOffsets};
GE_OP(kDeformableOffsets);

}  // namespace
}  // namespace ge
