// Transpose: axis i of y is axis perm[i] of x.
//
//   x [d0, d1, ...]    perm [rank of x], integers    y [d(perm[0]), d(perm[1]), ...]
//
// Source: prototype Transpose in tables/ops.json.  ONNX Transpose maps here.
#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const std::optional<std::vector<int64_t>> perm = ctx.ConstInts(1);
  if (!perm) {
    GE_ASSIGN(const Shape list, ShapeFromList(ctx, 1));
    ctx.SetOutput(0, ctx.dtype(0), x.unknown_rank() ? list : Shape::UnknownDims(x.rank()));
    return Status::Ok();
  }
  if (!x.unknown_rank() && perm->size() != x.rank()) {
    return ctx.Fail("perm " + Shape(*perm).ToString() + " does not fit x " + x.ToString() +
                    ", which has " + std::to_string(x.rank()) + " axes");
  }
  Shape y = Shape::UnknownDims(perm->size());
  GE_ASSIGN(const std::vector<size_t> axes, AxesOf(ctx, *perm, x.unknown_rank() ? Shape(y) : x));
  if (!x.unknown_rank()) {
    for (size_t axis = 0; axis < axes.size(); ++axis) y[axis] = x[axes[axis]];
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kTranspose = {.type = "Transpose",
                               .infer = InferShape,
                               .run_host = kernels::Transpose,
                               .dtypes = DtypeSet::kBytes};
GE_OP(kTranspose);

}  // namespace
}  // namespace ge
