// GatherV2: y holds the slices of x along `axis` that `indices` names.
//
//   x [a..., n, b...]    indices any shape    axis scalar    y [a..., indices..., b...]
//
// Negative indices count from the end when negative_index_support is set, as it is for ONNX.
// Source: prototype GatherV2 in tables/ops.json.  ONNX Gather maps here.
#include "kernels/gather.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const Shape& x = ctx.shape(0);
  const Shape& indices = ctx.shape(1);
  GE_ASSIGN(const std::optional<int64_t> axis, ConstAxis(ctx, 2));
  if (x.unknown_rank() || indices.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownRank());
    return Status::Ok();
  }
  if (x.rank() == 0) return ctx.Fail("x is a scalar, which has no axis to gather from");
  if (!axis) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownDims(x.rank() + indices.rank() - 1));
    return Status::Ok();
  }
  GE_ASSIGN(const size_t index, AxisOf(ctx, *axis, x));
  std::vector<int64_t> dims = x.ToVector();
  const auto at = dims.erase(dims.begin() + static_cast<ptrdiff_t>(index));
  dims.insert(at, indices.dims().begin(), indices.dims().end());
  ctx.SetOutput(0, ctx.dtype(0), Shape(std::move(dims)));
  return Status::Ok();
}

constexpr OpImpl kGatherV2 = {.type = "GatherV2",
                              .infer = InferShape,
                              .run_host = kernels::GatherV2,
                              .dtypes = DtypeSet::kBytes};
GE_OP(kGatherV2);

}  // namespace
}  // namespace ge
