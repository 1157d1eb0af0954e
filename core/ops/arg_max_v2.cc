// ArgMaxV2, ArgMin: index of the greatest (least) element along one axis.
//
//   x [d0, ..., dk, ...]    dimension: one integer in [-rank, rank), the axis k
//   y: x without axis k, of dtype int32 or int64 (attribute dtype)
//
// Of equal elements the first counts, or the last if the extra attribute select_last_index is set,
// which the prototype does not have and ONNX needs.  Source: prototypes in tables/ops.json.
#include "kernels/arg_extreme.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const DataType* dtype = ctx.node().attrs().Get<DataType>("dtype");
  const DataType index_dtype = dtype != nullptr ? *dtype : DataType::kInt64;
  if (index_dtype != DataType::kInt32 && index_dtype != DataType::kInt64) {
    return ctx.Fail("dtype is " + std::string(UserName(index_dtype)) +
                    "; int32 and int64 are accepted");
  }
  const Shape& x = ctx.shape(0);
  GE_TRY(NeedsIndices(ctx, 1));
  GE_ASSIGN(const std::optional<int64_t> axis, ConstAxis(ctx, 1));
  if (x.unknown_rank()) {
    ctx.SetOutput(0, index_dtype, Shape::UnknownRank());
    return Status::Ok();
  }
  if (x.rank() == 0) return ctx.Fail("x is a scalar; at least one axis is needed");
  if (!axis) {
    ctx.SetOutput(0, index_dtype, Shape::UnknownDims(x.rank() - 1));
    return Status::Ok();
  }
  GE_ASSIGN(const size_t index, AxisOf(ctx, *axis, x));
  if (x[index] == 0) {
    return ctx.Fail("axis " + std::to_string(index) + " of " + x.ToString() +
                    " has no elements to choose from");
  }
  std::vector<int64_t> dims = x.ToVector();
  dims.erase(dims.begin() + static_cast<ptrdiff_t>(index));
  ctx.SetOutput(0, index_dtype, Shape(std::move(dims)));
  return Status::Ok();
}

constexpr OpImpl kArgMaxV2 = {.type = "ArgMaxV2", .infer = InferShape, .run_host = kernels::ArgMax};
GE_OP(kArgMaxV2);
constexpr OpImpl kArgMin = {.type = "ArgMin", .infer = InferShape, .run_host = kernels::ArgMin};
GE_OP(kArgMin);

}  // namespace
}  // namespace ge
