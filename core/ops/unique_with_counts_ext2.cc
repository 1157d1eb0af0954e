// UniqueWithCountsExt2: the distinct elements of x, or its distinct slices along `axis`.
//
//   x [d0, d1, ...]    axis [0] (x as a list) or [1]
//   y [n], or x with n slices along axis    idx [n]: where each stands first
//   count [n]: how often    inverse_idx: for every element (slice) of x its place in y
//
// sorted: in ascending order, otherwise in the order of x.  n is known at run time only; indices
// have the dtype out_idx, int64 here.
// Source: ONNX Unique; prototype UniqueWithCountsExt2 in tables/ops.json.
#include "kernels/unique.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const Shape& x = ctx.shape(0);
  const std::optional<std::vector<int64_t>> axes = ctx.ConstInts(1);
  Shape y = Shape::UnknownRank();
  int64_t length = kUnknownDim;
  if (axes && axes->empty()) {
    y = Shape::UnknownDims(1);
    if (!x.unknown_rank()) {
      length = ProductOfDims(x, 0, x.rank()).value_or(kUnknownDim);
    }
  } else if (axes && axes->size() == 1 && !x.unknown_rank()) {
    GE_ASSIGN(const size_t axis, AxisOf(ctx, axes->front(), x));
    y = x;
    y[axis] = kUnknownDim;
    length = x[axis];
  } else if (axes && axes->size() > 1) {
    return ctx.Fail(std::to_string(axes->size()) + " axes are given; one or none is accepted");
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  ctx.SetOutput(1, DataType::kInt64, Shape::UnknownDims(1));
  ctx.SetOutput(2, DataType::kInt64, Shape::UnknownDims(1));
  ctx.SetOutput(3, DataType::kInt64, Shape{length});
  return Status::Ok();
}

constexpr OpImpl kUniqueWithCountsExt2 = {.type = "UniqueWithCountsExt2",
                                          .infer = InferShape,
                                          .run_host = kernels::Unique,
                                          .data_sized = true,
                                          .dtypes = DtypeSet::kBytes};
GE_OP(kUniqueWithCountsExt2);

}  // namespace
}  // namespace ge
