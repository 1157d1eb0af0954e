// Tile: y repeats x multiples[i] times along each axis i.
//
//   x [d0, d1, ...]    multiples [rank of x], int32 or int64    y [d0 * multiples[0], ...]
//
// Source: prototype Tile in tables/ops.json.  ONNX Tile maps here.
#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  GE_ASSIGN(const Shape multiples, ShapeFromList(ctx, 1));
  if (x.unknown_rank() || multiples.unknown_rank()) {
    const Shape& known = x.unknown_rank() ? multiples : x;
    ctx.SetOutput(0, ctx.dtype(0), known.unknown_rank() ? known : Shape::UnknownDims(known.rank()));
    return Status::Ok();
  }
  if (multiples.rank() != x.rank()) {
    return ctx.Fail("x " + x.ToString() + " needs one multiple per axis; " +
                    std::to_string(multiples.rank()) + " are given");
  }
  Shape y = x;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    const std::optional<int64_t> dim = MulDims(x[axis], multiples[axis]);
    if (!dim) {
      return ctx.Fail("x " + x.ToString() + " cannot be repeated " + multiples.ToString() +
                      " times: axis " + std::to_string(axis) + " is too large");
    }
    y[axis] = *dim;
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kTile = {
    .type = "Tile", .infer = InferShape, .run_host = kernels::Tile, .dtypes = DtypeSet::kBytes};
GE_OP(kTile);

}  // namespace
}  // namespace ge
