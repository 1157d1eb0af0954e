// Flatten: y is x as a matrix; the axes before `axis` make the rows.
//
//   x [d0, d1, ...]    y [d0 * ... * d(axis-1), d(axis) * ...]
//
// axis may be the rank of x (one column) and may count from the end.
// Source: ONNX Flatten; prototype Flatten in tables/ops.json.
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const int64_t axis = ctx.Int("axis");
  if (x.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownDims(2));
    return Status::Ok();
  }
  size_t split = x.rank();
  if (axis != static_cast<int64_t>(x.rank())) {
    GE_ASSIGN(split, AxisOf(ctx, axis, x));
  }
  const std::optional<int64_t> rows = ProductOfDims(x, 0, split);
  const std::optional<int64_t> columns = ProductOfDims(x, split, x.rank());
  if (!rows || !columns) {
    return ctx.Fail("x " + x.ToString() + " has more elements than 63 bits count");
  }
  ctx.SetOutput(0, ctx.dtype(0), Shape{*rows, *columns});
  return Status::Ok();
}

constexpr OpImpl kFlatten = {.type = "Flatten", .infer = InferShape, .view = true};
GE_OP(kFlatten);

}  // namespace
}  // namespace ge
