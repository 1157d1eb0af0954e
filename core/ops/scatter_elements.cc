// ScatterElements: y is data, where the element with the index tuple of each element of updates,
// but with the value of indices on `axis`, is replaced by it.
//
//   data [d0, d1, ...]    indices, updates: same shape, rank of data    y as data
//
// reduction: none replaces; add, mul, max and min combine with what is there.  Negative indices
// count from the end.
// Source: ONNX ScatterElements; prototype ScatterElements in tables/ops.json.
#include "kernels/gather.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  if (ctx.dtype(0) != ctx.dtype(2)) return ctx.Fail("data and updates have different dtypes");
  GE_TRY(FitsInside(ctx, ctx.shape(1), ctx.shape(0), ctx.Int("axis")));
  const std::optional<Shape> same = MergeShapes(ctx.shape(1), ctx.shape(2));
  if (!same) {
    return ctx.Fail("indices " + ctx.shape(1).ToString() + " and updates " +
                    ctx.shape(2).ToString() + " differ in shape");
  }
  const bool rank_known = ctx.shape(0).unknown_rank() && !same->unknown_rank();
  ctx.SetOutput(0, ctx.dtype(0), rank_known ? Shape::UnknownDims(same->rank()) : ctx.shape(0));
  return Status::Ok();
}

constexpr OpImpl kScatterElements = {.type = "ScatterElements",
                                     .infer = InferShape,
                                     .run_host = kernels::ScatterElements,
                                     .dtypes = DtypeSet::kBytes};
GE_OP(kScatterElements);

}  // namespace
}  // namespace ge
