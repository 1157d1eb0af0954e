// GatherElements: y[i, j, ...] = x[i, j, ...] with the index on axis `dim` replaced by
// index[i, j, ...].
//
//   x [d0, d1, ...]    index: rank of x, not larger than x on the other axes    y: shape of index
//
// Negative indices count from the end.
// Source: prototype GatherElements in tables/ops.json.  ONNX GatherElements maps here.
#include "kernels/gather.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const Shape& x = ctx.shape(0);
  GE_TRY(FitsInside(ctx, ctx.shape(1), x, ctx.Int("dim")));
  Shape y = ctx.shape(1);
  if (y.unknown_rank() && !x.unknown_rank()) y = Shape::UnknownDims(x.rank());
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kGatherElements = {.type = "GatherElements",
                                    .infer = InferShape,
                                    .run_host = kernels::GatherElements,
                                    .dtypes = DtypeSet::kBytes};
GE_OP(kGatherElements);

}  // namespace
}  // namespace ge
