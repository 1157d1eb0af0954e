// Unsqueeze, UnsqueezeV3: y is x with axes of size 1 put in.
//
//   x [d0, d1, ...]    axes (UnsqueezeV3) [n]    y: rank of x + n
//
// Axes are counted in y, from either end; Unsqueeze takes them from the attribute `axes`.
// Source: ONNX Unsqueeze; prototypes Unsqueeze and UnsqueezeV3 in tables/ops.json.
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status PutIn(InferContext& ctx, std::span<const int64_t> axes) {
  const Shape& x = ctx.shape(0);
  if (x.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownRank());
    return Status::Ok();
  }
  Shape y = Shape::UnknownDims(x.rank() + axes.size());
  GE_ASSIGN(const std::vector<size_t> ones, AxesOf(ctx, axes, y));
  std::vector<bool> is_one(y.rank());
  for (const size_t axis : ones) is_one[axis] = true;
  size_t next = 0;
  for (size_t axis = 0; axis < y.rank(); ++axis) y[axis] = is_one[axis] ? 1 : x[next++];
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

Status InferUnsqueeze(InferContext& ctx) {
  return PutIn(ctx, ctx.Ints("axes"));
}

Status InferUnsqueezeV3(InferContext& ctx) {
  if (const std::optional<std::vector<int64_t>> axes = ctx.ConstInts(1)) return PutIn(ctx, *axes);
  GE_ASSIGN(const Shape added, ShapeFromList(ctx, 1));
  const Shape& x = ctx.shape(0);
  const bool known = !x.unknown_rank() && !added.unknown_rank();
  ctx.SetOutput(0, ctx.dtype(0),
                known ? Shape::UnknownDims(x.rank() + added.rank()) : Shape::UnknownRank());
  return Status::Ok();
}

constexpr OpImpl kUnsqueeze = {.type = "Unsqueeze", .infer = InferUnsqueeze, .view = true};
constexpr OpImpl kUnsqueezeV3 = {.type = "UnsqueezeV3", .infer = InferUnsqueezeV3, .view = true};
GE_OP(kUnsqueeze);
GE_OP(kUnsqueezeV3);

}  // namespace
}  // namespace ge
