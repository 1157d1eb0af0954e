// MaxPoolV3, AvgPoolV2, MaxPool3D, AvgPool3D: maximum or mean of the elements in each window.
//
//   x [N, C, spatial]    y [N, C, windows]
//
// ksize and strides have one entry per axis, in the order of data_format; pads are begin and end of
// each spatial axis.  Of the padding attribute (padding_mode, padding), SAME and SAME_LOWER ignore
// pads.  Extra attributes: dilation on MaxPoolV3, AvgPoolV2 and AvgPool3D, written when it is not
// all ones; auto_pad on AvgPool3D, which has no padding mode of its own.
// Source: prototypes in tables/ops.json; ONNX MaxPool, AveragePool.  A window of ceil_mode that
// would start behind the tensor is left out, as in ONNX 1.17 and onnxruntime.
#include "kernels/pool.h"
#include "ops/infer_rules.h"
#include "ops/window.h"

namespace ge {
namespace {

struct Pooling {
  std::string_view type;
  size_t spatial;
  std::string_view padding;  // attribute that names the padding mode
  bool ceil_is_int;
};
constexpr Pooling kPoolings[] = {
    {"MaxPoolV3", 2, "padding_mode", false},
    {"AvgPoolV2", 2, "padding_mode", false},
    {"MaxPool3D", 3, "padding", true},
    {"AvgPool3D", 3, "auto_pad", false},
};

const Pooling& PoolingOf(const InferContext& ctx) {
  for (const Pooling& pooling : kPoolings) {
    if (pooling.type == ctx.node().type()) return pooling;
  }
  return kPoolings[0];
}

Status InferPooling(InferContext& ctx) {
  const Pooling& pooling = PoolingOf(ctx);
  GE_ASSIGN(const Layout layout, DataLayout(ctx, pooling.spatial));
  GE_ASSIGN(const Shape x, ShapeIn(ctx, 0, layout));
  Shape y = x;
  if (ctx.Bool("global_pooling")) {
    for (const size_t axis : layout.spatial) y[axis] = 1;
    ctx.SetOutput(0, ctx.dtype(0), y);
    return Status::Ok();
  }
  const std::vector<int64_t> ksize = ctx.Ints("ksize");
  if (ksize.size() != layout.rank() || ksize[layout.batch] != 1 || ksize[layout.channel] != 1) {
    return ctx.Fail("ksize is " + Shape(ksize).ToString() + "; " + std::to_string(layout.rank()) +
                    " entries with 1 for N and C are accepted");
  }
  std::vector<int64_t> kernel;
  for (const size_t axis : layout.spatial) kernel.push_back(ksize[axis]);
  GE_ASSIGN(const std::vector<Window> windows,
            WindowsOf(ctx, layout, kernel, {.dilations = "dilation"}));
  GE_ASSIGN(const Padding padding, PaddingOf(ctx, pooling.padding));
  const bool ceil = pooling.ceil_is_int ? ctx.Int("ceil_mode") != 0 : ctx.Bool("ceil_mode");
  for (size_t i = 0; i < windows.size(); ++i) {
    const Window& window = windows[i];
    if (window.kernel == kUnknownDim) return ctx.Fail("ksize has an unknown entry");
    if (window.pad_begin >= window.extent() || window.pad_end >= window.extent()) {
      return ctx.Fail("pads of " + std::to_string(window.pad_begin) + " and " +
                      std::to_string(window.pad_end) + " leave windows of " +
                      std::to_string(window.extent()) +
                      " elements in the padding alone; smaller pads are accepted");
    }
    const size_t axis = layout.spatial[i];
    if (x[axis] == 0) return ctx.Fail("x " + ctx.shape(0).ToString() + " is empty along an axis");
    GE_ASSIGN(y[axis], WindowCount(ctx, x[axis], window, padding, ceil));
  }
  ctx.SetOutput(0, ctx.dtype(0), y);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "MaxPoolV3", .infer = InferPooling, .run_host = kernels::Pool},
    {.type = "AvgPoolV2", .infer = InferPooling, .run_host = kernels::Pool},
    {.type = "MaxPool3D", .infer = InferPooling, .run_host = kernels::Pool},
    {.type = "AvgPool3D", .infer = InferPooling, .run_host = kernels::Pool},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
