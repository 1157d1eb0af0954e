// MaxPoolWithArgmaxV3, MaxPool3DWithArgmaxV2: the largest element of each window, and its place.
//
//   x [N, C, spatial]    y, argmax [N, C, windows]
//
// argmax counts along the flattened spatial axes of one channel; it is int32 (dtype 3) or int64
// (9). ksize, strides, dilation: one entry per spatial axis.  pads: one per spatial axis, or two,
// begin and end, which the prototype does not say.  Only NCHW and NCDHW are built. Source:
// prototypes in tables/ops.json.  ONNX MaxPool with Indices maps here.
#include "kernels/max_pool_index.h"

#include <string>

#include "ops/infer_rules.h"
#include "ops/window.h"

namespace ge {
namespace {

Result<std::vector<Window>> ReadWindows(const InferContext& ctx, size_t spatial) {
  const std::vector<int64_t> ksize = ctx.Ints("ksize"), strides = ctx.Ints("strides"),
                             pads = ctx.Ints("pads"), dilation = ctx.Ints("dilation");
  if (ksize.size() != spatial || strides.size() != spatial || dilation.size() != spatial ||
      (pads.size() != spatial && pads.size() != 2 * spatial)) {
    return ctx.Fail("ksize, strides, pads and dilation need one entry for each of " +
                    std::to_string(spatial) + " spatial axes");
  }
  std::vector<Window> windows;
  for (size_t i = 0; i < spatial; ++i) {
    const bool paired = pads.size() == 2 * spatial;
    const Window window = {ksize[i], strides[i], dilation[i], paired ? pads[2 * i] : pads[i],
                           paired ? pads[2 * i + 1] : pads[i]};
    if (const std::optional<std::string> fault = FaultOf(window)) return ctx.Fail(*fault);
    if (window.pad_begin >= window.extent() || window.pad_end >= window.extent()) {
      return ctx.Fail("pads of " + std::to_string(window.pad_begin) + " and " +
                      std::to_string(window.pad_end) + " leave windows in the padding alone");
    }
    windows.push_back(window);
  }
  return windows;
}

Status InferShape(InferContext& ctx) {
  const size_t spatial = ctx.node().type() == "MaxPool3DWithArgmaxV2" ? 3 : 2;
  const std::string layout = spatial == 3 ? "NCDHW" : "NCHW";
  if (ctx.Str("data_format") != layout) {
    return ctx.Fail("data_format is " + ctx.Str("data_format") + "; " + layout + " is built");
  }
  const DataType index = static_cast<DataType>(ctx.Int("dtype"));
  if (index != DataType::kInt32 && index != DataType::kInt64) {
    return ctx.Fail("dtype is " + std::to_string(ctx.Int("dtype")) +
                    "; 3 (int32) and 9 (int64) are accepted");
  }
  GE_ASSIGN(const std::vector<Window> windows, ReadWindows(ctx, spatial));
  const Shape x = ctx.shape(0).unknown_rank() ? Shape::UnknownDims(spatial + 2) : ctx.shape(0);
  if (x.rank() != spatial + 2) {
    return ctx.Fail("x has shape " + x.ToString() + "; " + std::to_string(spatial + 2) +
                    " dims are accepted");
  }
  Shape y = x;
  for (size_t i = 0; i < spatial; ++i) {
    if (x[2 + i] == 0) return ctx.Fail("x " + x.ToString() + " is empty along an axis");
    GE_ASSIGN(y[2 + i],
              WindowCount(ctx, x[2 + i], windows[i], Padding::kExplicit, ctx.Bool("ceil_mode")));
  }
  ctx.SetOutput(0, ctx.dtype(0), y);
  ctx.SetOutput(1, index, y);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "MaxPoolWithArgmaxV3", .infer = InferShape, .run_host = kernels::MaxPoolWithIndex},
    {.type = "MaxPool3DWithArgmaxV2", .infer = InferShape, .run_host = kernels::MaxPoolWithIndex},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
