// TensorScatterUpdate, TensorScatterAdd, TensorScatterMax, TensorScatterMin: y is x with `updates`
// written to (added to, ...) the slices that the index tuples along the last axis of `indices`
// name.
//
//   x [d0, d1, ...]    indices [I..., k]    updates [I..., dk, dk+1, ...]    y as x
//
// Negative indices count from the end.  TensorScatterUpdate takes an attribute `reduction` of our
// own: "mul" multiplies, for which there is no type of its own.
// Source: ONNX ScatterND; prototypes TensorScatter* in tables/ops.json.
#include "kernels/gather.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  if (ctx.dtype(0) != ctx.dtype(2)) return ctx.Fail("x and updates have different dtypes");
  const Shape& x = ctx.shape(0);
  const Shape& indices = ctx.shape(1);
  ctx.SetOutput(0, ctx.dtype(0), x);
  if (x.unknown_rank() || indices.unknown_rank()) return Status::Ok();
  if (indices.rank() == 0 || x.rank() == 0) return ctx.Fail("x and indices must not be scalars");
  const int64_t length = indices[indices.rank() - 1];
  if (length > static_cast<int64_t>(x.rank())) {
    return ctx.Fail("index tuples of length " + std::to_string(length) + " are too long for x " +
                    x.ToString());
  }
  if (length == kUnknownDim) return Status::Ok();
  std::vector<int64_t> dims(indices.dims().begin(), indices.dims().end() - 1);
  dims.insert(dims.end(), x.dims().begin() + length, x.dims().end());
  const Shape expected(std::move(dims));
  if (!MergeShapes(ctx.shape(2), expected)) {
    return ctx.Fail("updates " + ctx.shape(2).ToString() + " should have shape " +
                    expected.ToString() + " for x " + x.ToString() + " and indices " +
                    indices.ToString());
  }
  return Status::Ok();
}

constexpr OpImpl kUpdate = {.type = "TensorScatterUpdate",
                            .infer = InferShape,
                            .run_host = kernels::ScatterNdUpdate,
                            .dtypes = DtypeSet::kBytes};
constexpr OpImpl kAdd = {
    .type = "TensorScatterAdd", .infer = InferShape, .run_host = kernels::ScatterNdAdd};
constexpr OpImpl kMax = {
    .type = "TensorScatterMax", .infer = InferShape, .run_host = kernels::ScatterNdMax};
constexpr OpImpl kMin = {
    .type = "TensorScatterMin", .infer = InferShape, .run_host = kernels::ScatterNdMin};
GE_OP(kUpdate);
GE_OP(kAdd);
GE_OP(kMax);
GE_OP(kMin);

}  // namespace
}  // namespace ge
