// Col2ImV2: adds up the columns of x at the places of an image that they come from; the opposite of
// cutting an image into blocks.
//
//   x [N, C * elements of a block, positions]    output_size [n]    kernel_size [n], both integers
//   y [N, C, output_size...]
//
// stride, dilation: n numbers.  padding: n numbers, or 2 n with begin and end of each axis, which
// the prototype does not say.  Where output_size or kernel_size is not known, dims of y are not.
// Source: prototype Col2ImV2 in tables/ops.json, which has 2 axes and int32; ONNX Col2Im has any
// number of axes and int64.
#include "kernels/col2im.h"

#include <string>

#include "ops/infer_rules.h"
#include "ops/window.h"

namespace ge {
namespace {

Result<size_t> SpatialAxes(const InferContext& ctx) {
  const size_t axes = ctx.Ints("stride").size();
  const size_t pads = ctx.Ints("padding").size();
  if (axes == 0 || ctx.Ints("dilation").size() != axes || (pads != axes && pads != 2 * axes)) {
    return ctx.Fail("stride, dilation and padding have " + std::to_string(axes) + ", " +
                    std::to_string(ctx.Ints("dilation").size()) + " and " + std::to_string(pads) +
                    " numbers; one per axis is accepted");
  }
  for (size_t i = 1; i <= 2; ++i) {
    GE_TRY(NeedsIndices(ctx, i));
    const Shape& list = ctx.shape(i);
    if (list.unknown_rank() || list == Shape{static_cast<int64_t>(axes)} ||
        list == Shape{kUnknownDim}) {
      continue;
    }
    return ctx.Fail("input " + std::to_string(i) + " has shape " + list.ToString() + "; " +
                    std::to_string(axes) + " numbers are accepted");
  }
  return axes;
}

// Number of positions of a block, when image and block are known.
Result<int64_t> Positions(const InferContext& ctx, const std::vector<int64_t>& image,
                          const std::vector<int64_t>& block) {
  const std::vector<int64_t> strides = ctx.Ints("stride"), dilations = ctx.Ints("dilation"),
                             pads = ctx.Ints("padding");
  const bool paired = pads.size() == 2 * image.size();
  std::optional<int64_t> positions = 1;
  for (size_t i = 0; i < image.size(); ++i) {
    const Window window = {block[i], strides[i], dilations[i], paired ? pads[2 * i] : pads[i],
                           paired ? pads[2 * i + 1] : pads[i]};
    if (const std::optional<std::string> fault = FaultOf(window)) return ctx.Fail(*fault);
    GE_ASSIGN(const int64_t count, WindowCount(ctx, image[i], window, Padding::kExplicit, false));
    positions = MulDims(*positions, count);
    if (!positions) return ctx.Fail("there are more positions than 63 bits count");
  }
  return *positions;
}

Status InferShape(InferContext& ctx) {
  GE_ASSIGN(const size_t axes, SpatialAxes(ctx));
  const Shape x = ctx.shape(0).unknown_rank() ? Shape::UnknownDims(3) : ctx.shape(0);
  if (x.rank() != 3) return ctx.Fail("x has shape " + x.ToString() + "; 3 dims are accepted");
  const std::optional<std::vector<int64_t>> image = ctx.ConstInts(1), block = ctx.ConstInts(2);
  Shape y = Shape::UnknownDims(2 + axes);
  y[0] = x[0];
  std::optional<int64_t> elements = 1;
  for (size_t i = 0; i < axes; ++i) {
    if (image && (*image)[i] < 0) return ctx.Fail("output_size has a negative number");
    if (image) y[2 + i] = (*image)[i];
    if (block && ((*block)[i] < 1 || (*block)[i] > kWindowLimit)) {
      return ctx.Fail("kernel_size has a number outside 1 to " + std::to_string(kWindowLimit));
    }
    if (block && elements) elements = MulDims(*elements, (*block)[i]);
  }
  if (block && x[1] != kUnknownDim) {
    if (!elements || x[1] % *elements != 0) {
      return ctx.Fail("dim 1 of x " + x.ToString() + " is no multiple of the elements of a block " +
                      Shape(*block).ToString());
    }
    y[1] = x[1] / *elements;
  }
  if (image && block) {
    GE_ASSIGN(const int64_t positions, Positions(ctx, *image, *block));
    if (!SameOrUnknown(positions, x[2])) {
      return ctx.Fail("x " + x.ToString() + " has columns for " + std::to_string(x[2]) +
                      " positions, the image has " + std::to_string(positions));
    }
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kCol2Im = {.type = "Col2ImV2", .infer = InferShape, .run_host = kernels::Col2Im};
GE_OP(kCol2Im);

}  // namespace
}  // namespace ge
