// Conv2DTranspose, Conv3DTranspose: the transposed convolution, which spreads every element of x
// over a window of y.
//
//   input_size [rank]    x [N, C, spatial]    filter [C, O / groups, kernel]    bias [O], optional
//   y [N, O, (dim - 1) * stride + extent of the kernel + output_padding - pads]
//
// input_size is the shape of y; all zeros (what front ends give) or not constant: computed as
// above. The extra attribute output_shape (spatial dims) fixes y while the padding depends on dims
// that are not known; auto_pad then says where the odd element of padding goes. Source: prototypes
// Conv2DTranspose, Conv3DTranspose in tables/ops.json; ONNX ConvTranspose.
#include <algorithm>

#include "kernels/conv.h"
#include "kernels/heavy_prepare.h"
#include "ops/infer_rules.h"
#include "ops/window.h"

namespace ge {
namespace {

enum Input { kInputSize, kX, kFilter, kBias, kOffsetW };

// Length of y along an axis; -1 when it is unknown.
Result<int64_t> SpreadDim(const InferContext& ctx, int64_t dim, const Window& window,
                          int64_t output_padding) {
  if (output_padding < 0 || output_padding > kWindowLimit) {
    return ctx.Fail("output_padding is " + std::to_string(output_padding) + "; 0 to " +
                    std::to_string(kWindowLimit) + " are accepted");
  }
  if (dim == kUnknownDim || window.kernel == kUnknownDim) return kUnknownDim;
  int64_t result = 0;
  const int64_t fixed = window.extent() + output_padding - window.pad_begin - window.pad_end;
  if (__builtin_mul_overflow(dim - 1, window.stride, &result) ||
      __builtin_add_overflow(result, fixed, &result) || result < 1) {
    return ctx.Fail("x " + ctx.shape(kX).ToString() +
                    " gives a result without elements or with too many: stride " +
                    std::to_string(window.stride) + ", kernel extent " +
                    std::to_string(window.extent()) + ", pads " + std::to_string(window.pad_begin) +
                    " and " + std::to_string(window.pad_end));
  }
  return result;
}

Result<int64_t> OutputChannels(const InferContext& ctx, int64_t x_channels, int64_t filter_channels,
                               int64_t outputs_per_group) {
  const int64_t groups = ctx.Int("groups");
  if (groups < 1)
    return ctx.Fail("groups is " + std::to_string(groups) + "; 1 or more is accepted");
  if (!SameOrUnknown(x_channels, filter_channels)) {
    return ctx.Fail("x " + ctx.shape(kX).ToString() + " has " + std::to_string(x_channels) +
                    " channels, filter " + ctx.shape(kFilter).ToString() + " takes " +
                    std::to_string(filter_channels));
  }
  if (x_channels != kUnknownDim && x_channels % groups != 0) {
    return ctx.Fail("x " + ctx.shape(kX).ToString() + " has " + std::to_string(x_channels) +
                    " channels, which groups " + std::to_string(groups) + " do not divide");
  }
  const std::optional<int64_t> outputs = MulDims(outputs_per_group, groups);
  if (!outputs) return ctx.Fail("groups " + std::to_string(groups) + " is too large");
  if (!ctx.has_input(kBias)) return *outputs;
  const std::optional<Shape> bias = MergeShapes(ctx.shape(kBias), Shape{*outputs});
  if (!bias) {
    return ctx.Fail("bias has shape " + ctx.shape(kBias).ToString() + "; [" +
                    std::to_string(*outputs) + "] is accepted");
  }
  return (*bias)[0];
}

// The shape that input_size holds; nullopt when it leaves the shape to be computed.
Result<std::optional<Shape>> GivenShape(const InferContext& ctx, size_t rank) {
  const std::optional<std::vector<int64_t>> dims = ctx.ConstInts(kInputSize);
  const auto is_zero = [](int64_t dim) { return dim == 0; };
  if (!dims || std::all_of(dims->begin(), dims->end(), is_zero)) return std::optional<Shape>();
  if (dims->size() != rank ||
      std::any_of(dims->begin(), dims->end(), [](int64_t d) { return d < 0; })) {
    return ctx.Fail("input_size is " + Shape(*dims).ToString() + "; " + std::to_string(rank) +
                    " dims are accepted");
  }
  return std::optional<Shape>(Shape(*dims));
}

Status InferConvTranspose(InferContext& ctx) {
  const size_t spatial = ctx.node().type() == "Conv2DTranspose" ? 2 : 3;
  if (ctx.dtype(kX) != ctx.dtype(kFilter)) {
    return ctx.Fail("x is " + std::string(UserName(ctx.dtype(kX))) + " and filter " +
                    std::string(UserName(ctx.dtype(kFilter))) + "; equal dtypes are accepted");
  }
  if (ctx.Int("offset_x") != 0 || ctx.has_input(kOffsetW)) {
    return ctx.Fail("offset_x or offset_w is given; transposed convolutions have no zero points");
  }
  GE_ASSIGN(const Layout layout, DataLayout(ctx, spatial));
  const Layout filter_layout = FindLayout(FormatName(ctx.input(kFilter).format), spatial)
                                   .value_or(*FindLayout(spatial == 2 ? "NCHW" : "NCDHW", spatial));
  GE_ASSIGN(const Shape x, ShapeIn(ctx, kX, layout));
  GE_ASSIGN(const Shape filter, ShapeIn(ctx, kFilter, filter_layout));
  std::vector<int64_t> kernel;
  for (const size_t axis : filter_layout.spatial) kernel.push_back(filter[axis]);
  GE_ASSIGN(const std::vector<Window> windows, WindowsOf(ctx, layout, kernel, {}));
  std::vector<int64_t> output_padding = ctx.Ints("output_padding");
  if (output_padding.empty()) output_padding.assign(layout.rank(), 0);
  const std::vector<int64_t> output_shape = ctx.Ints("output_shape");
  if (output_padding.size() != layout.rank() ||
      (!output_shape.empty() && output_shape.size() != spatial)) {
    return ctx.Fail("output_padding or output_shape has the wrong number of entries");
  }

  Shape y = Shape::UnknownDims(layout.rank());
  y[layout.batch] = x[layout.batch];
  GE_ASSIGN(y[layout.channel], OutputChannels(ctx, x[layout.channel], filter[filter_layout.batch],
                                              filter[filter_layout.channel]));
  for (size_t i = 0; i < spatial; ++i) {
    const size_t axis = layout.spatial[i];
    if (output_shape.empty()) {
      GE_ASSIGN(y[axis], SpreadDim(ctx, x[axis], windows[i], output_padding[axis]));
    } else if (output_shape[i] < 1) {
      return ctx.Fail("output_shape is " + Shape(output_shape).ToString() +
                      "; dims of 1 or more are accepted");
    } else {
      y[axis] = output_shape[i];
    }
  }
  GE_ASSIGN(const std::optional<Shape> given, GivenShape(ctx, layout.rank()));
  ctx.SetOutput(0, SumDtype(ctx, ctx.dtype(kX)), given ? *given : y);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "Conv2DTranspose",
     .infer = InferConvTranspose,
     .run_host = kernels::ConvTranspose,
     .prepare = kernels::PrepareConvTranspose},
    {.type = "Conv3DTranspose",
     .infer = InferConvTranspose,
     .run_host = kernels::ConvTranspose,
     .prepare = kernels::PrepareConvTranspose},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
