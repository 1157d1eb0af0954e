// Slice: y is the part of x that begins at offsets and has the dims size; -1: all that is left.
//
//   x [d0, d1, ...]    offsets, size [rank of x], int32 or int64    y [size[0], size[1], ...]
//
// Source: prototype Slice in tables/ops.json.
#include "kernels/slice.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  GE_TRY(NeedsIndices(ctx, 1));
  GE_TRY(NeedsIndices(ctx, 2));
  const std::optional<std::vector<int64_t>> offsets = ctx.ConstInts(1), size = ctx.ConstInts(2);
  if (x.unknown_rank() || !offsets || !size) {
    ctx.SetOutput(0, ctx.dtype(0), x.unknown_rank() ? x : Shape::UnknownDims(x.rank()));
    return Status::Ok();
  }
  if (offsets->size() != x.rank() || size->size() != x.rank()) {
    return ctx.Fail("offsets and size have " + std::to_string(offsets->size()) + " and " +
                    std::to_string(size->size()) + " numbers; x " + x.ToString() + " has " +
                    std::to_string(x.rank()) + " axes");
  }
  Shape y = x;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    const int64_t begin = (*offsets)[axis], count = (*size)[axis], dim = x[axis];
    const bool known = dim != kUnknownDim;
    if (begin < 0 || count < -1 || (known && (begin > dim || count > dim - begin))) {
      return ctx.Fail("offset " + std::to_string(begin) + " and size " + std::to_string(count) +
                      " are not inside axis " + std::to_string(axis) + " of x " + x.ToString());
    }
    y[axis] = count >= 0 ? count : known ? dim - begin : kUnknownDim;
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kSlice = {
    .type = "Slice", .infer = InferShape, .run_host = kernels::Slice, .dtypes = DtypeSet::kBytes};
GE_OP(kSlice);

}  // namespace
}  // namespace ge
