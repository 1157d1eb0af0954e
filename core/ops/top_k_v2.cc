// TopKV2: the k largest (smallest) elements of x along `dim`, and where they stand.
//
//   x [..., n, ...]    k: one element    values [..., k, ...]    indices [..., k, ...]
//
// sorted: in descending (ascending) order; of equal elements the one with the lower index comes
// first.  indices have the dtype of indices_dtype.
// Source: prototype TopKV2 in tables/ops.json.  ONNX TopK maps here with int64 indices.
#include "kernels/sort.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const DataType indices = static_cast<DataType>(ctx.Int("indices_dtype"));
  if (indices != DataType::kInt32 && indices != DataType::kInt64) {
    return ctx.Fail("indices_dtype is neither 3 (int32) nor 9 (int64)");
  }
  Shape y = ctx.shape(0);
  GE_ASSIGN(const std::optional<int64_t> k, ConstAxis(ctx, 1));
  if (k && *k < 0) return ctx.Fail("k is " + std::to_string(*k) + ", which is negative");
  if (!y.unknown_rank()) {
    GE_ASSIGN(const size_t axis, AxisOf(ctx, ctx.Int("dim"), y));
    if (k && y[axis] != kUnknownDim && *k > y[axis]) {
      return ctx.Fail("k is " + std::to_string(*k) + ", but axis " + std::to_string(axis) +
                      " of x " + y.ToString() + " has fewer elements");
    }
    y[axis] = k.value_or(kUnknownDim);
  }
  ctx.SetOutput(0, ctx.dtype(0), y);
  ctx.SetOutput(1, indices, y);
  return Status::Ok();
}

constexpr OpImpl kTopKV2 = {.type = "TopKV2", .infer = InferShape, .run_host = kernels::TopK};
GE_OP(kTopKV2);

}  // namespace
}  // namespace ge
