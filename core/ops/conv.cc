// Conv2D, Conv3D: y[n, o, p] = bias[o] + sum over c, k of x[n, c, p * stride + k * dilation - pad]
//                                                        * filter[o, c, k], per group of channels.
//
//   x [N, C, spatial]    filter [O, C / groups, kernel]    bias [O], optional    y [N, O, windows]
//
// data_format orders the axes of x and y, the format of the filter's desc those of the filter (NCHW
// or NCDHW when it names no layout), where N counts output channels.  int8 gives int32, and
// with the attribute float32_result narrower floats give float32.
//
// x and filter of int8 have zero points, which are subtracted before they are multiplied and which
// padding of x stands for: offset_w, one number or one per output channel, and the attribute
// offset_x.  Beyond the prototype both may be uint8, and input 4 may be the zero point of x where
// it is not constant.
//
// The extra attribute auto_pad (SAME_UPPER or SAME_LOWER) is there only while the padding depends
// on dims that are not known. Source: prototypes Conv2D, Conv3D in tables/ops.json; ONNX Conv.
#include "kernels/conv.h"
#include "kernels/heavy_prepare.h"
#include "ops/infer_rules.h"
#include "ops/window.h"

namespace ge {
namespace {

Status CheckDtypes(const InferContext& ctx) {
  const DataType dtype = ctx.dtype(0);
  if (!IsFloat(dtype) && !IsByte(dtype) && dtype != DataType::kInt32) {
    return ctx.Fail("x is " + std::string(UserName(dtype)) +
                    "; floating-point types, int8, uint8 and int32 are accepted");
  }
  const bool are_bytes = IsByte(dtype) && IsByte(ctx.dtype(1));
  if (ctx.dtype(1) != dtype && !are_bytes) {
    return ctx.Fail("x is " + std::string(UserName(dtype)) + " and filter " +
                    std::string(UserName(ctx.dtype(1))) + "; equal dtypes are accepted");
  }
  if (ctx.has_input(2) && IsFloat(ctx.dtype(2)) != IsFloat(dtype)) {
    return ctx.Fail("bias is " + std::string(UserName(ctx.dtype(2))) + " where x is " +
                    std::string(UserName(dtype)));
  }
  return Status::Ok();
}

Status CheckChannels(const InferContext& ctx, int64_t channels, int64_t filter_channels,
                     int64_t outputs) {
  const int64_t groups = ctx.Int("groups");
  if (groups < 1)
    return ctx.Fail("groups is " + std::to_string(groups) + "; 1 or more is accepted");
  const std::optional<int64_t> expected = MulDims(filter_channels, groups);
  if (!expected || !SameOrUnknown(channels, *expected)) {
    return ctx.Fail("x " + ctx.shape(0).ToString() + " has " + std::to_string(channels) +
                    " channels, filter " + ctx.shape(1).ToString() + " with groups " +
                    std::to_string(groups) + " takes " +
                    (expected ? std::to_string(*expected) : "more than fit 63 bits"));
  }
  if (outputs != kUnknownDim && outputs % groups != 0) {
    return ctx.Fail("filter " + ctx.shape(1).ToString() + " has " + std::to_string(outputs) +
                    " output channels, which groups " + std::to_string(groups) + " do not divide");
  }
  return Status::Ok();
}

Status InferConv(InferContext& ctx) {
  const size_t spatial = ctx.node().type() == "Conv2D" ? 2 : 3;
  GE_TRY(CheckDtypes(ctx));
  GE_ASSIGN(const Layout layout, DataLayout(ctx, spatial));
  const Layout filter_layout = FindLayout(FormatName(ctx.input(1).format), spatial)
                                   .value_or(*FindLayout(spatial == 2 ? "NCHW" : "NCDHW", spatial));
  GE_ASSIGN(const Shape x, ShapeIn(ctx, 0, layout));
  GE_ASSIGN(const Shape filter, ShapeIn(ctx, 1, filter_layout));
  const int64_t outputs = filter[filter_layout.batch];
  GE_TRY(CheckChannels(ctx, x[layout.channel], filter[filter_layout.channel], outputs));
  std::vector<int64_t> kernel;
  for (const size_t axis : filter_layout.spatial) kernel.push_back(filter[axis]);
  GE_TRY(CheckZeroPoints(ctx, outputs));
  GE_ASSIGN(const std::vector<Window> windows, WindowsOf(ctx, layout, kernel, {}));
  GE_ASSIGN(const Padding padding, PaddingOf(ctx, "auto_pad"));

  Shape y = Shape::UnknownDims(layout.rank());
  y[layout.batch] = x[layout.batch];
  y[layout.channel] = outputs;
  if (ctx.has_input(2)) {
    const Shape& bias = ctx.shape(2);
    const std::optional<Shape> merged = MergeShapes(bias, Shape{outputs});
    if (!merged) {
      return ctx.Fail("bias has shape " + bias.ToString() + "; [" + std::to_string(outputs) +
                      "] is accepted");
    }
    y[layout.channel] = (*merged)[0];
  }
  for (size_t i = 0; i < spatial; ++i) {
    const size_t axis = layout.spatial[i];
    GE_ASSIGN(y[axis], WindowCount(ctx, x[axis], windows[i], padding, false));
  }
  ctx.SetOutput(0, SumDtype(ctx, ctx.dtype(0)), y);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "Conv2D",
     .infer = InferConv,
     .run_host = kernels::Conv,
     .prepare = kernels::PrepareConv},
    {.type = "Conv3D",
     .infer = InferConv,
     .run_host = kernels::Conv,
     .prepare = kernels::PrepareConv},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
