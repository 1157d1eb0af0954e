// GatherNd: y holds the slices of x that the index tuples along the last axis of `indices` name.
//
//   x [B..., d0, d1, ...]    indices [B..., I..., k]    y [B..., I..., dk, dk+1, ...]
//
// B are the batch_dims leading axes, which both share.  Negative indices count from the end.
// Source: ONNX GatherND; prototype GatherNd in tables/ops.json.  batch_dims is ONNX's attribute,
// which the prototype lacks.
#include "kernels/gather.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const Shape& x = ctx.shape(0);
  const Shape& indices = ctx.shape(1);
  if (x.unknown_rank() || indices.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownRank());
    return Status::Ok();
  }
  const int64_t batch_dims = ctx.Int("batch_dims");
  const int64_t length = indices.rank() == 0 ? 0 : indices[indices.rank() - 1];
  const std::string both = "x " + x.ToString() + " and indices " + indices.ToString();
  if (x.rank() == 0 || indices.rank() == 0) return ctx.Fail(both + " must not be scalars");
  if (batch_dims < 0 || batch_dims >= static_cast<int64_t>(std::min(x.rank(), indices.rank()))) {
    return ctx.Fail("batch_dims " + std::to_string(batch_dims) + " does not fit " + both);
  }
  const size_t batch = static_cast<size_t>(batch_dims);
  if (length > static_cast<int64_t>(x.rank() - batch)) {
    return ctx.Fail("index tuples of length " + std::to_string(length) + " are too long for " +
                    both);
  }
  std::vector<int64_t> dims(indices.dims().begin(), indices.dims().end() - 1);
  for (size_t axis = 0; axis < batch; ++axis) {
    const std::optional<int64_t> dim = MergeDims(x[axis], indices[axis]);
    if (!dim) return ctx.Fail(both + " differ in batch axis " + std::to_string(axis));
    dims[axis] = *dim;
  }
  if (length == kUnknownDim) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownRank());
    return Status::Ok();
  }
  dims.insert(dims.end(), x.dims().begin() + static_cast<ptrdiff_t>(batch) + length,
              x.dims().end());
  ctx.SetOutput(0, ctx.dtype(0), Shape(std::move(dims)));
  return Status::Ok();
}

constexpr OpImpl kGatherNd = {.type = "GatherNd",
                              .infer = InferShape,
                              .run_host = kernels::GatherNd,
                              .dtypes = DtypeSet::kBytes};
GE_OP(kGatherNd);

}  // namespace
}  // namespace ge
