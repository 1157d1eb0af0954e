// Squeeze, SqueezeV3: y is x without some of its axes of size 1.
//
//   x [d0, d1, ...]    axes (SqueezeV3) [n], optional    y: the dims of x but those in axes
//
// Squeeze takes the axes from the attribute `axis`.  Without axes all axes of size 1 go, so an
// unknown dim leaves the rank of y unknown.
// Source: ONNX Squeeze; prototypes Squeeze and SqueezeV3 in tables/ops.json.
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status SqueezeAll(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  std::vector<int64_t> dims;
  bool known = !x.unknown_rank();
  for (const int64_t dim : x.dims()) {
    known &= dim != kUnknownDim;
    if (dim != 1) dims.push_back(dim);
  }
  ctx.SetOutput(0, ctx.dtype(0), known ? Shape(std::move(dims)) : Shape::UnknownRank());
  return Status::Ok();
}

Status SqueezeAxes(InferContext& ctx, std::span<const int64_t> given) {
  const Shape& x = ctx.shape(0);
  if (x.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownRank());
    return Status::Ok();
  }
  std::vector<bool> gone(x.rank());
  for (const int64_t axis : given) {
    GE_ASSIGN(const size_t index, AxisOf(ctx, axis, x));
    if (!SameOrUnknown(x[index], 1)) {
      return ctx.Fail("axis " + std::to_string(axis) + " of x " + x.ToString() +
                      " cannot go: its size is not 1");
    }
    gone[index] = true;
  }
  std::vector<int64_t> dims;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    if (!gone[axis]) dims.push_back(x[axis]);
  }
  ctx.SetOutput(0, ctx.dtype(0), Shape(std::move(dims)));
  return Status::Ok();
}

Status InferSqueeze(InferContext& ctx) {
  const std::vector<int64_t> axes = ctx.Ints("axis");
  return axes.empty() ? SqueezeAll(ctx) : SqueezeAxes(ctx, axes);
}

Status InferSqueezeV3(InferContext& ctx) {
  if (!ctx.has_input(1)) return SqueezeAll(ctx);
  const Shape& x = ctx.shape(0);
  const Shape& list = ctx.shape(1);
  if (const std::optional<std::vector<int64_t>> axes = ctx.ConstInts(1)) {
    return axes->empty() ? SqueezeAll(ctx) : SqueezeAxes(ctx, *axes);
  }
  const bool known = !x.unknown_rank() && list.has_rank(1) && list[0] > 0;
  if (known && list[0] > static_cast<int64_t>(x.rank())) {
    return ctx.Fail("axes " + list.ToString() + " are more than x " + x.ToString() + " has");
  }
  ctx.SetOutput(
      0, ctx.dtype(0),
      known ? Shape::UnknownDims(x.rank() - static_cast<size_t>(list[0])) : Shape::UnknownRank());
  return Status::Ok();
}

constexpr OpImpl kSqueeze = {.type = "Squeeze", .infer = InferSqueeze, .view = true};
constexpr OpImpl kSqueezeV3 = {.type = "SqueezeV3", .infer = InferSqueezeV3, .view = true};
GE_OP(kSqueeze);
GE_OP(kSqueezeV3);

}  // namespace
}  // namespace ge
